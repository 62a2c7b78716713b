import type { Decision, DenyReason } from './api-types.js';
import { GuardedRunsError } from './errors.js';

/** An operator has stopped the run, its user or everything, or the run may not go on. Any other denial concerns one step. */
const OF_THE_RUN: ReadonlySet<DenyReason> = new Set([
  'KILL_SWITCH_ACTIVE',
  'USER_BLOCKED',
  'MONTHLY_RUN_LIMIT_EXCEEDED',
  'MAX_CONCURRENT_RUNS_EXCEEDED',
  'RUN_DURATION_LIMIT_EXCEEDED',
  'RUN_ALREADY_ENDED',
]);

/** Whether calls in flight, which were allowed before, should end, too. */
export function stopsRun(reason: DenyReason): boolean {
  return OF_THE_RUN.has(reason);
}

/** Returns the reason of a denial, or null for ALLOW. Throws for an invalid decision, which must not allow anything. */
export function denialOf({ outcome, reason }: Decision): DenyReason | null {
  if (outcome === 'ALLOW') return null;
  if (reason === null) throw new GuardedRunsError(`The service returned ${outcome} without a reason`);
  return reason;
}
