/** What a change of something looks like in the audit log: only the fields that changed; null when none did. */

import type { Account } from './account.js';
import type { ApiKey } from './api-key.js';
import { type AuditAction, type AuditedChange, changedFields, type ShownFields } from './audit.js';
import type { Invitation } from './member.js';
import type { ModelPrice } from './price.js';
import type { RunState } from './run.js';
import { shownApiKey, shownInvitation, shownMember, shownPrice, shownWorkspace } from './shown.js';
import type { User } from './user.js';
import type { Workspace } from './workspace.js';

export function workspaceChange(before: Workspace, after: Workspace): AuditedChange | null {
  const shown = (workspace: Workspace) => ({ ...shownWorkspace(workspace), plan: workspace.plan });
  const changed = changedFields(shown(before), shown(after));
  return changed && { action: workspaceAction(changed.after), target: null, ...changed };
}

/** A change of the plan may reset settings, which are then in the same entry. */
function workspaceAction(changed: ShownFields): AuditAction {
  if ('plan' in changed) return 'plan.changed';
  if (!('kill_switch' in changed)) return 'workspace.updated';
  return changed['kill_switch'] === true ? 'kill_switch.turned_on' : 'kill_switch.turned_off';
}

export function blockChange(before: User, after: User): AuditedChange | null {
  const shown = ({ blocked, blockNote }: User) => ({ blocked, block_note: blockNote });
  const changed = changedFields(shown(before), shown(after));
  const action = after.blocked ? 'user.blocked' : 'user.unblocked';
  return changed && { action, target: after.userId, ...changed };
}

export function priceChange(before: ModelPrice | null, after: ModelPrice): AuditedChange | null {
  const target = after.model;
  if (before === null) return { action: 'price.set', target, before: null, after: shownPrice(after) };
  const changed = changedFields(shownPrice(before), shownPrice(after));
  return changed && { action: 'price.set', target, ...changed };
}

export function keyCreation(apiKey: ApiKey): AuditedChange {
  return { action: 'api_key.created', target: apiKey.id, before: null, after: shownApiKey(apiKey) };
}

/** Revoking a key again changes nothing. */
export function keyRevocation(apiKey: ApiKey): AuditedChange | null {
  if (!apiKey.isActive) return null;
  return { action: 'api_key.revoked', target: apiKey.id, before: shownApiKey(apiKey), after: null };
}

/** All other keys were revoked. */
export function keyReplacement(apiKey: ApiKey): AuditedChange {
  return { ...keyCreation(apiKey), action: 'api_keys.regenerated' };
}

/** `replaced` is an open invitation of the same e-mail. */
export function memberInvitation(replaced: Invitation | null, invitation: Invitation): AuditedChange {
  const before = replaced && shownInvitation(replaced);
  const after = shownInvitation(invitation);
  return { action: 'member.invited', target: invitation.email, before, after };
}

export function invitationRevocation(invitation: Invitation): AuditedChange {
  const before = shownInvitation(invitation);
  return { action: 'invitation.revoked', target: invitation.email, before, after: null };
}

export function memberJoin(member: Account): AuditedChange {
  return { action: 'member.joined', target: member.email, before: null, after: shownMember(member) };
}

export function memberRemoval(member: Account): AuditedChange {
  return { action: 'member.removed', target: member.email, before: shownMember(member), after: null };
}

export function roleChange(before: Account, after: Account): AuditedChange | null {
  if (before.role === after.role) return null;
  const fields = { before: { role: before.role }, after: { role: after.role } };
  return { action: 'member.role_changed', target: after.email, ...fields };
}

/** Stopping a run again changes nothing. */
export function runStop(before: RunState | null, after: RunState): AuditedChange | null {
  if (before?.status === after.status) return null;
  return {
    action: 'run.stopped',
    target: after.id,
    before: { status: before?.status },
    after: { status: after.status, end_reason: after.endReason },
  };
}

export function accountEvent(action: AuditAction, { id, email, name }: Account): AuditedChange {
  const after = action === 'account.registered' ? { email, name } : null;
  return { action, target: id, before: null, after };
}
