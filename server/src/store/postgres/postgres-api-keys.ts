import type { ApiKey } from '../../domain/api-key.js';
import type { RememberedAnswer } from '../../domain/idempotency.js';
import { toApiKey } from '../rows/api-key-row.js';
import { toRememberedAnswer } from '../rows/remembered-answer-row.js';
import type { ApiKeyStore } from '../store.js';
import type { PostgresDatabase, Statement } from './postgres-database.js';
import { loadRememberedAnswers, putRememberedAnswers } from './postgres-remembered-answers.js';
import { lockWorkspace } from './postgres-workspaces.js';

const SELECT_API_KEY = `
  SELECT workspace_id, id, prefix, secret_hash, label, is_active, created_at, last_used_at FROM api_keys`;

export class PostgresApiKeys implements ApiKeyStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async findByPrefix(prefix: string): Promise<ApiKey | null> {
    const row = await this.#database.queryOne(`${SELECT_API_KEY} WHERE prefix = $1`, prefix);
    return row === undefined ? null : toApiKey(row);
  }

  async list(workspaceId: string): Promise<ApiKey[]> {
    const rows = await this.#database.query(
      `${SELECT_API_KEY} WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC`,
      workspaceId,
    );
    return rows.map(toApiKey);
  }

  async insert(apiKey: ApiKey): Promise<void> {
    const { sql, values } = insertApiKey(apiKey);
    await this.#database.query(sql, ...values);
  }

  async insertOnce(creation: {
    apiKey: ApiKey;
    answer: RememberedAnswer;
    rememberedSince: number;
  }): Promise<RememberedAnswer | null> {
    const { apiKey, answer, rememberedSince } = creation;
    const { workspaceId } = apiKey;
    return this.#database.transaction(async (transaction) => {
      const [, [row] = []] = await transaction.send(
        lockWorkspace(workspaceId),
        loadRememberedAnswers([{ workspaceId, keyHash: answer.keyHash }]),
      );
      const earlier = row === undefined ? null : toRememberedAnswer(row);
      if (earlier !== null && earlier.createdAt > rememberedSince) return earlier;
      await transaction.finish(insertApiKey(apiKey), putRememberedAnswers([{ workspaceId, answer }]));
      return null;
    });
  }

  async revoke({ workspaceId, apiKeyId }: { workspaceId: string; apiKeyId: string }): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      const [, revoked = []] = await transaction.finish(lockWorkspace(workspaceId), {
        sql: 'UPDATE api_keys SET is_active = false WHERE workspace_id = $1 AND id = $2 RETURNING id',
        values: [workspaceId, apiKeyId],
      });
      return revoked.length > 0;
    });
  }

  async replaceAll(apiKey: ApiKey): Promise<void> {
    await this.#database.transaction((transaction) =>
      transaction.finish(
        lockWorkspace(apiKey.workspaceId),
        {
          sql: 'UPDATE api_keys SET is_active = false WHERE workspace_id = $1 AND is_active',
          values: [apiKey.workspaceId],
        },
        insertApiKey(apiKey),
      ),
    );
  }

  async markUsed(key: { workspaceId: string; apiKeyId: string; usedAt: number }): Promise<void> {
    await this.#database.query(
      'UPDATE api_keys SET last_used_at = $1 WHERE workspace_id = $2 AND id = $3',
      key.usedAt,
      key.workspaceId,
      key.apiKeyId,
    );
  }
}

export function insertApiKey(apiKey: ApiKey): Statement {
  return {
    sql: `INSERT INTO api_keys (workspace_id, id, prefix, secret_hash, label, is_active, created_at, last_used_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      apiKey.workspaceId,
      apiKey.id,
      apiKey.prefix,
      apiKey.secretHash,
      apiKey.label,
      apiKey.isActive,
      apiKey.createdAt,
      apiKey.lastUsedAt,
    ],
  };
}
