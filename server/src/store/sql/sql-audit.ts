/** The audit log, and the one way in which the control plane changes a workspace. */

import { randomUUID } from 'node:crypto';
import { type Role, refusalOf } from '../../domain/access.js';
import { unauthenticated } from '../../domain/app-error.js';
import type { AuditedChange, Authority, Origin } from '../../domain/audit.js';
import { uuidV7 } from '../../domain/uuid.js';
import { AUDIT_ENTRY, toAuditEntry, toAuditRow } from '../audit-rows.js';
import { listOf, omit } from '../columns.js';
import { firstOf, readNumber, readText, type SqlValue } from '../row.js';
import type { AuditQuery, AuditStore } from '../store.js';
import { AUDIT_LOG } from '../tables.js';
import type { SqlDatabase, SqlTransaction } from './sql-database.js';
import { insertInto } from './sql-insert.js';

/** `change` is null when nothing changed. */
export interface Audited<Result> {
  readonly result: Result;
  readonly change: AuditedChange | null;
  /** What the change has changed besides, each with an entry of its own. */
  readonly consequences?: readonly AuditedChange[];
}

/**
 * Every change of the control plane goes through this function: it takes the lock of the workspace, makes the change and records
 * it, or does nothing at all. Entries are in the order in which their changes took effect, because the lock is held until the end.
 */
export function audited<Result>(
  database: SqlDatabase,
  { workspaceId, origin }: { workspaceId: string; origin: Origin },
  work: (transaction: SqlTransaction, now: number) => Promise<Audited<Result>>,
): Promise<Result> {
  return database.transaction(async (transaction) => {
    const now = await transaction.lockWorkspace(workspaceId);
    if (origin.authority !== undefined) await requireAuthority(transaction, workspaceId, origin.authority);
    const { result, change, consequences = [] } = await work(transaction, now);
    const changes = change === null ? [] : [change, ...consequences];
    for (const made of changes) await recordChange(transaction, { workspaceId, now, origin, change: made });
    return result;
  });
}

/** A credential may have been revoked, and a role changed, since the request began; that takes the same lock. */
async function requireAuthority(
  transaction: SqlTransaction,
  workspaceId: string,
  authority: Authority,
): Promise<void> {
  if (authority.type === 'api_key') {
    const find = 'SELECT id FROM api_keys WHERE workspace_id = $1 AND id = $2 AND is_active';
    requireStillValid((await transaction.query(find, workspaceId, authority.id)).length > 0, 'API key');
    return;
  }
  const { id, tokenVersion, access } = authority;
  const find = 'SELECT role FROM accounts WHERE id = $1 AND workspace_id = $2 AND token_version = $3';
  const rows = await transaction.query(find, id, workspaceId, tokenVersion);
  const role = firstOf(rows, (row) => readText(row, 'role') as Role);
  requireStillValid(role !== null, 'token');
  const refusal = role && refusalOf({ kind: 'person', role }, access);
  if (refusal) throw refusal;
}

function requireStillValid(isValid: boolean, credential: string): void {
  if (!isValid) throw unauthenticated(`The ${credential} was revoked while the request arrived`);
}

export function unchanged<Result>(result: Result): Audited<Result> {
  return { result, change: null };
}

/** On its own only for a registration, whose workspace nobody else can change yet. */
export async function recordChange(
  transaction: SqlTransaction,
  given: { workspaceId: string; now: number; origin: Origin; change: AuditedChange },
): Promise<void> {
  const { workspaceId, now, origin, change } = given;
  const { authority: _, ...shown } = origin;
  const entry = { id: uuidV7(now, randomUUID()), createdAt: now, ...shown, ...change };
  await insertInto(transaction, NEW_ENTRIES, { workspaceId, ...toAuditRow(entry) });
}

const NEW_ENTRIES = { ...AUDIT_LOG, columns: omit(AUDIT_LOG.columns, 'position') };

export function sqlAudit(database: SqlDatabase): AuditStore {
  return {
    list: (query) =>
      database.snapshot(async (snapshot) => {
        const { conditions, values } = matching(query);
        const limit = `LIMIT $${values.length + 1}`;
        // Counted and skipped entries are only looked up in the index.
        const found = `SELECT position FROM audit_log WHERE ${conditions} ${NEWEST_FIRST} ${limit}`;
        const count = `SELECT COUNT(*) AS total FROM (${found}) AS found`;
        const counted = await snapshot.query(count, ...values, query.countUpTo);
        const total = firstOf(counted, (row) => readNumber(row, 'total')) ?? 0;
        if (total <= query.offset) return { items: [], total };
        const rows = await snapshot.query(
          `SELECT ${listOf(AUDIT_ENTRY)} FROM audit_log WHERE workspace_id = $1 AND position IN (
             ${found} OFFSET $${values.length + 2}
           ) ${NEWEST_FIRST}`,
          ...values,
          Math.min(query.limit, total - query.offset),
          query.offset,
        );
        return { items: rows.map(toAuditEntry), total };
      }),

    deleteBefore: ({ before, limit }) =>
      database.transaction(async (transaction) => {
        const rows = await transaction.query(
          `DELETE FROM audit_log WHERE (workspace_id, position) IN (
             SELECT workspace_id, position FROM audit_log WHERE created_at < $1 ORDER BY created_at LIMIT $2
           ) RETURNING position`,
          before,
          limit,
        );
        return rows.length;
      }),
  };
}

/** Entries of the same millisecond are in the order in which they took effect. */
export const NEWEST_FIRST = 'ORDER BY created_at DESC, position DESC';

/** $1 is the workspace. */
function matching({ workspaceId, action, actorId, from, to }: AuditQuery) {
  const values: SqlValue[] = [workspaceId];
  const filters: [string, SqlValue][] = [
    ['action =', action],
    ['actor_id =', actorId],
    ['created_at >=', from],
    ['created_at <', to],
  ];
  const given = filters.flatMap(([condition, value]) =>
    value === null ? [] : [`${condition} $${values.push(value)}`],
  );
  return { conditions: ['workspace_id = $1', ...given].join(' AND '), values };
}
