/** What a model has used and how its calls ended, day by day. Each day is looked up by its key, so that other models cost nothing. */

import { listOf, omit, reader } from '../columns.js';
import type { Row } from '../row.js';
import type { ModelCalls, ModelDay, ModelUsageQuery, ModelUsageRows } from '../store.js';
import { MODEL_CALL_DAYS, MODEL_DAYS } from '../tables.js';
import type { SqlDatabase, SqlReader } from './sql-database.js';

const MODEL_DAY = omit(MODEL_DAYS.columns, 'workspaceId', 'model', 'stepCount');
const MODEL_CALLS = omit(MODEL_CALL_DAYS.columns, 'workspaceId', 'model');
const toModelDay: (row: Row) => ModelDay = reader(MODEL_DAY);
const toModelCalls: (row: Row) => ModelCalls = reader(MODEL_CALLS);

export async function readModelUsage(
  database: Pick<SqlDatabase, 'rowsWith'>,
  sql: SqlReader,
  { workspaceId, model, days }: ModelUsageQuery,
): Promise<ModelUsageRows> {
  const daysOf = (table: string) =>
    database.rowsWith(table, { column: 'day', oneOf: '$3', where: 'workspace_id = $1 AND model = $2' });
  const key = [workspaceId, model, JSON.stringify(days)] as const;
  const usedDays = await sql.query(
    `SELECT ${listOf(MODEL_DAY)} FROM ${daysOf('model_days')} AS days ORDER BY day`,
    ...key,
  );
  const calls = await sql.query(
    `SELECT ${listOf(MODEL_CALLS)} FROM ${daysOf('model_call_days')} AS days ORDER BY day, status, bucket`,
    ...key,
  );
  return { days: usedDays.map(toModelDay), calls: calls.map(toModelCalls) };
}
