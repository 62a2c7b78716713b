/** When to try again, and after how long. Pure, but for the randomness it is given. */

import { ConnectionFailed, RequestTimedOut, ServiceUnavailable, TooManyRequests } from '../errors.js';

/**
 * What may be repeated although it may have been done.
 *
 * `safe`: everything that the service does once, however often it is asked: reads, settings, updates, ends.
 * `waited-for`: starts and creations. The `Idempotency-Key` makes them safe, too, but an agent waits for the answer: one
 * that did not come in time is not waited for again.
 * `unless-sent`: asking twice would do it twice.
 */
export type Replay = 'safe' | 'waited-for' | 'unless-sent';

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 2_000;
/** A service that asks for a longer pause is down, as far as an agent in mid-run is concerned. */
const LONGEST_RETRY_AFTER_MS = 10_000;

/** Null: give up. */
export function retryDelayMs(given: {
  error: unknown;
  replay: Replay;
  attempt: number;
  maxRetries: number;
  random: () => number;
}): number | null {
  if (given.attempt >= given.maxRetries || !mayRetry(given.error, given.replay)) return null;
  const backoffMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** given.attempt);
  const jitteredMs = backoffMs * (0.5 + given.random() / 2);
  const askedMs = askedDelayMs(given.error);
  if (askedMs > LONGEST_RETRY_AFTER_MS) return null;
  return Math.max(askedMs, jitteredMs);
}

function mayRetry(error: unknown, replay: Replay): boolean {
  // Both mean that nothing was done.
  if (error instanceof TooManyRequests || error instanceof ServiceUnavailable) return true;
  if (error instanceof ConnectionFailed) return replay !== 'unless-sent' || !error.maybeSent;
  return error instanceof RequestTimedOut && replay === 'safe';
}

function askedDelayMs(error: unknown): number {
  const asked = error instanceof TooManyRequests || error instanceof ServiceUnavailable;
  return asked ? (error.retryAfterMs ?? 0) : 0;
}
