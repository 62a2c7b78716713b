/** The members of a workspace: accounts with a role, and invitations to become one. */

import type { Role } from './access.js';
import { badRequest } from './app-error.js';

export const INVITATION_TTL_MS = 7 * 24 * 60 * 60 * 1000;
/** Of a workspace, with open invitations. */
export const MAX_MEMBERS = 1_000;

export interface Invitation {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly role: Role;
  /** The id of an account. Without it, and without its right to invite, the invitation is revoked. */
  readonly invitedBy: string | null;
  /** The token itself is never stored. */
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** `role` is the new role of a member; null when the member is removed. */
export function requireOwnerLeft(
  given: { readonly role: Role; readonly owners: number },
  role: Role | null,
): void {
  if (given.role === 'owner' && role !== 'owner' && given.owners === 1) {
    throw badRequest('A workspace needs an owner: make another member an owner first');
  }
}
