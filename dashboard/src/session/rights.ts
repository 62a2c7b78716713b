/** What a member may do, by role, as the service decides it. Pure. */

import type { Role } from '../format/roles.ts';

/** `change`: settings, users, prices, keys and runs. `own`: members and the plan. `audit`: reads who changed what. */
export type Need = 'change' | 'own' | 'audit';

export interface Rights {
  /** null while it is not known: then nothing is allowed. */
  readonly role: Role | null;
  readonly mayChange: boolean;
  readonly mayOwn: boolean;
  readonly mayAudit: boolean;
}

const ALLOWED: Readonly<Record<Need, readonly Role[]>> = {
  change: ['owner', 'admin'],
  own: ['owner'],
  audit: ['owner', 'admin'],
};

export function rightsOf(role: Role | null): Rights {
  return {
    role,
    mayChange: isAllowed(role, 'change'),
    mayOwn: isAllowed(role, 'own'),
    mayAudit: isAllowed(role, 'audit'),
  };
}

export function isAllowed(role: Role | null, need: Need): boolean {
  return role !== null && ALLOWED[need].includes(role);
}

/** Why a member may not do something; null if they may, or if their role is not known yet. */
export function refusalOf(role: Role | null, need: Need): string | null {
  if (role === null || isAllowed(role, need)) return null;
  if (role === 'viewer') return 'You are a viewer: you can look, and change nothing.';
  return 'You are an admin: only an owner changes members and the plan.';
}
