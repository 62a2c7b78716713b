import type { ApiKey } from '../../domain/api-key.js';
import type { IdempotencyRecord } from '../../domain/idempotency.js';
import { listOf } from '../columns.js';
import { toApiKey, toIdempotencyRecord } from '../rows.js';
import type { ApiKeyStore } from '../store.js';
import { API_KEYS, IDEMPOTENCY_RECORD, IDEMPOTENCY_RECORDS } from '../tables.js';
import type { SqlDatabase, SqlTransaction } from './sql-database.js';
import { insertInto } from './sql-insert.js';

const API_KEY_COLUMNS = listOf(API_KEYS.columns);

export class SqlApiKeys implements ApiKeyStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async findByPrefix(prefix: string): Promise<ApiKey | null> {
    const [row] = await this.#database.query(
      `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE prefix = $1`,
      prefix,
    );
    return row === undefined ? null : toApiKey(row);
  }

  async list(workspaceId: string, limit: number): Promise<ApiKey[]> {
    const rows = await this.#database.query(
      `SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE workspace_id = $1
       ORDER BY is_active DESC, created_at DESC, id DESC LIMIT $2`,
      workspaceId,
      limit,
    );
    return rows.map(toApiKey).sort(newestFirst);
  }

  async insert(apiKey: ApiKey, { maxActive }: { maxActive: number }): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      await transaction.lockWorkspace(apiKey.workspaceId);
      if (!(await hasRoom(transaction, apiKey.workspaceId, maxActive))) return false;
      await insertInto(transaction, API_KEYS, apiKey);
      return true;
    });
  }

  async insertOnce(creation: {
    apiKey: ApiKey;
    record: IdempotencyRecord;
    rememberedSince: number;
    maxActive: number;
  }): Promise<IdempotencyRecord | 'inserted' | 'full'> {
    const { apiKey, record, rememberedSince, maxActive } = creation;
    const { workspaceId } = apiKey;
    return this.#database.transaction(async (transaction) => {
      await transaction.lockWorkspace(workspaceId);
      const [row] = await transaction.query(
        `SELECT ${listOf(IDEMPOTENCY_RECORD)} FROM remembered_answers WHERE workspace_id = $1 AND key_hash = $2`,
        workspaceId,
        record.keyHash,
      );
      const earlier = row === undefined ? null : toIdempotencyRecord(row);
      if (earlier !== null && earlier.createdAt > rememberedSince) return earlier;
      if (!(await hasRoom(transaction, workspaceId, maxActive))) return 'full';
      await insertInto(transaction, API_KEYS, apiKey);
      await transaction.query(
        'DELETE FROM remembered_answers WHERE workspace_id = $1 AND key_hash = $2',
        workspaceId,
        record.keyHash,
      );
      await insertInto(transaction, IDEMPOTENCY_RECORDS, { ...record, workspaceId });
      return 'inserted';
    });
  }

  async revoke({ workspaceId, apiKeyId }: { workspaceId: string; apiKeyId: string }): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      await transaction.lockWorkspace(workspaceId);
      const revoked = await transaction.query(
        'UPDATE api_keys SET is_active = false WHERE workspace_id = $1 AND id = $2 RETURNING id',
        workspaceId,
        apiKeyId,
      );
      return revoked.length > 0;
    });
  }

  async replaceAll(apiKey: ApiKey): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.lockWorkspace(apiKey.workspaceId);
      await transaction.query(
        'UPDATE api_keys SET is_active = false WHERE workspace_id = $1 AND is_active',
        apiKey.workspaceId,
      );
      await insertInto(transaction, API_KEYS, apiKey);
    });
  }

  async markUsed(key: { workspaceId: string; apiKeyId: string; usedAt: number }): Promise<void> {
    await this.#database.transaction((transaction) =>
      transaction.query(
        'UPDATE api_keys SET last_used_at = $1 WHERE workspace_id = $2 AND id = $3',
        key.usedAt,
        key.workspaceId,
        key.apiKeyId,
      ),
    );
  }
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
