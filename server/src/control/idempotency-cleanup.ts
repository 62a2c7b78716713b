/**
 * Deletes idempotency records that have expired: in small batches, so that no request waits for it, and until none is left,
 * so that deletion keeps up with any rate of writes.
 */

import { IDEMPOTENCY_WINDOW_MS } from '../domain/idempotency.js';
import { type BackgroundWork, repeatInBackground } from '../runtime/background-work.js';
import type { Store } from '../store/store.js';

const INTERVAL_MS = 5_000;
const MAX_PER_PASS = 500;

interface Log {
  warn(details: object, message: string): void;
}

export function startIdempotencyCleanup(store: Store, log: Log): BackgroundWork {
  return repeatInBackground({
    intervalMs: INTERVAL_MS,
    work: (isStopped) => deleteExpiredRecords(store, isStopped),
    onError: (error) => log.warn({ err: error }, 'could not delete expired idempotency records'),
  });
}

/** Returns the number of deleted records. */
export async function deleteExpiredRecords(
  store: Store,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const before = (await store.now()) - IDEMPOTENCY_WINDOW_MS;
  let total = 0;
  for (;;) {
    const deleted = await store.maintenance.deleteIdempotencyRecords({ before, limit: MAX_PER_PASS });
    total += deleted;
    if (deleted === 0 || isStopped()) return total;
  }
}
