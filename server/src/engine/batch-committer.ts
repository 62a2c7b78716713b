import type { BatchOptions, BatchStore } from '../store/store.js';
import type { Command } from './command.js';
import { commitBatch, type Outcome } from './commit-batch.js';

/** Commands in one commit at most, unless someone wants fewer. */
export const MAX_BATCH_SIZE = 256;

/** Where batches are committed. */
export interface BatchCommitter {
  /** Commands of one lane are committed one batch after the other; lanes are independent of each other. */
  laneOf(workspaceId: string): string;
  /** Batches of one lane that may be given to it before the first is answered. */
  readonly maxUnderWay: number;
  /** A batch of this size is given to it at once, though more commands may follow in the same turn of the event loop. */
  readonly beginSize: number;
  /** As `commitBatch`. */
  commit(commands: readonly Command[], options?: BatchOptions): Promise<Outcome[]>;
  close(): Promise<void>;
}

/** Commits in this thread: for stores that wait without holding it up. */
export class LocalCommitter implements BatchCommitter {
  readonly maxUnderWay = 1;
  readonly beginSize = Number.POSITIVE_INFINITY;
  readonly #batches: BatchStore;

  constructor(batches: BatchStore) {
    this.#batches = batches;
  }

  laneOf(workspaceId: string): string {
    return this.#batches.laneOf(workspaceId);
  }

  commit(commands: readonly Command[], options?: BatchOptions): Promise<Outcome[]> {
    return commitBatch(this.#batches, commands, options);
  }

  async close(): Promise<void> {}
}
