/** Entries of the audit log as rows. */

import { type AuditEntry, boundedFields, type ShownFields } from '../domain/audit.js';
import { omit, type RecordOf, reader } from './columns.js';
import type { Row } from './row.js';
import { AUDIT_LOG } from './tables.js';

export const AUDIT_ENTRY = omit(AUDIT_LOG.columns, 'position', 'workspaceId');
type AuditRow = RecordOf<typeof AUDIT_ENTRY>;
const readEntry = reader(AUDIT_ENTRY);

export function toAuditRow({ actor, before, after, ...rest }: AuditEntry): AuditRow {
  return {
    ...rest,
    actorType: actor.type,
    actorId: actor.id,
    actorLabel: actor.label,
    before: toJson(before),
    after: toJson(after),
  };
}

export function toAuditEntry(row: Row): AuditEntry {
  const { actorType, actorId, actorLabel, before, after, ...rest } = readEntry(row);
  return {
    ...rest,
    actor: { type: actorType, id: actorId, label: actorLabel },
    before: fromJson(before),
    after: fromJson(after),
  };
}

function toJson(fields: ShownFields | null): string | null {
  return fields === null ? null : JSON.stringify(boundedFields(fields));
}

function fromJson(text: string | null): ShownFields | null {
  return text === null ? null : JSON.parse(text);
}
