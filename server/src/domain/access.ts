/** Who may do what. Each route declares what it does; keys have a scope, and accounts have a role. */

import { type AppError, forbidden } from './app-error.js';

/** `admin`: everything that a key may do. `agent`: what an agent needs for its runs. `read`: only reads. */
export const KEY_SCOPES = ['admin', 'agent', 'read'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/**
 * - `run`: writes on runs and steps.
 * - `read-run`: reads what an agent needs, which is runs and prices.
 * - `read`: other reads.
 * - `change`: changes of settings, users, prices and keys.
 * - `account`: the signed-in account itself, and what only accounts may do.
 */
export type Access = 'run' | 'read-run' | 'read' | 'change' | 'account';

const SCOPES: Readonly<Record<Access, readonly KeyScope[]>> = {
  run: ['admin', 'agent'],
  'read-run': ['admin', 'agent', 'read'],
  read: ['admin', 'read'],
  change: ['admin'],
  account: [],
};

/** Whether some key may not do this. */
export function isRestricted(access: Access): boolean {
  return SCOPES[access].length < KEY_SCOPES.length;
}

/** Returns why a key may not do this, or null. */
export function refusalOf(scope: KeyScope, access: Access): AppError | null {
  const allowed = SCOPES[access];
  if (allowed.includes(scope)) return null;
  return forbidden(`This API key has the scope ${scope}; this endpoint needs ${allowed.join(' or ')}`);
}
