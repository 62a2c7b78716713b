/**
 * Limits concurrent work, in total and per owner. The rest waits and starts in fair turns: a workspace that asks for many
 * reports delays its own reports and not those of others. Work may have a weight, such as the bytes it holds in memory.
 */

import { overloaded } from '../domain/app-error.js';
import { FairQueue } from './fair-queue.js';

export interface FairLimiterOptions {
  /** The sum of the weights; work heavier than a limit runs alone. */
  readonly maxRunning: number;
  readonly maxRunningPerOwner: number;
  readonly maxWaiting: number;
  readonly maxWaitingPerOwner: number;
  /** Work that cannot start within this time is refused. */
  readonly maxWaitMs: number;
  /** How long an owner pauses after work of that duration, so that others get their share. */
  readonly pauseMs?: (workedMs: number) => number;
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
  readonly weight: number;
}

export class FairLimiter {
  readonly #options: FairLimiterOptions;
  readonly #waiting: FairQueue<Waiting>;
  readonly #running = new Map<string, number>();
  #total = 0;

  constructor(options: FairLimiterOptions) {
    this.#options = options;
    this.#waiting = new FairQueue({
      maxItems: options.maxWaiting,
      maxBytes: Number.POSITIVE_INFINITY,
      maxItemsPerOwner: options.maxWaitingPerOwner,
      maxBytesPerOwner: Number.POSITIVE_INFINITY,
      onDisplace: ({ refuse }, error) => refuse(error),
    });
  }

  /** Throws `unavailable` when too much is waiting, or when the work cannot start in time. */
  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const release = await this.enter(owner);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Resolves when the work may start, to the function that releases its place. */
  async enter(owner: string, weight = 1): Promise<() => void> {
    const entered = this.tryEnter(owner, weight);
    if (entered !== null) return entered;
    await this.#wait(owner, weight);
    return this.#releaseOf(owner, weight);
  }

  /** Like `enter`, without waiting; null when the work may not start yet. */
  tryEnter(owner: string, weight = 1): (() => void) | null {
    if (this.#waiting.has(owner) || this.#isAtLimit(owner, weight)) return null;
    this.#begin(owner, weight);
    return this.#releaseOf(owner, weight);
  }

  #releaseOf(owner: string, weight: number): () => void {
    const beganAt = performance.now();
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#end(owner, weight, performance.now() - beganAt);
    };
  }

  #wait(owner: string, weight: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const refuse = (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      };
      const waiting: Waiting = { begin, refuse, weight };
      const timer = setTimeout(() => {
        this.#waiting.remove(owner, waiting);
        reject(overloaded('The service is busy, try again'));
      }, this.#options.maxWaitMs);
      try {
        this.#waiting.add(owner, waiting);
      } catch (error) {
        refuse(error);
      }
    });
  }

  #begin(owner: string, weight: number): void {
    this.#total += weight;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + weight);
  }

  #end(owner: string, weight: number, workedMs: number): void {
    this.#total -= weight;
    const pauseMs = this.#options.pauseMs?.(workedMs) ?? 0;
    if (pauseMs === 0) this.#leave(owner, weight);
    else {
      setTimeout(() => this.#leave(owner, weight), pauseMs).unref();
      this.#beginWaiting();
    }
  }

  #leave(owner: string, weight: number): void {
    const left = (this.#running.get(owner) ?? weight) - weight;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
    this.#beginWaiting();
  }

  #beginWaiting(): void {
    this.#waiting.take({
      maxItems: Number.POSITIVE_INFINITY,
      maxBytes: 0,
      isHeldBack: (candidate, waiting) => this.#isAtLimit(candidate, waiting.weight),
      onTake: (waiting, next) => {
        this.#begin(next, waiting.weight);
        waiting.begin();
      },
    });
  }

  #isAtLimit(owner: string, weight: number): boolean {
    const { maxRunning, maxRunningPerOwner } = this.#options;
    const running = this.#running.get(owner) ?? 0;
    return (
      (running > 0 && running + weight > maxRunningPerOwner) ||
      (this.#total > 0 && this.#total + weight > maxRunning)
    );
  }
}
