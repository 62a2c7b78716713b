/**
 * Commits in this thread, for stores that wait without holding it up. One batch at a time spans all workspaces that no other
 * instance holds. A workspace that is held elsewhere has batches of its own, which wait for it, until nothing of it is
 * waiting any more: only its own commands wait for its lock.
 */

import { AppError } from '../domain/app-error.js';
import type { FairQueue } from '../runtime/fair-queue.js';
import { LoadShare } from '../runtime/load-share.js';
import type { BatchStore } from '../store/store.js';
import type { Command } from './command.js';
import { type Answer, commitBatch, type Outcome } from './commit-batch.js';
import {
  ActiveWorkspaces,
  bytesOf,
  type Committer,
  type CommitterOptions,
  MAX_BATCH_BYTES,
  MAX_BATCH_SIZE,
  MAX_SHARE,
  newQueue,
  Outstanding,
  type Pending,
  workspaceOf,
} from './committer.js';

export class LocalCommitter implements Committer {
  readonly #batches: BatchStore;
  readonly #onCommit: (size: number) => void;
  readonly #maxBatchSize: number;
  readonly #queue: FairQueue<Pending>;
  readonly #active = new ActiveWorkspaces();
  readonly #share = new LoadShare({ max: MAX_SHARE });
  readonly #outstanding = new Outstanding();
  /** Workspaces that another instance holds. */
  readonly #held = new Set<string>();
  #isScheduled = false;
  #isInFlight = false;

  constructor(
    batches: BatchStore,
    { onCommit = () => {}, maxBatchSize = MAX_BATCH_SIZE, maxWaiting }: CommitterOptions = {},
  ) {
    this.#batches = batches;
    this.#onCommit = onCommit;
    this.#maxBatchSize = maxBatchSize;
    this.#queue = newQueue(maxWaiting, (pending, error) => this.#fail([pending], error));
  }

  get waiting(): number {
    return this.#queue.size;
  }

  submit(command: Command): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const bytes = bytesOf(command);
      this.#queue.add(command.caller.workspaceId, { command, bytes, resolve, reject }, bytes);
      this.#active.note(command.caller.workspaceId);
      this.#outstanding.add(1);
      this.#schedule();
    });
  }

  drained(): Promise<void> {
    return this.#outstanding.none();
  }

  /** Requests that were read from their sockets in this turn of the event loop share a batch. */
  #schedule(): void {
    if (this.#isScheduled || this.#isInFlight) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#commitShared();
    });
  }

  async #commitShared(): Promise<void> {
    if (this.#isInFlight) return;
    this.#isInFlight = true;
    let settleLast = () => {};
    for (let batch = this.#takeShared(); batch.length > 0; batch = this.#takeShared()) {
      const committing = this.#commit(batch, { waits: false });
      // Answering takes time in which the next batch may be in flight already.
      settleLast();
      settleLast = await committing;
    }
    this.#isInFlight = false;
    settleLast();
  }

  #takeShared(): Pending[] {
    return this.#queue.take({
      maxItems: this.#maxBatchSize,
      maxBytes: MAX_BATCH_BYTES,
      maxShare: this.#active.areSeveral ? this.#share.current : this.#maxBatchSize,
      isHeldBack: (workspaceId) => this.#held.has(workspaceId),
    });
  }

  /** `postponed` come first: they arrived before what is still in the queue. */
  async #commitHeld(workspaceId: string, postponed: readonly Pending[]): Promise<void> {
    this.#held.add(workspaceId);
    let batch = postponed;
    while (batch.length > 0) {
      (await this.#commit(batch, { waits: true }))();
      batch = this.#queue.take({
        maxItems: this.#maxBatchSize,
        maxBytes: MAX_BATCH_BYTES,
        isHeldBack: (candidate) => candidate !== workspaceId,
      });
    }
    this.#held.delete(workspaceId);
  }

  /** What settles the batch, once it is committed. */
  async #commit(batch: readonly Pending[], { waits }: { waits: boolean }): Promise<() => void> {
    try {
      const commands = batch.map(({ command }) => command);
      const outcomes = await commitBatch(this.#batches, commands, { waits });
      this.#postpone(batch, outcomes);
      return () => this.#settle(batch, outcomes);
    } catch (error) {
      // A store that is away fails what waits behind, too: nothing waits for one timeout after the other.
      const waiting = error instanceof AppError ? this.#takeWaiting(batch, waits) : [];
      return () => this.#fail([...batch, ...waiting], error);
    }
  }

  #takeWaiting(batch: readonly Pending[], waits: boolean): Pending[] {
    const [first] = batch;
    return waits && first !== undefined ? this.#queue.takeAllOf(workspaceOf(first)) : this.#queue.takeAll();
  }

  #postpone(batch: readonly Pending[], outcomes: readonly Outcome[]): void {
    const postponed = new Map<string, Pending[]>();
    for (const [index, pending] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined || !('isPostponed' in outcome)) continue;
      const workspaceId = workspaceOf(pending);
      postponed.set(workspaceId, [...(postponed.get(workspaceId) ?? []), pending]);
    }
    for (const [workspaceId, commands] of postponed) void this.#commitHeld(workspaceId, commands);
  }

  #settle(batch: readonly Pending[], outcomes: readonly Outcome[]): void {
    let settled = 0;
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined && 'isPostponed' in outcome) continue;
      settled += 1;
      if (outcome === undefined) reject(new Error('The command has no outcome'));
      else if ('error' in outcome) reject(outcome.error);
      else resolve(outcome);
    }
    if (settled > 0) this.#onCommit(settled);
    this.#outstanding.add(-settled);
  }

  #fail(batch: readonly Pending[], error: unknown): void {
    for (const { reject } of batch) reject(error);
    this.#outstanding.add(-batch.length);
  }
}
