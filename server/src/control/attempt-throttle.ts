/**
 * Limits the number of attempts of a subject within a time window. The counts are in the store, so that instances share them.
 * Refusals are cached here until they end, so that repeating a refused attempt costs no query.
 */

import { throttled } from '../domain/app-error.js';
import type { LoginFailureStore } from '../store/store.js';

export interface AttemptLimit {
  readonly subject: string;
  readonly maxAttempts: number;
  readonly windowMs: number;
  /** The message for the caller. */
  readonly refusal: string;
}

export interface AttemptThrottleOptions {
  readonly attempts: LoginFailureStore;
  /** The clock of the store, because instances must agree on when a window ends. */
  readonly storeClock: () => Promise<number>;
  /** The clock of this process, for the duration of a cached refusal. */
  readonly clock: () => number;
}

/** The longest window that a limit may have. Older attempts are deleted. */
export const MAX_WINDOW_MS = 60 * 60_000;
/** Refusals in the cache. Beyond that the oldest one is evicted and costs a query again. */
const MAX_REFUSALS = 10_000;

export class AttemptThrottle {
  readonly #attempts: LoginFailureStore;
  readonly #storeClock: () => Promise<number>;
  readonly #clock: () => number;
  /** When each subject may try again. Attempts are never removed within their window, so no refusal ends earlier. */
  readonly #refusedUntil = new Map<string, number>();

  constructor({ attempts, storeClock, clock }: AttemptThrottleOptions) {
    this.#attempts = attempts;
    this.#storeClock = storeClock;
    this.#clock = clock;
  }

  /** Throws `throttled` when a cached refusal applies. Does not query the store. */
  requireNotRefused(limits: readonly AttemptLimit[]): void {
    for (const limit of limits) {
      const until = this.#refusedUntil.get(limit.subject);
      if (until === undefined) continue;
      const remainingMs = until - this.#clock();
      // Longer than the window: the clock was set back, and the cached time is no longer valid.
      if (remainingMs > 0 && remainingMs <= limit.windowMs) throw refusalOf(limit, remainingMs);
      this.#refusedUntil.delete(limit.subject);
    }
  }

  /** Throws `throttled` when one of the limits is reached. */
  async requireAllowed(limits: readonly AttemptLimit[]): Promise<void> {
    this.requireNotRefused(limits);
    if (limits.length === 0) return;
    const now = await this.#storeClock();
    for (const limit of limits) {
      const { subject, maxAttempts, windowMs } = limit;
      const recent = await this.#attempts.listRecent({ subject, since: now - windowMs, limit: maxAttempts });
      const oldest = recent[maxAttempts - 1];
      if (oldest === undefined) continue;
      const remainingMs = oldest + windowMs - now;
      this.#remember(limit, remainingMs);
      throw refusalOf(limit, remainingMs);
    }
  }

  /**
   * Counts an attempt towards each of the limits. If the write fails, this instance refuses further attempts for the average
   * time between two allowed ones: a read-only store must not allow unlimited guessing.
   */
  async record(limits: readonly AttemptLimit[]): Promise<void> {
    if (limits.length === 0) return;
    try {
      const now = await this.#storeClock();
      await this.#attempts.record({
        subjects: limits.map(({ subject }) => subject),
        failedAt: now,
        forgetBefore: now - MAX_WINDOW_MS,
      });
    } catch (error) {
      for (const limit of limits) this.#remember(limit, limit.windowMs / limit.maxAttempts);
      throw error;
    }
  }

  #remember({ subject }: AttemptLimit, remainingMs: number): void {
    const [oldest] = this.#refusedUntil.keys();
    if (this.#refusedUntil.size >= MAX_REFUSALS && oldest !== undefined) this.#refusedUntil.delete(oldest);
    this.#refusedUntil.set(subject, this.#clock() + remainingMs);
  }
}

function refusalOf({ refusal }: AttemptLimit, remainingMs: number): Error {
  return throttled(refusal, Math.max(1, Math.ceil(remainingMs / 1000)));
}
