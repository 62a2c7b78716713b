import { firstDayOfMonth } from '../../domain/period.js';
import type { DenyReason } from '../../domain/rules.js';
import type { Usage } from '../../domain/usage.js';
import { listOf, nameOf, namesOf } from '../columns.js';
import { type Row, readBigint, readNumber, readText } from '../row.js';
import { toUsage } from '../rows.js';
import type {
  DailyUsageRows,
  DayUsage,
  ModelUsage,
  SummaryQuery,
  SummaryRows,
  UsageRange,
  UsageStore,
  UserUsage,
} from '../store.js';
import { USAGE } from '../tables.js';
import type { SqlDatabase, SqlReader } from './sql-database.js';

const USAGE_COLUMNS = listOf(USAGE);

/** Sums of amounts are made in two halves: thirty days together may exceed 64 bits, and SQLite would refuse the sum. */
const HALF = 1_000_000n;
const sumOf = (column: string, name = column) =>
  `SUM(${column} / ${HALF}) AS ${name}_high, SUM(${column} % ${HALF}) AS ${name}_low`;
const SUMS_OF_USAGE = namesOf(USAGE)
  .map((column) => sumOf(column))
  .join(', ');
/** Both halves of the cost carry over, so that the order is that of the whole. */
const MOST_EXPENSIVE_FIRST = (name: string) => `
  SUM(cost_pico_usd / ${HALF}) + SUM(cost_pico_usd % ${HALF}) / ${HALF} DESC,
  SUM(cost_pico_usd % ${HALF}) % ${HALF} DESC, ${name}`;

export class SqlUsage implements UsageStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async daily(range: UsageRange, { maxModels }: { maxModels: number }): Promise<DailyUsageRows> {
    return this.#database.snapshot(async (reader) => {
      const days = await listDays(reader, range);
      const models = await reader.query(
        `SELECT day, model, ${USAGE_COLUMNS} FROM (
           SELECT day, model, ${USAGE_COLUMNS},
             ROW_NUMBER() OVER (PARTITION BY day ORDER BY cost_pico_usd DESC, model) AS rank
           FROM model_days WHERE workspace_id = $1 AND day BETWEEN $2 AND $3
         ) AS ranked WHERE rank <= $4 ORDER BY day, model`,
        range.workspaceId,
        range.from,
        range.to,
        maxModels,
      );
      const totals = await reader.query(
        `SELECT day, COUNT(*) AS model_count, ${SUMS_OF_USAGE} FROM model_days
         WHERE workspace_id = $1 AND day BETWEEN $2 AND $3 GROUP BY day ORDER BY day`,
        range.workspaceId,
        range.from,
        range.to,
      );
      const denials = await reader.query(
        `SELECT day, reason, denial_count FROM denial_days
         WHERE workspace_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day, reason`,
        range.workspaceId,
        range.from,
        range.to,
      );
      return {
        days,
        models: models.map((row) => ({
          ...toUsage(row),
          day: readText(row, 'day'),
          model: readText(row, 'model'),
        })),
        modelTotals: totals.map((row) => ({
          ...toSummedUsage(row),
          day: readText(row, 'day'),
          modelCount: readNumber(row, 'model_count'),
        })),
        denials: denials.map((row) => ({
          day: readText(row, 'day'),
          reason: readText(row, 'reason') as DenyReason,
          count: readNumber(row, 'denial_count'),
        })),
      };
    });
  }

  async summary({ range, usersFrom, maxModels, maxUsers, now }: SummaryQuery): Promise<SummaryRows> {
    return this.#database.snapshot(async (reader) => {
      const monthStart = firstDayOfMonth(now);
      const days = await listDays(reader, {
        ...range,
        from: monthStart < range.from ? monthStart : range.from,
      });
      return {
        days: days.filter(({ day }) => day >= range.from),
        monthlyRunCount: days
          .filter(({ day }) => day >= monthStart)
          .reduce((sum, { runCount }) => sum + runCount, 0),
        models: await listModels(reader, range, maxModels),
        modelTotal: await totalOfModels(reader, range),
        users: await listUsers(reader, { ...range, from: usersFrom }, maxUsers),
      };
    });
  }

  async listUsers(range: UsageRange, limit: number): Promise<UserUsage[]> {
    return listUsers(this.#database, range, limit);
  }

  async listDays(range: UsageRange): Promise<DayUsage[]> {
    return listDays(this.#database, range);
  }
}

async function listDays(reader: SqlReader, { workspaceId, from, to }: UsageRange): Promise<DayUsage[]> {
  const rows = await reader.query(
    `SELECT day, ${USAGE_COLUMNS}, run_count FROM workspace_days
     WHERE workspace_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day`,
    workspaceId,
    from,
    to,
  );
  return rows.map((row) => ({
    ...toUsage(row),
    day: readText(row, 'day'),
    runCount: readNumber(row, 'run_count'),
  }));
}

async function listModels(reader: SqlReader, range: UsageRange, limit: number): Promise<ModelUsage[]> {
  const rows = await reader.query(
    `SELECT model, ${SUMS_OF_USAGE} FROM model_days WHERE workspace_id = $1 AND day BETWEEN $2 AND $3
     GROUP BY model ORDER BY ${MOST_EXPENSIVE_FIRST('model')} LIMIT $4`,
    range.workspaceId,
    range.from,
    range.to,
    limit,
  );
  return rows.map((row) => ({ ...toSummedUsage(row), model: readText(row, 'model') }));
}

async function totalOfModels(reader: SqlReader, range: UsageRange) {
  const [row] = await reader.query(
    `SELECT COUNT(DISTINCT model) AS model_count, ${SUMS_OF_USAGE} FROM model_days
     WHERE workspace_id = $1 AND day BETWEEN $2 AND $3`,
    range.workspaceId,
    range.from,
    range.to,
  );
  if (row === undefined) throw new Error('A sum always has one row');
  return { ...toSummedUsage(row), modelCount: readNumber(row, 'model_count') };
}

async function listUsers(reader: SqlReader, range: UsageRange, limit: number): Promise<UserUsage[]> {
  const rows = await reader.query(
    `SELECT user_id, ${sumOf('cost_pico_usd')}, SUM(run_count) AS run_count
     FROM user_days WHERE workspace_id = $1 AND day BETWEEN $2 AND $3
     GROUP BY user_id ORDER BY ${MOST_EXPENSIVE_FIRST('user_id')} LIMIT $4`,
    range.workspaceId,
    range.from,
    range.to,
    limit,
  );
  return rows.map((row) => ({
    userId: readText(row, 'user_id'),
    costPicoUsd: readSum(row, 'cost_pico_usd'),
    runCount: readNumber(row, 'run_count'),
  }));
}

function toSummedUsage(row: Row): Usage {
  return Object.fromEntries(
    Object.keys(USAGE).map((property) => [property, readSum(row, nameOf(USAGE, property))]),
  ) as unknown as Usage;
}

/** Of no rows the sum is NULL, which is zero here. */
function readSum(row: Row, column: string): bigint {
  if (row[`${column}_high`] === null) return 0n;
  return readBigint(row, `${column}_high`) * HALF + readBigint(row, `${column}_low`);
}
