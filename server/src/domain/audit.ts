/** The audit log: who changed what in the control plane. An entry is written in the transaction of its change. */

export const ACTOR_TYPES = ['account', 'api_key', 'operator', 'system'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

export const AUDIT_ACTIONS = [
  'account.registered',
  'account.signed_in',
  'account.password_changed',
  'account.password_reset',
  'account.sessions_ended',
  'api_key.created',
  'api_key.revoked',
  'api_keys.regenerated',
  'invitation.revoked',
  'kill_switch.turned_on',
  'kill_switch.turned_off',
  'member.invited',
  'member.joined',
  'member.removed',
  'member.role_changed',
  'plan.changed',
  'price.set',
  'run.stopped',
  'user.blocked',
  'user.unblocked',
  'workspace.updated',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface Actor {
  readonly type: ActorType;
  /** null for the operator and the service itself. */
  readonly id: string | null;
  /** As it was at the time: an e-mail, or the label of a key. */
  readonly label: string;
}

/** Where a change came from. */
export interface Origin {
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly ipAddress: string | null;
}

/** Changes from the command line. */
export const OPERATOR: Origin = {
  actor: { type: 'operator', id: null, label: 'command line' },
  requestId: null,
  ipAddress: null,
};

/** Values as the API shows them, by field; never a secret. */
export type ShownFields = Readonly<Record<string, unknown>>;

/** What changed. */
export interface AuditedChange {
  readonly action: AuditAction;
  /** The id or name of what was changed; null for the workspace itself. */
  readonly target: string | null;
  readonly before: ShownFields | null;
  readonly after: ShownFields | null;
}

export interface AuditEntry extends AuditedChange, Origin {
  readonly id: string;
  readonly createdAt: number;
}

/** Only the fields that differ; null when none does. */
export function changedFields(
  before: ShownFields,
  after: ShownFields,
): { before: ShownFields; after: ShownFields } | null {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return null;
  const pick = (fields: ShownFields) => Object.fromEntries(names.map((name) => [name, fields[name]]));
  return { before: pick(before), after: pick(after) };
}
