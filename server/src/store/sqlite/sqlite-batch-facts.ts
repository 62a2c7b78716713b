/** Reads what the decisions of a batch depend on, one thing at a time. */

import type { StepState } from '../../domain/step.js';
import { NO_USAGE } from '../../domain/usage.js';
import { listOf, omit } from '../columns.js';
import { hasMoreDue, toDueRuns } from '../due-runs.js';
import { type Row, readBigint, readBoolean, readNullableNumber, readNumber } from '../row.js';
import {
  toGuardedWorkspace,
  toIdempotencyRecord,
  toModelUsageToday,
  toPrice,
  toRunCounts,
  toRunState,
  toStepState,
  toUsage,
} from '../rows.js';
import { type BatchFacts, type DueRuns, MAX_DUE_RUNS, type UserFacts } from '../store.js';
import {
  GUARDED_WORKSPACE,
  IDEMPOTENCY_RECORD,
  MODEL_USAGE_OR_NOTHING,
  PRICE,
  RUN_COUNTS,
  RUN_STATE,
  STEP_STATE,
  USAGE_OR_NOTHING,
} from '../tables.js';
import type { SqliteDatabase, SqliteValue } from './sqlite-database.js';

export type WorkspaceFacts = Pick<
  BatchFacts,
  'workspace' | 'runCounts' | 'nextDueAt' | 'heldPicoUsd' | 'monthlyRunCount' | 'usageToday'
>;
export type ModelFacts = NonNullable<ReturnType<typeof loadModel>>;

/** Called with the database and the parameters of the statement. */
function lookup<Value>(sql: string, toValue: (row: Row) => Value) {
  return (database: SqliteDatabase, ...key: SqliteValue[]): Value | undefined => {
    const row = database.get(sql, key);
    return row && toValue(row);
  };
}

/** By workspace, first day of the month, today. */
export const loadWorkspace = lookup(
  `SELECT ${listOf(GUARDED_WORKSPACE, 'w')}, ${listOf(RUN_COUNTS, 'c')}, c.next_due_at, c.held_pico_usd, ${USAGE_OR_NOTHING},
    (
      SELECT COALESCE(SUM(run_count), 0) FROM workspace_days WHERE workspace_id = ?1 AND day BETWEEN ?2 AND ?3
    ) AS monthly_run_count
  FROM workspaces w
  JOIN workspace_counters c ON c.workspace_id = w.id
  LEFT JOIN workspace_days d ON d.workspace_id = w.id AND d.day = ?3
  WHERE w.id = ?1`,
  (row): WorkspaceFacts => ({
    workspace: toGuardedWorkspace(row),
    runCounts: toRunCounts(row),
    nextDueAt: readNullableNumber(row, 'next_due_at'),
    heldPicoUsd: readBigint(row, 'held_pico_usd'),
    monthlyRunCount: readNumber(row, 'monthly_run_count'),
    usageToday: toUsage(row),
  }),
);

/** By workspace and id; undefined when the key is not active. */
export const loadActiveKey = lookup(
  'SELECT 1 FROM api_keys WHERE workspace_id = ? AND id = ? AND is_active = 1',
  () => true,
);

/** By workspace and id. */
export const loadRun = lookup(
  `SELECT ${listOf(RUN_STATE)} FROM runs WHERE workspace_id = ? AND id = ?`,
  toRunState,
);

export function loadDueRuns(database: SqliteDatabase, workspaceId: string, now: number): DueRuns {
  const rows = database.all(
    `SELECT ${listOf(RUN_STATE)} FROM runs WHERE workspace_id = ? AND due_at IS NOT NULL ORDER BY due_at LIMIT ?`,
    [workspaceId, MAX_DUE_RUNS + 1],
  );
  const first = rows.map(toRunState);
  const expired = hasMoreDue(first, now) ? countExpiredRuns(database, workspaceId, now) : null;
  return toDueRuns(first, now, expired ?? null);
}

/** By workspace and time. */
const countExpiredRuns = lookup(
  `SELECT COUNT(*) AS expired FROM runs WHERE workspace_id = ?1 AND due_at <= ?2 AND lease_expires_at <= ?2
    AND status = 'RUNNING'`,
  (row) => readNumber(row, 'expired'),
);

/** By workspace, run and id. */
export const loadStep = lookup(
  `SELECT ${listOf(STEP_STATE)} FROM steps WHERE workspace_id = ? AND run_id = ? AND id = ?`,
  toStepState,
);

export function loadOpenHolds(database: SqliteDatabase, workspaceId: string, runId: string): StepState[] {
  return database
    .all(
      `SELECT ${listOf(STEP_STATE)} FROM steps WHERE workspace_id = ? AND run_id = ? AND held_pico_usd IS NOT NULL`,
      [workspaceId, runId],
    )
    .map(toStepState);
}

/** By workspace and the hash of the key. */
export const loadIdempotencyRecord = lookup(
  `SELECT ${listOf(IDEMPOTENCY_RECORD)} FROM remembered_answers WHERE workspace_id = ? AND key_hash = ?`,
  toIdempotencyRecord,
);

/** By workspace, user and day. A user who is counted is also listed, so the row is found from there. */
export const loadUser = lookup(
  `SELECT u.blocked, u.held_pico_usd, ${USAGE_OR_NOTHING}
  FROM users u LEFT JOIN user_days d ON d.workspace_id = ?1 AND d.day = ?3 AND d.user_id = ?2
  WHERE u.workspace_id = ?1 AND u.user_id = ?2`,
  (row): UserFacts => ({
    blocked: readBoolean(row, 'blocked'),
    usageToday: toUsage(row),
    heldPicoUsd: readBigint(row, 'held_pico_usd'),
  }),
);
export const UNKNOWN_USER: UserFacts = { blocked: false, usageToday: NO_USAGE, heldPicoUsd: 0n };

/** By workspace, model and day. */
export const loadModel = lookup(
  `SELECT ?2 AS model, ${listOf(omit(PRICE, 'model'), 'p')}, ${MODEL_USAGE_OR_NOTHING}
  FROM (SELECT 1)
  LEFT JOIN model_prices p ON p.workspace_id = ?1 AND p.model = ?2
  LEFT JOIN model_days d ON d.workspace_id = ?1 AND d.day = ?3 AND d.model = ?2`,
  (row) => ({ price: row['id'] === null ? null : toPrice(row), today: toModelUsageToday(row) }),
);
