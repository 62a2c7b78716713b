/**
 * Deletes what is kept for a limited time: in small batches, so that no request waits for it, and until none is left, so that
 * deletion keeps up with any rate of writes.
 */

import { IDEMPOTENCY_WINDOW_MS } from '../domain/idempotency.js';
import { type BackgroundWork, repeatInBackground } from '../runtime/background-work.js';
import type { Store } from '../store/store.js';

const INTERVAL_MS = 5_000;
const MAX_PER_PASS = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Log {
  warn(details: object, message: string): void;
}

/** What is deleted, and at which age. */
interface Expiring {
  readonly name: string;
  readonly keptMs: number;
  delete(query: { before: number; limit: number }): Promise<number>;
}

export function startCleanup(
  store: Store,
  { auditRetentionDays, log }: { auditRetentionDays: number; log: Log },
): BackgroundWork[] {
  return [idempotencyRecords(store), auditEntries(store, auditRetentionDays)].map((expiring) =>
    repeatInBackground({
      intervalMs: INTERVAL_MS,
      work: (isStopped) => deleteExpired(store, expiring, isStopped),
      onError: (error) => log.warn({ err: error }, `could not delete expired ${expiring.name}`),
    }),
  );
}

export function idempotencyRecords({ maintenance }: Store): Expiring {
  return {
    name: 'idempotency records',
    keptMs: IDEMPOTENCY_WINDOW_MS,
    delete: (query) => maintenance.deleteIdempotencyRecords(query),
  };
}

export function auditEntries({ audit }: Store, retentionDays: number): Expiring {
  return {
    name: 'entries of the audit log',
    keptMs: retentionDays * DAY_MS,
    delete: (query) => audit.deleteBefore(query),
  };
}

/** Returns the number of deleted rows. */
export async function deleteExpired(
  store: Store,
  expiring: Expiring,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const before = (await store.now()) - expiring.keptMs;
  let total = 0;
  for (;;) {
    const deleted = await expiring.delete({ before, limit: MAX_PER_PASS });
    total += deleted;
    if (deleted === 0 || isStopped()) return total;
  }
}
