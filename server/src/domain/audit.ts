/** The audit log: who changed what in the control plane. An entry is written in the transaction of its change. */

import type { Access } from './access.js';

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
  /** What the request was allowed by, which is checked again with the lock of the workspace; absent: nothing to check. */
  readonly authority?: Authority;
}

/** A credential, as it was when the request began: its body may have taken long to arrive. */
export type Authority =
  | { readonly type: 'account'; readonly id: string; readonly tokenVersion: number; readonly access: Access }
  | { readonly type: 'api_key'; readonly id: string };

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

export interface AuditEntry extends AuditedChange, Omit<Origin, 'authority'> {
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

/** Characters of JSON of one value. */
const MAX_VALUE = 4_000;

/** A page of the log must not be larger than what its reader holds: of a long list, only the first items are kept. */
export function boundedFields(fields: ShownFields | null): ShownFields | null {
  return fields === null ? null : (bounded(fields) as ShownFields);
}

function bounded(value: unknown): unknown {
  if (JSON.stringify(value ?? null).length <= MAX_VALUE) return value;
  if (typeof value === 'string') return `${value.slice(0, MAX_VALUE / 10)}…`;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, bounded(one)]));
  }
  let length = 0;
  const shown = value.findIndex((item) => {
    length += JSON.stringify(item).length;
    return length > MAX_VALUE;
  });
  return [...value.slice(0, shown), `… and ${value.length - shown} more`];
}
