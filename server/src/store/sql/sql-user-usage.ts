/** What a user has used and what was denied, day by day. Each day is looked up by its key, so that other users cost nothing. */

import type { Usage } from '../../domain/usage.js';
import { listOf, omit, reader } from '../columns.js';
import { type Row, readNumber, readText } from '../row.js';
import type { DayUsage, UserUsageQuery, UserUsageRows } from '../store.js';
import { USAGE, USER_DAYS } from '../tables.js';
import type { SqlDatabase, SqlReader } from './sql-database.js';
import { mostExpensiveBy, readSums, sumsOf } from './sql-sums.js';

const USER_DAY = omit(USER_DAYS.columns, 'workspaceId', 'userId');
const toUserDay: (row: Row) => DayUsage = reader(USER_DAY);

export async function readUserUsage(
  database: Pick<SqlDatabase, 'rowsWith'>,
  sql: SqlReader,
  { workspaceId, userId, days, maxModels }: UserUsageQuery,
): Promise<UserUsageRows> {
  const daysOf = (table: string) =>
    database.rowsWith(table, { column: 'day', oneOf: '$3', where: 'workspace_id = $1 AND user_id = $2' });
  const key = [workspaceId, userId, JSON.stringify(days)] as const;
  const usedDays = await sql.query(
    `SELECT ${listOf(USER_DAY)} FROM ${daysOf('user_days')} AS days ORDER BY day`,
    ...key,
  );
  const models = await sql.query(
    `SELECT model, SUM(step_count) AS step_count, ${sumsOf(USAGE)} FROM ${daysOf('user_model_days')} AS days
     GROUP BY model ORDER BY ${mostExpensiveBy('model')} LIMIT $4`,
    ...key,
    maxModels,
  );
  const [total] = await sql.query(
    `SELECT COUNT(DISTINCT model) AS model_count, COALESCE(SUM(step_count), 0) AS step_count, ${sumsOf(USAGE)}
     FROM ${daysOf('user_model_days')} AS days`,
    ...key,
  );
  if (total === undefined) throw new Error('A sum always has one row');
  const denials = await sql.query(
    `SELECT reason, SUM(denial_count) AS denial_count FROM ${daysOf('user_denial_days')} AS days
     GROUP BY reason ORDER BY reason`,
    ...key,
  );
  return {
    days: usedDays.map(toUserDay),
    models: models.map((row) => ({ ...toCalls(row), model: readText(row, 'model') })),
    modelTotal: { ...toCalls(total), modelCount: readNumber(total, 'model_count') },
    denials: denials.map((row) => ({
      reason: readText(row, 'reason') as UserUsageRows['denials'][number]['reason'],
      count: readNumber(row, 'denial_count'),
    })),
  };
}

function toCalls(row: Row) {
  return { ...readSums<Usage>(USAGE, row), callCount: readNumber(row, 'step_count') };
}
