/**
 * A run has a lease that every write on it renews. When the lease ends, the run ends: the slot of an agent that died is free
 * again.
 */

export const MIN_LEASE_SECONDS = 10;
export const MAX_LEASE_SECONDS = 7 * 24 * 60 * 60;
/** Long enough for every client that does not know leases, short enough that a workspace recovers by itself. */
export const DEFAULT_LEASE_SECONDS = 24 * 60 * 60;

export function leaseEnd(leaseSeconds: number | null, now: number): number | null {
  return leaseSeconds === null ? null : now + leaseSeconds * 1000;
}
