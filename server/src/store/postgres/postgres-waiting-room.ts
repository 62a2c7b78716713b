/**
 * How many batches may wait for a workspace that someone else holds. Each of them has a connection while it waits, and the
 * rest of the instance must have some left. Whoever finds the room full waits outside, without a connection.
 */

import { unavailable } from '../../domain/app-error.js';

export class PostgresWaitingRoom {
  readonly #timeoutMs: number;
  readonly #queue: (() => void)[] = [];
  #places: number;

  constructor({ places, timeoutMs }: { places: number; timeoutMs: number }) {
    this.#places = places;
    this.#timeoutMs = timeoutMs;
  }

  /** Throws `unavailable` when no place becomes free in time. */
  async within<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(): Promise<void> {
    if (this.#places > 0) {
      this.#places -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(enter), 1);
        reject(unavailable('The workspace is busy, try again'));
      }, this.#timeoutMs);
      this.#queue.push(enter);
    });
  }

  /** The place goes to the next in the queue, if there is one. */
  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#places += 1;
    else next();
  }
}
