import type { Backoff } from './backoff.js';
import { pause } from './pause.js';
import type { FlushOptions } from './unsent-reports.js';

/**
 * Repeats the attempt until it does not return the error of an unavailable service any more, and returns null; or until the
 * time is over or, if it is limited, the patience. Then it returns the error, and whether there is no later attempt.
 */
export async function repeatAttempts(
  { untilMs, isFinal }: FlushOptions,
  given: { attempt: () => Promise<unknown>; backoff: Backoff; isLimited: () => boolean },
): Promise<{ readonly error: unknown; readonly isLast: boolean } | null> {
  const { attempt, backoff, isLimited } = given;
  for (;;) {
    const error = await attempt();
    if (error === null) return null;
    const nowMs = performance.now();
    const { delayMs } = backoff;
    if (isLimited() && backoff.isExhausted(nowMs)) return { error, isLast: true };
    if (nowMs + delayMs > untilMs) return { error, isLast: isFinal };
    await pause(delayMs);
  }
}
