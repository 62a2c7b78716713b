/** Runs whose leases are to be looked at: a store reads the first ones in the order of `due_at`, one more than a batch ends. */

import { expireLease, type RunState } from '../domain/run.js';
import { type BatchFacts, type BatchNeeds, type DueRuns, MAX_DUE_HOLDS, MAX_DUE_RUNS } from './store.js';

/** Whether more runs are due than a batch ends: the expired ones have to be counted. */
export function hasMoreDue(first: readonly RunState[], now: number): boolean {
  return isDue(first[takeDue(first, now).length], now);
}

/** `expired` is the number of all expired runs, if more are due. */
export function toDueRuns(first: readonly RunState[], now: number, expired: number | null): DueRuns {
  const runs = takeDue(first, now);
  const found = runs.filter((run) => expireLease(run, now) !== run).length;
  return {
    runs,
    isComplete: expired === null,
    otherExpired: expired === null ? 0 : expired - found,
    nextDueAt: first[runs.length]?.dueAt ?? null,
  };
}

/** As many as a batch ends; at least one. */
function takeDue(first: readonly RunState[], now: number): readonly RunState[] {
  let holds = 0;
  const end = first.findIndex((run, index) => {
    holds += run.openHolds;
    return index >= MAX_DUE_RUNS || !isDue(run, now) || (index > 0 && holds > MAX_DUE_HOLDS);
  });
  return end === -1 ? first : first.slice(0, end);
}

function isDue(run: RunState | undefined, now: number): boolean {
  return run !== undefined && run.dueAt !== null && run.dueAt <= now;
}

/** The runs of a batch whose open holds may be settled. */
export function runsToSettle(
  { runs, endingRunIds, dueRuns }: Pick<BatchFacts, 'runs' | 'dueRuns'> & Pick<BatchNeeds, 'endingRunIds'>,
  now: number,
): readonly RunState[] {
  const found: RunState[] = [];
  for (const run of runs.values())
    if (run.openHolds > 0 && (endingRunIds.has(run.id) || expireLease(run, now) !== run)) found.push(run);
  for (const run of dueRuns?.runs ?? [])
    if (run.openHolds > 0 && !runs.has(run.id) && expireLease(run, now) !== run) found.push(run);
  return found;
}
