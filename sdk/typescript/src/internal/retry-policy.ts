/** When to try again, and after how long. Pure, but for the randomness it is given. */

import { ConnectionFailed, RequestTimedOut, ServiceUnavailable, TooManyRequests } from '../errors.js';

/**
 * `safe`: the service does the same thing once, however often it is asked: reads, updates and ends.
 * `unless-sent`: asking twice may do it twice, so a request whose answer was lost is not repeated. Starts and
 * creations are of this kind until every service in use honours `Idempotency-Key`.
 */
export type Replay = 'safe' | 'unless-sent';

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
  if (error instanceof ConnectionFailed) return replay === 'safe' || !error.maybeSent;
  return error instanceof RequestTimedOut && replay === 'safe';
}

function askedDelayMs(error: unknown): number {
  const asked = error instanceof TooManyRequests || error instanceof ServiceUnavailable;
  return asked ? (error.retryAfterMs ?? 0) : 0;
}
