import type { ApiKey } from '../../domain/api-key.js';
import type { RememberedAnswer } from '../../domain/idempotency.js';
import { toApiKey } from '../rows/api-key-row.js';
import type { ApiKeyStore } from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { findRememberedAnswer, putRememberedAnswer } from './sqlite-remembered-answers.js';
import { fromBoolean } from './sqlite-row.js';

export class SqliteApiKeys implements ApiKeyStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async findByPrefix(prefix: string): Promise<ApiKey | null> {
    const row = this.#database.get('SELECT * FROM api_keys WHERE prefix = ?', prefix);
    return row === undefined ? null : toApiKey(row);
  }

  async list(workspaceId: string): Promise<ApiKey[]> {
    return this.#database
      .all('SELECT * FROM api_keys WHERE workspace_id = ? ORDER BY created_at DESC, id DESC', workspaceId)
      .map(toApiKey);
  }

  async insert(apiKey: ApiKey): Promise<void> {
    insertApiKey(this.#database, apiKey);
  }

  async insertOnce(creation: {
    apiKey: ApiKey;
    answer: RememberedAnswer;
    rememberedSince: number;
  }): Promise<RememberedAnswer | null> {
    const { apiKey, answer, rememberedSince } = creation;
    const { workspaceId } = apiKey;
    return this.#database.transaction(() => {
      const earlier = findRememberedAnswer(this.#database, { workspaceId, keyHash: answer.keyHash });
      if (earlier !== null && earlier.createdAt > rememberedSince) return earlier;
      insertApiKey(this.#database, apiKey);
      putRememberedAnswer(this.#database, { workspaceId, answer });
      return null;
    });
  }

  async revoke({ workspaceId, apiKeyId }: { workspaceId: string; apiKeyId: string }): Promise<boolean> {
    const changed = this.#database.run(
      'UPDATE api_keys SET is_active = 0 WHERE workspace_id = ? AND id = ?',
      workspaceId,
      apiKeyId,
    );
    return changed > 0;
  }

  async replaceAll(apiKey: ApiKey): Promise<void> {
    this.#database.transaction(() => {
      this.#database.run('UPDATE api_keys SET is_active = 0 WHERE workspace_id = ?', apiKey.workspaceId);
      insertApiKey(this.#database, apiKey);
    });
  }

  async markUsed(key: { workspaceId: string; apiKeyId: string; usedAt: number }): Promise<void> {
    this.#database.run(
      'UPDATE api_keys SET last_used_at = ? WHERE workspace_id = ? AND id = ?',
      key.usedAt,
      key.workspaceId,
      key.apiKeyId,
    );
  }
}

export function insertApiKey(database: SqliteDatabase, apiKey: ApiKey): void {
  database.run(
    `INSERT INTO api_keys (workspace_id, id, prefix, secret_hash, label, is_active, created_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    apiKey.workspaceId,
    apiKey.id,
    apiKey.prefix,
    apiKey.secretHash,
    apiKey.label,
    fromBoolean(apiKey.isActive),
    apiKey.createdAt,
    apiKey.lastUsedAt,
  );
}
