/**
 * A run has a lease that every write on it renews. When the lease ends, the run ends: the slot of an agent that died is free
 * again.
 */

import type { RunState } from './run.js';

export const MIN_LEASE_SECONDS = 10;
export const MAX_LEASE_SECONDS = 7 * 24 * 60 * 60;
/** Long enough for every client that does not know leases, short enough that a workspace recovers by itself. */
export const DEFAULT_LEASE_SECONDS = 24 * 60 * 60;

export function leaseEnd(leaseSeconds: number | null, now: number): number | null {
  return leaseSeconds === null ? null : now + leaseSeconds * 1000;
}

/** The run after a write. A run that has ended keeps no lease; the same object when nothing changes. */
export function renewLease(run: RunState, now: number): RunState {
  const { status, leaseSeconds, leaseExpiresAt } = run;
  if (status !== 'RUNNING' || leaseSeconds === null || leaseExpiresAt === null) return run;
  const renewedTo = now + leaseSeconds * 1000;
  // A clock that was set back does not shorten a lease.
  return renewedTo <= leaseExpiresAt ? run : { ...run, leaseExpiresAt: renewedTo };
}

/** The run as of `now`: ended at the moment its lease ended, or the same object. */
export function expireLease(run: RunState, now: number): RunState {
  const { status, leaseExpiresAt } = run;
  if (status !== 'RUNNING' || leaseExpiresAt === null || leaseExpiresAt > now) return run;
  return { ...run, status: 'FAILED', endReason: 'LEASE_EXPIRED', endedAt: leaseExpiresAt, dueAt: null };
}
