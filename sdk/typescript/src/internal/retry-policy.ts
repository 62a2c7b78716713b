/** Decides whether and when to retry. Pure, except for the injected random function. */

import {
  ConnectionFailedError,
  InvalidResponseError,
  RequestTimedOutError,
  ServerError,
  ServiceUnavailableError,
  TooManyRequestsError,
} from '../errors.js';

/**
 * Whether a request may be retried although the service may have processed it.
 *
 * `safe`: idempotent requests: reads, settings, updates, ends.
 * `unless-timed-out`: starts and creations. The `Idempotency-Key` makes retries safe, but an agent is waiting, so a
 * request that timed out is not retried.
 * `unless-sent`: a second request would have a second effect.
 */
export type Replay = 'safe' | 'unless-timed-out' | 'unless-sent';

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 2_000;
/** For a waiting agent, a service that asks for a longer delay is unavailable. */
const LONGEST_RETRY_AFTER_MS = 10_000;

/** Returns the delay before the next attempt, or null to give up. */
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
  const requestedMs = requestedDelayMs(given.error);
  if (requestedMs > LONGEST_RETRY_AFTER_MS) return null;
  return Math.max(requestedMs, jitteredMs);
}

function mayRetry(error: unknown, replay: Replay): boolean {
  // With either status, the service has not processed the request.
  if (error instanceof TooManyRequestsError || error instanceof ServiceUnavailableError) return true;
  if (error instanceof ConnectionFailedError) return replay !== 'unless-sent' || !error.maybeSent;
  // Mostly of a proxy, which does not tell whether the service has processed the request.
  if (error instanceof ServerError || error instanceof InvalidResponseError) return replay !== 'unless-sent';
  return error instanceof RequestTimedOutError && replay === 'safe';
}

function requestedDelayMs(error: unknown): number {
  const hasDelay = error instanceof TooManyRequestsError || error instanceof ServiceUnavailableError;
  return hasDelay ? (error.retryAfterMs ?? 0) : 0;
}
