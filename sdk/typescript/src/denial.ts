import type { Decision, DenyReason } from './api-types.js';
import { GuardedRunsError } from './errors.js';

/** Returns the reason of a denial, or null for ALLOW. Throws for an invalid decision, which must not allow anything. */
export function denialOf({ outcome, reason }: Decision): DenyReason | null {
  if (outcome === 'ALLOW') return null;
  if (reason === null) throw new GuardedRunsError(`The service returned ${outcome} without a reason`);
  return reason;
}
