import type { Decision, DenyReason } from './api-types.js';
import { GuardedRunsError } from './errors.js';

/** Null when allowed. Only an ALLOW allows: an answer that cannot be understood stops the agent, too. */
export function denialOf({ outcome, reason }: Decision): DenyReason | null {
  if (outcome === 'ALLOW') return null;
  if (reason === null) throw new GuardedRunsError(`The service answered ${outcome} without a reason`);
  return reason;
}
