import type { ApiKey } from '../../domain/api-key.js';
import type { RememberedAnswer } from '../../domain/idempotency.js';
import { toApiKey } from '../rows/api-key-row.js';
import { toRememberedAnswer } from '../rows/remembered-answer-row.js';
import type { ApiKeyStore } from '../store.js';
import type { SqlDatabase, SqlTransaction } from './sql-database.js';

const API_KEY_COLUMNS = 'workspace_id, id, prefix, secret_hash, label, is_active, created_at, last_used_at';

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
      await insertApiKey(transaction, apiKey);
      return true;
    });
  }

  async insertOnce(creation: {
    apiKey: ApiKey;
    answer: RememberedAnswer;
    rememberedSince: number;
    maxActive: number;
  }): Promise<RememberedAnswer | 'inserted' | 'full'> {
    const { apiKey, answer, rememberedSince, maxActive } = creation;
    const { workspaceId } = apiKey;
    return this.#database.transaction(async (transaction) => {
      await transaction.lockWorkspace(workspaceId);
      const [row] = await transaction.query(
        `SELECT key_hash, request_hash, answer, created_at FROM remembered_answers
         WHERE workspace_id = $1 AND key_hash = $2`,
        workspaceId,
        answer.keyHash,
      );
      const earlier = row === undefined ? null : toRememberedAnswer(row);
      if (earlier !== null && earlier.createdAt > rememberedSince) return earlier;
      if (!(await hasRoom(transaction, workspaceId, maxActive))) return 'full';
      await insertApiKey(transaction, apiKey);
      await transaction.query(
        `INSERT INTO remembered_answers (workspace_id, key_hash, request_hash, answer, created_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (workspace_id, key_hash) DO UPDATE SET
           request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`,
        workspaceId,
        answer.keyHash,
        answer.requestHash,
        answer.answer,
        answer.createdAt,
      );
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
      await insertApiKey(transaction, apiKey);
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

export async function insertApiKey(transaction: SqlTransaction, apiKey: ApiKey): Promise<void> {
  await transaction.query(
    `INSERT INTO api_keys (${API_KEY_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    apiKey.workspaceId,
    apiKey.id,
    apiKey.prefix,
    apiKey.secretHash,
    apiKey.label,
    apiKey.isActive,
    apiKey.createdAt,
    apiKey.lastUsedAt,
  );
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
