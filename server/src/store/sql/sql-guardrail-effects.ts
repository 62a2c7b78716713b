import { type Row, readNullableNumber, readNumber } from '../row.js';
import {
  type GuardrailEffectQuery,
  type GuardrailEffects,
  MAX_RUNS_EXAMINED,
  MAX_STEPS_EXAMINED,
} from '../store.js';
import type { SqlReader } from './sql-database.js';

const count = (condition: string, name: string) => `COUNT(CASE WHEN ${condition} THEN 1 END) AS ${name}`;

const RUN_COLUMNS =
  'status, started_at, ended_at, end_reason, lease_seconds, lease_expires_at, step_count, denied_step_count, total_cost_pico_usd';

/** Only the columns that are needed: payloads are large. */
const newestRuns = (columns: string) =>
  `(SELECT ${columns} FROM runs WHERE workspace_id = $1 ORDER BY position DESC LIMIT $2) AS newest`;

/** Counted by the database: the rows themselves would take long to pass between threads. */
export async function readGuardrailEffects(
  reader: SqlReader,
  query: GuardrailEffectQuery,
): Promise<GuardrailEffects> {
  const [runs = {}] = await countRuns(reader, query);
  const [steps = {}] = await countModelCalls(reader, query);
  const oldest = readNullableNumber(runs, 'oldest');
  return {
    runs: readNumber(runs, 'runs'),
    hasMoreRuns:
      readNumber(runs, 'examined') === MAX_RUNS_EXAMINED && oldest !== null && oldest >= query.since,
    runsAtMaxCost: readNumber(runs, 'at_max_cost'),
    runsOverMaxSteps: readNumber(runs, 'over_max_steps'),
    runsAtMaxDuration: readNumber(runs, 'at_max_duration'),
    expiredRuns: readNumber(runs, 'expired'),
    silentRuns: readNumber(runs, 'silent'),
    modelCalls: readNumber(steps, 'model_calls'),
    modelCallsWithoutHold: readNumber(steps, 'without_hold'),
    hasMoreSteps: readNumber(runs, 'steps') > MAX_STEPS_EXAMINED,
  };
}

/** A comparison with null counts nothing. */
function countRuns(reader: SqlReader, query: GuardrailEffectQuery): Promise<Row[]> {
  const { workspaceId, since, now, maxCostPicoUsd, maxSteps, maxDurationSeconds, leaseSeconds } = query;
  const started = `status <> 'BLOCKED' AND started_at >= $3`;
  return reader.query(
    `SELECT COUNT(*) AS examined, MIN(started_at) AS oldest, ${count(started, 'runs')},
       COALESCE(SUM(CASE WHEN ${started} THEN step_count END), 0) AS steps,
       ${count(`${started} AND total_cost_pico_usd >= $4`, 'at_max_cost')},
       ${count(`${started} AND step_count - denied_step_count > $5`, 'over_max_steps')},
       ${count(`${started} AND COALESCE(ended_at, $6) - started_at >= $7`, 'at_max_duration')},
       ${count(`${started} AND end_reason = 'LEASE_EXPIRED'`, 'expired')},
       ${count(`${started} AND status = 'RUNNING' AND lease_expires_at - lease_seconds * 1000 <= $8`, 'silent')}
     FROM ${newestRuns(RUN_COLUMNS)}`,
    workspaceId,
    MAX_RUNS_EXAMINED,
    since,
    maxCostPicoUsd,
    maxSteps,
    now,
    maxDurationSeconds === null ? null : maxDurationSeconds * 1000,
    leaseSeconds === null ? null : now - leaseSeconds * 1000,
  );
}

/** CROSS JOIN: SQLite must begin with the runs, or it reads all steps. */
function countModelCalls(reader: SqlReader, { workspaceId, since }: GuardrailEffectQuery): Promise<Row[]> {
  return reader.query(
    `SELECT COUNT(*) AS model_calls, ${count('hold_pico_usd IS NULL', 'without_hold')}
     FROM (
       SELECT id, SUM(step_count) OVER (ORDER BY position DESC) AS steps_so_far
       FROM ${newestRuns('id, position, started_at, step_count')}
       WHERE started_at >= $3 AND step_count > 0
     ) AS r CROSS JOIN steps s
     WHERE r.steps_so_far <= $4 AND s.workspace_id = $1 AND s.run_id = r.id
       AND s.type = 'MODEL_CALL' AND s.status <> 'BLOCKED'`,
    workspaceId,
    MAX_RUNS_EXAMINED,
    since,
    MAX_STEPS_EXAMINED,
  );
}
