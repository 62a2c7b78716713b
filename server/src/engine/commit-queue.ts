/**
 * Natural batching: while one batch of a lane is being committed, arriving items wait and form the next one. No timer,
 * no added latency when idle, and the cost of a commit is shared under load. Bounded: past the bound an item is refused
 * at once.
 */

import { unavailable } from '../domain/app-error.js';

export interface CommitQueueOptions<Item> {
  readonly laneOf: (item: Item) => string;
  /** Commits a batch; never rejects. What it resolves to settles each of its items or adds it again. */
  readonly commit: (batch: Item[], lane: string) => Promise<() => void>;
  readonly maxBatchSize: number;
  /** Items waiting in all lanes together. */
  readonly maxWaiting: number;
}

export class CommitQueue<Item> {
  readonly #options: CommitQueueOptions<Item>;
  /** The waiting items of each lane that has a commit under way. */
  readonly #lanes = new Map<string, Item[]>();
  #waiting = 0;
  #idle: PromiseWithResolvers | undefined;

  constructor(options: CommitQueueOptions<Item>) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Throws `unavailable` when too many items are waiting already. */
  add(item: Item): void {
    if (this.#waiting >= this.#options.maxWaiting) throw unavailable('The service is overloaded, try again');
    const lane = this.#options.laneOf(item);
    this.#waiting += 1;
    const waiting = this.#lanes.get(lane);
    if (waiting !== undefined) {
      waiting.push(item);
      return;
    }
    this.#lanes.set(lane, [item]);
    // Requests that were read from their sockets in this turn of the event loop share the first batch.
    setImmediate(() => void this.#drainLane(lane));
  }

  /** Whether a commit of the lane is under way or about to be. */
  isUnderWay(lane: string): boolean {
    return this.#lanes.has(lane);
  }

  /** The items that wait in a lane, for the caller to settle: they will not be committed. */
  takeWaiting(lane: string): Item[] {
    const items = this.#lanes.get(lane)?.splice(0) ?? [];
    this.#waiting -= items.length;
    return items;
  }

  /** Resolves when nothing is waiting or being committed. */
  async drained(): Promise<void> {
    if (this.#lanes.size === 0) return;
    this.#idle ??= promiseWithResolvers();
    await this.#idle.promise;
  }

  async #drainLane(lane: string): Promise<void> {
    let settleLast = () => {};
    for (let batch = this.#takeBatch(lane); batch.length > 0; batch = this.#takeBatch(lane)) {
      const committing = this.#options.commit(batch, lane);
      // Answering takes time in which the next batch may be under way already.
      settleLast();
      settleLast = await committing;
    }
    this.#lanes.delete(lane);
    settleLast();
    if (this.#lanes.size === 0) {
      this.#idle?.resolve();
      this.#idle = undefined;
    }
  }

  #takeBatch(lane: string): Item[] {
    const batch = this.#lanes.get(lane)?.splice(0, this.#options.maxBatchSize) ?? [];
    this.#waiting -= batch.length;
    return batch;
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function promiseWithResolvers(): PromiseWithResolvers {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
