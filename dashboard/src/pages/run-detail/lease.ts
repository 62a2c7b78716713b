/** The lease of a running run. Pure. */

import type { Schemas } from '../../api/api-client.ts';
import { formatCountdown } from '../../format/time.ts';

type LeasedRun = Pick<Schemas['Run'], 'started_at' | 'duration_ms' | 'lease_expires_at'>;

interface Clock {
  /** When the run was received. */
  readonly receivedAt: number;
  readonly now: number;
}

/**
 * The time until the lease of a running run ends, at least 0; null without a lease. The clock of the browser may differ from the
 * one of the service, so only its differences count: the service's time is that of the response, at which the run had lasted
 * `duration_ms`.
 */
export function leaseLeftMs(run: LeasedRun, { receivedAt, now }: Clock): number | null {
  if (run.lease_expires_at === null) return null;
  const serviceTime = Date.parse(run.started_at) + run.duration_ms + Math.max(0, now - receivedAt);
  return Math.max(0, Date.parse(run.lease_expires_at) - serviceTime);
}

export function describeLease(leftMs: number | null): string {
  if (leftMs === null) return 'No lease: the run ends only when its agent or an operator ends it.';
  // The page learns with its next refresh whether the agent has sent something.
  if (leftMs === 0) return 'The lease has ended unless the agent has sent something.';
  return `Lease ends in ${formatCountdown(leftMs)} unless the agent sends something.`;
}
