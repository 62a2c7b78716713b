/** Runs whose leases are to be looked at: a store reads the first ones in the order of `due_at`, one more than a batch ends. */

import { expireLease, type RunState } from '../domain/run.js';
import { type DueRuns, MAX_DUE_RUNS } from './store.js';

/** Whether more runs are due than a batch ends: the expired ones have to be counted. */
export function hasMoreDue(first: readonly RunState[], now: number): boolean {
  return first.length > MAX_DUE_RUNS && isDue(first[MAX_DUE_RUNS], now);
}

/** `expired` is the number of all expired runs, if more are due. */
export function toDueRuns(first: readonly RunState[], now: number, expired: number | null): DueRuns {
  const runs = first.slice(0, MAX_DUE_RUNS).filter((run) => isDue(run, now));
  const found = runs.filter((run) => expireLease(run, now) !== run).length;
  return {
    runs,
    isComplete: expired === null,
    otherExpired: expired === null ? 0 : expired - found,
    nextDueAt: first[runs.length]?.dueAt ?? null,
  };
}

function isDue(run: RunState | undefined, now: number): boolean {
  return run !== undefined && run.dueAt !== null && run.dueAt <= now;
}
