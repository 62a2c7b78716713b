/**
 * Refuses what was attempted too often lately, by whatever subject it is counted. The counts are kept in the store, so that
 * instances share them; a refusal is remembered here until it ends, so that repeating a refused attempt costs no query.
 */

import { throttled } from '../domain/app-error.js';
import type { LoginFailureStore } from '../store/store.js';

export interface AttemptLimit {
  readonly subject: string;
  readonly maxAttempts: number;
  readonly windowMs: number;
  /** What the caller is told. */
  readonly refusal: string;
}

export interface AttemptThrottleOptions {
  readonly attempts: LoginFailureStore;
  /** The store's clock: instances must agree about when a window ends. */
  readonly storeClock: () => Promise<number>;
  /** This process's clock, for how long a refusal lasts. */
  readonly clock: () => number;
}

/** No limit may have a longer window than this: older attempts are forgotten. */
export const MAX_WINDOW_MS = 60 * 60_000;
/** Refusals that are remembered; beyond that the oldest has to be asked for again. */
const MAX_REFUSALS = 10_000;

export class AttemptThrottle {
  readonly #attempts: LoginFailureStore;
  readonly #storeClock: () => Promise<number>;
  readonly #clock: () => number;
  /** Subjects and when they may try again. Attempts are never taken back, so no refusal ends earlier. */
  readonly #refusedUntil = new Map<string, number>();

  constructor({ attempts, storeClock, clock }: AttemptThrottleOptions) {
    this.#attempts = attempts;
    this.#storeClock = storeClock;
    this.#clock = clock;
  }

  /** Throws `throttled` when one of the limits is known to be reached. Asks nothing of the store. */
  requireNotRefused(limits: readonly AttemptLimit[]): void {
    for (const limit of limits) {
      const until = this.#refusedUntil.get(limit.subject);
      if (until === undefined) continue;
      const remainingMs = until - this.#clock();
      // Longer than the window: the clock was set back, and the time means nothing any more.
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
   * Counts an attempt against each of the limits. Where the store cannot be written, this instance refuses the next attempts for
   * as long as one of them takes on average: a store that only reads must not allow guessing without limit.
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
    const [eldest] = this.#refusedUntil.keys();
    if (this.#refusedUntil.size >= MAX_REFUSALS && eldest !== undefined) this.#refusedUntil.delete(eldest);
    this.#refusedUntil.set(subject, this.#clock() + remainingMs);
  }
}

function refusalOf({ refusal }: AttemptLimit, remainingMs: number): Error {
  return throttled(refusal, Math.max(1, Math.ceil(remainingMs / 1000)));
}
