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
  /** Batches of one lane under way at the same time; one, unless whoever commits them puts them in order. */
  readonly maxUnderWay?: number;
  /** A batch that has grown to this size begins at once, a smaller one when the turn of the event loop is over. */
  readonly beginSize?: number;
}

interface Lane<Item> {
  readonly waiting: Item[];
  underWay: number;
  isAboutToBegin: boolean;
}

export class CommitQueue<Item> {
  readonly #options: CommitQueueOptions<Item>;
  /** Those that have something waiting or under way. */
  readonly #lanes = new Map<string, Lane<Item>>();
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
    const name = this.#options.laneOf(item);
    const lane = this.#lanes.get(name) ?? { waiting: [], underWay: 0, isAboutToBegin: false };
    this.#lanes.set(name, lane);
    lane.waiting.push(item);
    this.#waiting += 1;
    if (this.#isFull(lane)) return;
    if (lane.waiting.length >= (this.#options.beginSize ?? Number.POSITIVE_INFINITY)) {
      void this.#drain(name, lane);
    } else if (!lane.isAboutToBegin) {
      lane.isAboutToBegin = true;
      // Requests that were read from their sockets in this turn of the event loop share a batch.
      setImmediate(() => {
        lane.isAboutToBegin = false;
        if (!this.#isFull(lane)) void this.#drain(name, lane);
      });
    }
  }

  /** Whether a commit of the lane is under way or about to be. */
  isUnderWay(lane: string): boolean {
    return this.#lanes.has(lane);
  }

  /** The items that wait in a lane, for the caller to settle: they will not be committed. */
  takeWaiting(lane: string): Item[] {
    const items = this.#lanes.get(lane)?.waiting.splice(0) ?? [];
    this.#waiting -= items.length;
    return items;
  }

  /** Resolves when nothing is waiting or being committed. */
  async drained(): Promise<void> {
    if (this.#lanes.size === 0) return;
    this.#idle ??= promiseWithResolvers();
    await this.#idle.promise;
  }

  async #drain(name: string, lane: Lane<Item>): Promise<void> {
    lane.underWay += 1;
    let settleLast = () => {};
    for (let batch = this.#takeBatch(lane); batch.length > 0; batch = this.#takeBatch(lane)) {
      const committing = this.#options.commit(batch, name);
      // Answering takes time in which the next batch may be under way already.
      settleLast();
      settleLast = await committing;
    }
    lane.underWay -= 1;
    if (lane.underWay === 0 && !lane.isAboutToBegin) this.#lanes.delete(name);
    settleLast();
    if (this.#lanes.size === 0) {
      this.#idle?.resolve();
      this.#idle = undefined;
    }
  }

  #isFull({ underWay }: Lane<Item>): boolean {
    return underWay >= (this.#options.maxUnderWay ?? 1);
  }

  #takeBatch(lane: Lane<Item>): Item[] {
    const batch = lane.waiting.splice(0, this.#options.maxBatchSize);
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
