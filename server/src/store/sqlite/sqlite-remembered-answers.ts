import type { RememberedAnswer } from '../../domain/idempotency.js';
import { toRememberedAnswer } from '../rows/remembered-answer-row.js';
import type { SqliteDatabase } from './sqlite-database.js';

export function findRememberedAnswer(
  database: SqliteDatabase,
  { workspaceId, keyHash }: { workspaceId: string; keyHash: string },
): RememberedAnswer | null {
  const row = database.get(
    'SELECT * FROM remembered_answers WHERE workspace_id = ? AND key_hash = ?',
    workspaceId,
    keyHash,
  );
  return row === undefined ? null : toRememberedAnswer(row);
}

export function putRememberedAnswer(
  database: SqliteDatabase,
  { workspaceId, answer }: { workspaceId: string; answer: RememberedAnswer },
): void {
  database.run(
    `INSERT OR REPLACE INTO remembered_answers (workspace_id, key_hash, request_hash, answer, created_at)
     VALUES (?, ?, ?, ?, ?)`,
    workspaceId,
    answer.keyHash,
    answer.requestHash,
    answer.answer,
    answer.createdAt,
  );
}
