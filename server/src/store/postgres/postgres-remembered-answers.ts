import type { RememberedAnswer } from '../../domain/idempotency.js';
import type { Statement } from '../sql/sql-database.js';
import { arraysAs, rowOf } from './postgres-bulk.js';

const ASKED_ANSWERS = arraysAs('asked', [
  { name: 'workspace_id', type: 'uuid' },
  { name: 'key_hash', type: 'text' },
]);

export function loadRememberedAnswers(
  keys: readonly { readonly workspaceId: string; readonly keyHash: string }[],
): Statement {
  return {
    sql: `SELECT a.workspace_id, a.key_hash, a.request_hash, a.answer, a.created_at
          FROM ${ASKED_ANSWERS}
          CROSS JOIN ${rowOf('remembered_answers', 'workspace_id = asked.workspace_id AND key_hash = asked.key_hash')} AS a`,
    values: [keys.map(({ workspaceId }) => workspaceId), keys.map(({ keyHash }) => keyHash)],
  };
}

export function putRememberedAnswers(
  answers: readonly { readonly workspaceId: string; readonly answer: RememberedAnswer }[],
): Statement {
  return {
    sql: `INSERT INTO remembered_answers (workspace_id, key_hash, request_hash, answer, created_at)
          SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[])
          ON CONFLICT (workspace_id, key_hash) DO UPDATE SET
            request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`,
    values: [
      answers.map(({ workspaceId }) => workspaceId),
      answers.map(({ answer }) => answer.keyHash),
      answers.map(({ answer }) => answer.requestHash),
      answers.map(({ answer }) => answer.answer),
      answers.map(({ answer }) => answer.createdAt),
    ],
  };
}
