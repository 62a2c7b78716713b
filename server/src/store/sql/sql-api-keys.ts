import type { ApiKey } from '../../domain/api-key.js';
import { keyCreation, keyReplacement, keyRevocation } from '../../domain/audit-changes.js';
import type { IdempotencyRecord } from '../../domain/idempotency.js';
import { listOf } from '../columns.js';
import { firstOf } from '../row.js';
import { toApiKey, toIdempotencyRecord } from '../rows.js';
import type { ApiKeyStore } from '../store.js';
import { API_KEYS, IDEMPOTENCY_RECORD, IDEMPOTENCY_RECORDS } from '../tables.js';
import { audited, unchanged } from './sql-audit.js';
import type { SqlDatabase, SqlTransaction } from './sql-database.js';
import { insertInto } from './sql-insert.js';

const API_KEY_COLUMNS = listOf(API_KEYS.columns);
const IS_RECORD = 'workspace_id = $1 AND key_hash = $2';

export function sqlApiKeys(database: SqlDatabase): ApiKeyStore {
  return {
    async findByPrefix(prefix) {
      const rows = await database.query(`SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE prefix = $1`, prefix);
      return firstOf(rows, toApiKey);
    },

    async list(workspaceId, limit) {
      const rows = await database.query(
        `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE workspace_id = $1
         ORDER BY is_active DESC, created_at DESC, id DESC LIMIT $2`,
        workspaceId,
        limit,
      );
      return rows.map(toApiKey).sort(newestFirst);
    },

    insert: (apiKey, { maxActive }, origin) =>
      audited(database, { workspaceId: apiKey.workspaceId, origin }, async (transaction) => {
        if (!(await hasRoom(transaction, apiKey.workspaceId, maxActive))) return unchanged(false);
        await insertInto(transaction, API_KEYS, apiKey);
        return { result: true, change: keyCreation(apiKey) };
      }),

    insertOnce: ({ apiKey, record, since, maxActive }, origin) =>
      audited<IdempotencyRecord | 'inserted' | 'full'>(
        database,
        { workspaceId: apiKey.workspaceId, origin },
        async (transaction) => {
          const { workspaceId } = apiKey;
          const rows = await transaction.query(
            `SELECT ${listOf(IDEMPOTENCY_RECORD)} FROM remembered_answers WHERE ${IS_RECORD}`,
            workspaceId,
            record.keyHash,
          );
          const earlier = firstOf(rows, toIdempotencyRecord);
          if (earlier !== null && earlier.createdAt > since) return unchanged(earlier);
          if (!(await hasRoom(transaction, workspaceId, maxActive))) return unchanged('full' as const);
          await insertInto(transaction, API_KEYS, apiKey);
          await transaction.query(
            `DELETE FROM remembered_answers WHERE ${IS_RECORD}`,
            workspaceId,
            record.keyHash,
          );
          await insertInto(transaction, IDEMPOTENCY_RECORDS, { ...record, workspaceId });
          return { result: 'inserted' as const, change: keyCreation(apiKey) };
        },
      ),

    revoke: ({ workspaceId, apiKeyId }, origin) =>
      audited(database, { workspaceId, origin }, async (transaction) => {
        const find = `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE workspace_id = $1 AND id = $2`;
        const before = firstOf(await transaction.query(find, workspaceId, apiKeyId), toApiKey);
        if (before === null) return unchanged(false);
        const revoke = 'UPDATE api_keys SET is_active = false WHERE workspace_id = $1 AND id = $2';
        await transaction.query(revoke, workspaceId, apiKeyId);
        return { result: true, change: keyRevocation(before) };
      }),

    replaceAll: (apiKey, origin) =>
      audited(database, { workspaceId: apiKey.workspaceId, origin }, async (transaction) => {
        await transaction.query(
          'UPDATE api_keys SET is_active = false WHERE workspace_id = $1 AND is_active',
          apiKey.workspaceId,
        );
        await insertInto(transaction, API_KEYS, apiKey);
        return { result: undefined, change: keyReplacement(apiKey) };
      }),

    async markUsed({ workspaceId, apiKeyId, usedAt }) {
      await database.query(
        'UPDATE api_keys SET last_used_at = $1 WHERE workspace_id = $2 AND id = $3',
        usedAt,
        workspaceId,
        apiKeyId,
      );
    },
  };
}

/** Counts no further than the limit. */
async function hasRoom(
  transaction: SqlTransaction,
  workspaceId: string,
  maxActive: number,
): Promise<boolean> {
  const active = await transaction.query(
    'SELECT id FROM api_keys WHERE workspace_id = $1 AND is_active LIMIT $2',
    workspaceId,
    maxActive,
  );
  return active.length < maxActive;
}

function newestFirst(left: ApiKey, right: ApiKey): number {
  return right.createdAt - left.createdAt || (left.id < right.id ? 1 : -1);
}
