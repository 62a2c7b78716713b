import type { Decision, DenyReason } from './api-types.js';
import { GuardedRunsError } from './errors.js';

/** Denials that concern one step: it does not fit, but calls that were allowed before go on. */
const OF_ONE_STEP = new Set<DenyReason>([
  'WORKSPACE_DAILY_BUDGET_EXCEEDED',
  'USER_DAILY_BUDGET_EXCEEDED',
  'RUN_COST_LIMIT_EXCEEDED',
  'RUN_STEP_LIMIT_EXCEEDED',
  'LOOP_DETECTED',
  'HOLD_REQUIRED',
  'MODEL_NOT_PRICED',
]);

/** Whether calls in flight should end, too: an operator has stopped the run, its user or everything. */
export function stopsRun(reason: DenyReason): boolean {
  return !OF_ONE_STEP.has(reason);
}

/** Returns the reason of a denial, or null for ALLOW. Throws for an invalid decision, which must not allow anything. */
export function denialOf({ outcome, reason }: Decision): DenyReason | null {
  if (outcome === 'ALLOW') return null;
  if (reason === null) throw new GuardedRunsError(`The service returned ${outcome} without a reason`);
  return reason;
}
