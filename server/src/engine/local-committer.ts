/**
 * Commits in this thread, for stores that wait without holding it up. One batch at a time spans all workspaces that no other
 * instance holds. A workspace that is held elsewhere has batches of its own, which wait for it, until nothing of it is
 * waiting any more: only its own commands wait for its lock.
 */

import { AppError } from '../domain/app-error.js';
import type { BatchStore } from '../store/store.js';
import { commitBatch, type Outcome } from './commit-batch.js';
import {
  type CommitterOptions,
  MAX_BATCH_BYTES,
  type Pending,
  QueueCommitter,
  workspaceOf,
} from './committer.js';

export class LocalCommitter extends QueueCommitter {
  readonly #batches: BatchStore;
  /** Workspaces that another instance holds. */
  readonly #held = new Set<string>();
  #isScheduled = false;
  #isInFlight = false;

  constructor(batches: BatchStore, options: CommitterOptions = {}) {
    super(options);
    this.#batches = batches;
  }

  protected queued(): void {
    this.#schedule();
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
    return this.queue.take({
      maxItems: this.maxBatchSize,
      maxBytes: MAX_BATCH_BYTES,
      maxShare: this.share ?? this.maxBatchSize,
      isHeldBack: (workspaceId) => this.#held.has(workspaceId),
    });
  }

  /** `postponed` come first: they arrived before what is still in the queue. */
  async #commitHeld(workspaceId: string, postponed: readonly Pending[]): Promise<void> {
    this.#held.add(workspaceId);
    let batch = postponed;
    while (batch.length > 0) {
      (await this.#commit(batch, { waits: true }))();
      batch = this.queue.take({
        maxItems: this.maxBatchSize,
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
      if (!outcomes.some(isPostponed)) return () => this.settle(batch, outcomes);
      this.#postpone(batch.filter((_, index) => isPostponed(outcomes[index])));
      const decided = batch.filter((_, index) => !isPostponed(outcomes[index]));
      return () =>
        this.settle(
          decided,
          outcomes.filter((outcome) => !isPostponed(outcome)),
        );
    } catch (error) {
      // A store that is away fails what waits behind, too: nothing waits for one timeout after the other.
      const waiting = error instanceof AppError ? this.#takeWaiting(batch, waits) : [];
      return () => this.fail([...batch, ...waiting], error);
    }
  }

  #takeWaiting(batch: readonly Pending[], waits: boolean): Pending[] {
    const [first] = batch;
    return waits && first !== undefined ? this.queue.takeAllOf(workspaceOf(first)) : this.queue.takeAll();
  }

  #postpone(batch: readonly Pending[]): void {
    const byWorkspace = new Map<string, Pending[]>();
    for (const pending of batch) {
      const workspaceId = workspaceOf(pending);
      const group = byWorkspace.get(workspaceId);
      if (group === undefined) byWorkspace.set(workspaceId, [pending]);
      else group.push(pending);
    }
    for (const [workspaceId, group] of byWorkspace) void this.#commitHeld(workspaceId, group);
  }
}

function isPostponed(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && 'isPostponed' in outcome;
}
