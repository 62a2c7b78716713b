/** Answers remembered for retries are forgotten after a day, a few at a time, so that nobody waits for it. */

import { REMEMBERED_FOR_MS } from '../domain/idempotency.js';
import type { Store } from '../store/store.js';

const INTERVAL_MS = 60_000;
const MAX_PER_PASS = 5_000;

interface Log {
  warn(details: object, message: string): void;
}

export function forgetOldAnswers(store: Store, log: Log): { stop(): void } {
  const timer = setInterval(() => {
    forgetOnce(store).catch((error: unknown) => log.warn({ err: error }, 'could not forget old answers'));
  }, INTERVAL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

export async function forgetOnce(store: Store): Promise<number> {
  const before = (await store.now()) - REMEMBERED_FOR_MS;
  return store.maintenance.forgetAnswers({ before, limit: MAX_PER_PASS });
}
