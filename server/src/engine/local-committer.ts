/**
 * Commits in the main thread, for stores with asynchronous I/O. One batch at a time spans all workspaces that no other instance
 * has locked. A workspace that is locked elsewhere gets batches of its own, which wait for the lock, until none of its commands
 * waits: only its own commands wait for its lock.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../domain/app-error.js';
import { pauseWhileBusy } from '../runtime/load-share.js';
import type { BatchStore } from '../store/store.js';
import { type CommandResult, commitBatch } from './commit-batch.js';
import {
  type CommitterOptions,
  MAX_BATCH_BYTES,
  type Pending,
  QueueCommitter,
  workspaceOf,
} from './committer.js';

export class LocalCommitter extends QueueCommitter {
  readonly #batches: BatchStore;
  readonly #pauseMs = pauseWhileBusy();
  /** Workspaces that are locked elsewhere. */
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

  /** Requests that are read in the same event loop iteration share a batch. */
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
      // Answering takes as long as the first statements of a batch: they are sent before, once there is a connection for them.
      setImmediate(settleLast);
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

  /**
   * `postponed` come first: they arrived before what is still in the queue. While the thread is busy and others are active, the
   * workspace pauses after each batch: its batches cost the same however few commands they have.
   */
  async #commitHeld(workspaceId: string, postponed: readonly Pending[]): Promise<void> {
    this.#held.add(workspaceId);
    let batch = postponed;
    while (batch.length > 0) {
      const beganAt = performance.now();
      (await this.#commit(batch, { waits: true }))();
      const pauseMs = this.share === null ? 0 : this.#pauseMs(performance.now() - beganAt);
      if (pauseMs > 0) await pause(pauseMs);
      batch = this.queue.take({
        maxItems: this.share ?? this.maxBatchSize,
        maxBytes: MAX_BATCH_BYTES,
        isHeldBack: (candidate) => candidate !== workspaceId,
      });
    }
    this.#held.delete(workspaceId);
  }

  /** Resolves after the commit, to the function that settles the batch. */
  async #commit(batch: readonly Pending[], { waits }: { waits: boolean }): Promise<() => void> {
    try {
      const commands = batch.map(({ command }) => command);
      const results = await commitBatch(this.#batches, commands, { waits });
      if (!results.some(isPostponed)) return () => this.settle(batch, results);
      this.#postpone(batch.filter((_, index) => isPostponed(results[index])));
      const decided = batch.filter((_, index) => !isPostponed(results[index]));
      return () =>
        this.settle(
          decided,
          results.filter((result) => !isPostponed(result)),
        );
    } catch (error) {
      // If the store is unavailable, waiting commands fail, too, instead of each waiting for its own timeout.
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

function isPostponed(result: CommandResult | undefined): boolean {
  return result !== undefined && 'isPostponed' in result;
}
