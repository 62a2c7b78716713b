import { type Day, firstDayOfMonth } from '../../domain/period.js';
import type { Usage, UsageParts } from '../../domain/usage.js';
import { integer, listOf, named, omit, pick, reader } from '../columns.js';
import { firstOf, type Row, readBigint, readNumber, readText } from '../row.js';
import type {
  DayUsage,
  DenialCount,
  ModelDayUsage,
  ModelTotal,
  ModelUsage,
  UsageRange,
  UsageStore,
  UserUsage,
} from '../store.js';
import { DENIAL_DAYS, MODEL_DAYS, USAGE, USAGE_PARTS, WORKSPACE_DAYS } from '../tables.js';
import type { SqlDatabase, SqlReader } from './sql-database.js';
import { readGuardrailEffects } from './sql-guardrail-effects.js';
import { readModelUsage } from './sql-model-usage.js';
import { mostExpensiveBy, readSum, readSums, sumOf, sumsOf } from './sql-sums.js';
import { readUserUsage } from './sql-user-usage.js';

const MODEL_USAGE = { ...USAGE, ...USAGE_PARTS };
const SUMS_OF_USAGE = sumsOf(MODEL_USAGE);

const OF_RANGE = 'workspace_id = $1 AND day BETWEEN $2 AND $3';

export function sqlUsage(database: SqlDatabase): UsageStore {
  return {
    listUsers: (range, limit) => listUsers(database, range, limit),
    listDays: (range) => listDays(database, range),
    guardrailEffects: (query) => database.snapshot((reader) => readGuardrailEffects(reader, query)),

    ofUser: (query) => database.snapshot((reader) => readUserUsage(database, reader, query)),
    ofModel: (query) => database.snapshot((reader) => readModelUsage(database, reader, query)),

    daily: (range, { maxModels }) =>
      database.snapshot(async (reader) => {
        const days = await listDays(reader, range);
        const models = await reader.query(
          `SELECT ${listOf(MODEL_DAY)} FROM (
             SELECT ${listOf(MODEL_DAY)},
               ROW_NUMBER() OVER (PARTITION BY day ORDER BY cost_pico_usd DESC, model) AS rank
             FROM model_days WHERE ${OF_RANGE}
           ) AS ranked WHERE rank <= $4 ORDER BY day, model`,
          ...valuesOf(range),
          maxModels,
        );
        const totals = await reader.query(
          `SELECT day, COUNT(*) AS model_count, ${SUMS_OF_USAGE} FROM model_days
           WHERE ${OF_RANGE} GROUP BY day ORDER BY day`,
          ...valuesOf(range),
        );
        const denials = await reader.query(
          `SELECT day, reason, denial_count FROM denial_days WHERE ${OF_RANGE} ORDER BY day, reason`,
          ...valuesOf(range),
        );
        return {
          days,
          models: models.map(toModelDay),
          modelTotals: totals.map((row) => ({ ...toModelTotal(row), day: readText(row, 'day') })),
          denials: denials.map(toDenialCount),
        };
      }),

    summary: ({ range, usersFrom, maxModels, maxUsers, now }) =>
      database.snapshot(async (reader) => {
        const monthStart = firstDayOfMonth(now);
        const from = monthStart < range.from ? monthStart : range.from;
        const days = await listDays(reader, { ...range, from });
        const daysOfMonth = days.filter(({ day }) => day >= monthStart);
        return {
          days: days.filter(({ day }) => day >= range.from),
          monthlyRunCount: daysOfMonth.reduce((sum, { runCount }) => sum + runCount, 0),
          heldPicoUsd: await readHeld(reader, range.workspaceId),
          models: await listModels(reader, range, maxModels),
          modelTotal: await totalOfModels(reader, range),
          users: await listUsers(reader, { ...range, from: usersFrom }, maxUsers),
        };
      }),
  };
}

const DAY = omit(WORKSPACE_DAYS.columns, 'workspaceId');
const MODEL_DAY = omit(MODEL_DAYS.columns, 'workspaceId', 'stepCount');
const toDay: (row: Row) => DayUsage = reader(DAY);
const toModelDay: (row: Row) => ModelDayUsage = reader(MODEL_DAY);
const toDenialCount: (row: Row) => DenialCount = reader({
  ...pick(DENIAL_DAYS.columns, 'day', 'reason'),
  count: named('denial_count', integer),
});

function valuesOf({ workspaceId, from, to }: UsageRange): [string, Day, Day] {
  return [workspaceId, from, to];
}

async function listDays(reader: SqlReader, range: UsageRange): Promise<DayUsage[]> {
  const sql = `SELECT ${listOf(DAY)} FROM workspace_days WHERE ${OF_RANGE} ORDER BY day`;
  return (await reader.query(sql, ...valuesOf(range))).map(toDay);
}

async function readHeld(reader: SqlReader, workspaceId: string): Promise<bigint> {
  const sql = 'SELECT held_pico_usd FROM workspace_counters WHERE workspace_id = $1';
  return firstOf(await reader.query(sql, workspaceId), (row) => readBigint(row, 'held_pico_usd')) ?? 0n;
}

async function listModels(reader: SqlReader, range: UsageRange, limit: number): Promise<ModelUsage[]> {
  const rows = await reader.query(
    `SELECT model, ${SUMS_OF_USAGE} FROM model_days WHERE ${OF_RANGE}
     GROUP BY model ORDER BY ${mostExpensiveBy('model')} LIMIT $4`,
    ...valuesOf(range),
    limit,
  );
  return rows.map((row) => ({ ...toSummedUsage(row), model: readText(row, 'model') }));
}

async function totalOfModels(reader: SqlReader, range: UsageRange): Promise<ModelTotal> {
  const [row] = await reader.query(
    `SELECT COUNT(DISTINCT model) AS model_count, ${SUMS_OF_USAGE} FROM model_days WHERE ${OF_RANGE}`,
    ...valuesOf(range),
  );
  if (row === undefined) throw new Error('A sum always has one row');
  return toModelTotal(row);
}

async function listUsers(reader: SqlReader, range: UsageRange, limit: number): Promise<UserUsage[]> {
  const rows = await reader.query(
    `SELECT user_id, ${sumOf('cost_pico_usd')}, SUM(run_count) AS run_count
     FROM user_days WHERE ${OF_RANGE}
     GROUP BY user_id ORDER BY ${mostExpensiveBy('user_id')} LIMIT $4`,
    ...valuesOf(range),
    limit,
  );
  return rows.map((row) => ({
    userId: readText(row, 'user_id'),
    costPicoUsd: readSum(row, 'cost_pico_usd'),
    runCount: readNumber(row, 'run_count'),
  }));
}

function toModelTotal(row: Row): ModelTotal {
  return { ...toSummedUsage(row), modelCount: readNumber(row, 'model_count') };
}

function toSummedUsage(row: Row): Usage & UsageParts {
  return readSums<Usage & UsageParts>(MODEL_USAGE, row);
}
