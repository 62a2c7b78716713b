import type { RememberedAnswer } from '../../domain/idempotency.js';
import type { Statement } from './postgres-database.js';

export function loadRememberedAnswers(workspaceId: string, keyHashes: Iterable<string>): Statement {
  return {
    sql: `SELECT key_hash, request_hash, answer, created_at FROM remembered_answers
          WHERE workspace_id = $1 AND key_hash = ANY ($2::text[])`,
    values: [workspaceId, [...keyHashes]],
  };
}

export function putRememberedAnswers(workspaceId: string, answers: readonly RememberedAnswer[]): Statement {
  return {
    sql: `INSERT INTO remembered_answers (workspace_id, key_hash, request_hash, answer, created_at)
          SELECT $1, new.* FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[]) AS new
          ON CONFLICT (workspace_id, key_hash) DO UPDATE SET
            request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`,
    values: [
      workspaceId,
      answers.map(({ keyHash }) => keyHash),
      answers.map(({ requestHash }) => requestHash),
      answers.map(({ answer }) => answer),
      answers.map(({ createdAt }) => createdAt),
    ],
  };
}
