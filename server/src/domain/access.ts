/** Who may do what. Each route declares what it does; keys have a scope, and members have a role. */

import { type AppError, forbidden } from './app-error.js';

/** `admin`: everything that a key may do. `agent`: what an agent needs for its runs. `read`: only reads. */
export const KEY_SCOPES = ['admin', 'agent', 'read'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** `owner`: everything. `admin`: everything but members and billing. `viewer`: only reads. */
export const ROLES = ['owner', 'admin', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * - `run`: writes on runs and steps.
 * - `read-run`: reads what an agent needs, which is runs and prices.
 * - `read`: other reads.
 * - `audit`: reads who changed what.
 * - `change`: changes of settings, users, prices and keys.
 * - `own`: changes of members and of the plan.
 * - `account`: the signed-in account itself.
 */
export type Access = 'run' | 'read-run' | 'read' | 'audit' | 'change' | 'own' | 'account';

const RIGHTS: Readonly<
  Record<Access, { readonly scopes: readonly KeyScope[]; readonly roles: readonly Role[] }>
> = {
  run: { scopes: ['admin', 'agent'], roles: ['owner', 'admin'] },
  'read-run': { scopes: KEY_SCOPES, roles: ROLES },
  read: { scopes: ['admin', 'read'], roles: ROLES },
  audit: { scopes: ['admin', 'read'], roles: ['owner', 'admin'] },
  change: { scopes: ['admin'], roles: ['owner', 'admin'] },
  own: { scopes: [], roles: ['owner'] },
  account: { scopes: [], roles: ROLES },
};

/** Whom a request is from, as far as access depends on it. */
export type Requester =
  | { readonly kind: 'machine'; readonly scope: KeyScope }
  | { readonly kind: 'person'; readonly role: Role };

/** Whether some key, or some member, may not do this. */
export function isRestricted(access: Access, kind: Requester['kind']): boolean {
  const { scopes, roles } = RIGHTS[access];
  return kind === 'machine' ? scopes.length < KEY_SCOPES.length : roles.length < ROLES.length;
}

/** Returns why the requester may not do this, or null. */
export function refusalOf(requester: Requester, access: Access): AppError | null {
  const { scopes, roles } = RIGHTS[access];
  if (requester.kind === 'machine') {
    if (scopes.includes(requester.scope)) return null;
    return forbidden(
      `This API key has the scope ${requester.scope}; this endpoint needs ${scopes.join(' or ')}`,
    );
  }
  if (roles.includes(requester.role)) return null;
  return forbidden(`You have the role ${requester.role}; this endpoint needs ${roles.join(' or ')}`);
}
