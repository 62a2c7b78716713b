/** The members of a workspace, and invitations to it. */

import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../domain/access.js';
import type { Account } from '../domain/account.js';
import { badRequest, notFound } from '../domain/app-error.js';
import type { Origin } from '../domain/audit.js';
import { INVITATION_TTL_MS, type Invitation, MAX_MEMBERS } from '../domain/member.js';
import type { Store } from '../store/store.js';

export interface MembersOptions {
  readonly store: Store;
  readonly newId: () => string;
  /** Where people open the dashboard, without a slash at the end. */
  readonly publicUrl: string;
}

export interface NewInvitation {
  readonly invitation: Invitation;
  readonly token: string;
  readonly url: string;
}

export class Members {
  readonly #store: Store;
  readonly #newId: () => string;
  readonly #publicUrl: string;

  constructor({ store, newId, publicUrl }: MembersOptions) {
    this.#store = store;
    this.#newId = newId;
    this.#publicUrl = publicUrl;
  }

  list(workspaceId: string): Promise<Account[]> {
    return this.#store.members.list(workspaceId);
  }

  async changeRole(
    change: { workspaceId: string; accountId: string; role: Role },
    origin: Origin,
  ): Promise<Account> {
    const member = await this.#store.members.changeRole(change, origin);
    if (member === null) throw memberNotFound();
    return member;
  }

  /** The next request of the member fails, on every instance. */
  async remove(member: { workspaceId: string; accountId: string }, origin: Origin): Promise<void> {
    if (!(await this.#store.members.remove(member, origin))) throw memberNotFound();
  }

  async listInvitations(workspaceId: string): Promise<Invitation[]> {
    return this.#store.members.listInvitations(workspaceId, await this.#store.now());
  }

  async invite(
    { workspaceId, email, role }: { workspaceId: string; email: string; role: Role },
    origin: Origin,
  ): Promise<NewInvitation> {
    const now = await this.#store.now();
    const token = randomBytes(32).toString('base64url');
    const invitation: Invitation = {
      id: this.#newId(),
      workspaceId,
      email,
      role,
      invitedBy: origin.actor.id,
      tokenHash: hashOfInvitationToken(token),
      createdAt: now,
      expiresAt: now + INVITATION_TTL_MS,
    };
    const result = await this.#store.members.invite({ invitation, maxMembers: MAX_MEMBERS }, origin);
    if (result === 'member') throw badRequest(`${email} is a member already`);
    if (result === 'full') {
      throw badRequest(
        `A workspace can have at most ${MAX_MEMBERS.toLocaleString('en')} members and open invitations`,
      );
    }
    return { invitation, token, url: this.#joinUrl(email, token) };
  }

  async revokeInvitation(key: { workspaceId: string; invitationId: string }, origin: Origin): Promise<void> {
    if (!(await this.#store.members.revokeInvitation(key, origin))) throw notFound('Invitation not found');
  }

  /** Browsers do not send what follows #, so the token is in no log of a proxy. */
  #joinUrl(email: string, token: string): string {
    return `${this.#publicUrl}/join#${new URLSearchParams({ email, token })}`;
  }
}

export function hashOfInvitationToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function memberNotFound() {
  return notFound('Member not found');
}
