/**
 * Applies `onUnavailable` if the guard is unavailable, and notifies the user once per outage. Agents that continue without
 * the guard do not wait for it at every step: after a failure it is asked again only after a pause, by one request at a time.
 */

import { ApiError, GuardUnavailableError, isUnavailableError } from '../errors.js';
import type { Log } from './log.js';

export type OnUnavailable = 'deny' | 'allow';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

export interface AvailabilityOptions {
  readonly onUnavailable: OnUnavailable;
  readonly onUnguarded: (error: GuardUnavailableError) => void;
  readonly log: Log;
}

export class Availability {
  readonly #onUnavailable: OnUnavailable;
  readonly #onUnguarded: (error: GuardUnavailableError) => void;
  readonly #log: Log;
  #isOut = false;
  #pauseMs = FIRST_PAUSE_MS;
  #askAgainAtMs = 0;

  constructor({ onUnavailable, onUnguarded, log }: AvailabilityOptions) {
    this.#log = log;
    this.#onUnavailable = onUnavailable;
    this.#onUnguarded = onUnguarded;
  }

  /** Returns the reply of the guard, or null if the agent continues unguarded. */
  async orNull<Reply>(request: () => Promise<Reply>): Promise<Reply | null> {
    if (this.#onUnavailable === 'allow' && !this.#mayAsk()) return null;
    try {
      const reply = await request();
      this.#recovered();
      return reply;
    } catch (error) {
      if (error instanceof ApiError && !isUnavailableError(error)) this.#recovered();
      if (!isUnavailableError(error)) throw error;
      const unavailable = new GuardUnavailableError(error);
      if (this.#onUnavailable !== 'allow') throw unavailable;
      this.#failed(unavailable);
      return null;
    }
  }

  /** During an outage, the first request after a pause asks; the others go on without an answer. */
  #mayAsk(): boolean {
    if (!this.#isOut) return true;
    const nowMs = performance.now();
    if (nowMs < this.#askAgainAtMs) return false;
    this.#askAgainAtMs = nowMs + this.#pauseMs;
    return true;
  }

  #recovered(): void {
    if (this.#isOut) this.#log.info('the guard is available again');
    this.#isOut = false;
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  #failed(unavailable: GuardUnavailableError): void {
    this.#askAgainAtMs = performance.now() + this.#pauseMs;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    if (this.#isOut) return;
    this.#isOut = true;
    this.#onUnguarded(unavailable);
  }
}
