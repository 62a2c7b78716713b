/**
 * Answers remembered for retries are forgotten after a day: a few at a time, so that nothing waits for it, and until none is
 * left, so that deletion keeps up with writing at any rate.
 */

import { REMEMBERED_FOR_MS } from '../domain/idempotency.js';
import type { Store } from '../store/store.js';

const INTERVAL_MS = 5_000;
const MAX_PER_PASS = 500;

interface Log {
  warn(details: object, message: string): void;
}

export function forgetOldAnswers(store: Store, log: Log): { stop(): void } {
  let isStopped = false;
  let isForgetting = false;
  const timer = setInterval(() => {
    if (isForgetting) return;
    isForgetting = true;
    forgetAll(store, () => isStopped)
      .catch((error: unknown) => log.warn({ err: error }, 'could not forget old answers'))
      .finally(() => {
        isForgetting = false;
      });
  }, INTERVAL_MS);
  timer.unref();
  return {
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** How many there were. */
export async function forgetAll(store: Store, isStopped: () => boolean = () => false): Promise<number> {
  const before = (await store.now()) - REMEMBERED_FOR_MS;
  let total = 0;
  for (;;) {
    const forgotten = await store.maintenance.forgetAnswers({ before, limit: MAX_PER_PASS });
    total += forgotten;
    if (forgotten < MAX_PER_PASS || isStopped()) return total;
  }
}
