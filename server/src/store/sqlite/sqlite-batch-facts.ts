/** Reads what the decisions of a batch depend on, one thing at a time. */

import type { IdempotencyRecord } from '../../domain/idempotency.js';
import { type Day, dayOf, firstDayOfMonth } from '../../domain/period.js';
import type { ModelPrice } from '../../domain/price.js';
import type { RunCounts, RunState } from '../../domain/run.js';
import type { StepState } from '../../domain/step.js';
import { NO_USAGE, type Usage } from '../../domain/usage.js';
import type { Workspace } from '../../domain/workspace.js';
import { listOf, omit } from '../columns.js';
import { readBoolean, readNumber } from '../row.js';
import {
  toIdempotencyRecord,
  toPrice,
  toRunCounts,
  toRunState,
  toStepState,
  toUsage,
  toWorkspace,
} from '../rows.js';
import type { UserFacts } from '../store.js';
import {
  IDEMPOTENCY_RECORD,
  PRICE,
  RUN_COUNTS,
  RUN_STATE,
  STEP_STATE,
  USAGE_OR_NOTHING,
  WORKSPACES,
} from '../tables.js';
import type { SqliteDatabase } from './sqlite-database.js';

export interface WorkspaceFacts {
  readonly workspace: Workspace;
  readonly runCounts: RunCounts;
  readonly monthlyRunCount: number;
  readonly usageToday: Usage;
}

export interface ModelFacts {
  readonly price: ModelPrice | null;
  readonly usageToday: Usage;
}

export function loadWorkspace(
  database: SqliteDatabase,
  { workspaceId, now }: { workspaceId: string; now: number },
): WorkspaceFacts {
  const row = database.get(SELECT_WORKSPACE, workspaceId, firstDayOfMonth(now), dayOf(now));
  if (row === undefined) throw new Error(`Workspace ${workspaceId} does not exist`);
  return {
    workspace: toWorkspace(row),
    runCounts: toRunCounts(row),
    monthlyRunCount: readNumber(row, 'monthly_run_count'),
    usageToday: toUsage(row),
  };
}

export function isActiveKey(
  database: SqliteDatabase,
  { workspaceId, apiKeyId }: { workspaceId: string; apiKeyId: string },
): boolean {
  const row = database.get(
    'SELECT 1 FROM api_keys WHERE workspace_id = ? AND id = ? AND is_active = 1',
    workspaceId,
    apiKeyId,
  );
  return row !== undefined;
}

export function loadRun(
  database: SqliteDatabase,
  { workspaceId, runId }: { workspaceId: string; runId: string },
): RunState | undefined {
  const row = database.get(
    `SELECT ${listOf(RUN_STATE)} FROM runs WHERE workspace_id = ? AND id = ?`,
    workspaceId,
    runId,
  );
  return row && toRunState(row);
}

export function loadStep(
  database: SqliteDatabase,
  { workspaceId, runId, stepId }: { workspaceId: string; runId: string; stepId: string },
): StepState | undefined {
  const row = database.get(
    `SELECT ${listOf(STEP_STATE)} FROM steps WHERE workspace_id = ? AND run_id = ? AND id = ?`,
    workspaceId,
    runId,
    stepId,
  );
  return row && toStepState(row);
}

export function loadUser(
  database: SqliteDatabase,
  { workspaceId, userId, day }: { workspaceId: string; userId: string; day: Day },
): UserFacts {
  const row = database.get(SELECT_USER, workspaceId, userId, day);
  if (row === undefined) return { blocked: false, usageToday: NO_USAGE };
  return { blocked: readBoolean(row, 'blocked'), usageToday: toUsage(row) };
}

export function loadModel(
  database: SqliteDatabase,
  { workspaceId, model, day }: { workspaceId: string; model: string; day: Day },
): ModelFacts {
  const row = database.get(SELECT_MODEL, workspaceId, model, day);
  if (row === undefined) throw new Error('The statement always has one row');
  return { price: row['id'] === null ? null : toPrice(row), usageToday: toUsage(row) };
}

export function findIdempotencyRecord(
  database: SqliteDatabase,
  { workspaceId, keyHash }: { workspaceId: string; keyHash: string },
): IdempotencyRecord | undefined {
  const row = database.get(
    `SELECT ${listOf(IDEMPOTENCY_RECORD)} FROM remembered_answers WHERE workspace_id = ? AND key_hash = ?`,
    workspaceId,
    keyHash,
  );
  return row && toIdempotencyRecord(row);
}

const SELECT_WORKSPACE = `
  SELECT ${listOf(WORKSPACES.columns, 'w')}, ${listOf(RUN_COUNTS, 'c')}, ${USAGE_OR_NOTHING},
    (
      SELECT COALESCE(SUM(run_count), 0) FROM workspace_days WHERE workspace_id = ?1 AND day BETWEEN ?2 AND ?3
    ) AS monthly_run_count
  FROM workspaces w
  JOIN workspace_counters c ON c.workspace_id = w.id
  LEFT JOIN workspace_days d ON d.workspace_id = w.id AND d.day = ?3
  WHERE w.id = ?1`;

/** A user who is counted is also listed, so the row is found from there. */
const SELECT_USER = `
  SELECT u.blocked, ${USAGE_OR_NOTHING}
  FROM users u LEFT JOIN user_days d ON d.workspace_id = ?1 AND d.day = ?3 AND d.user_id = ?2
  WHERE u.workspace_id = ?1 AND u.user_id = ?2`;

const SELECT_MODEL = `
  SELECT ?2 AS model, ${listOf(omit(PRICE, 'model'), 'p')}, ${USAGE_OR_NOTHING}
  FROM (SELECT 1)
  LEFT JOIN model_prices p ON p.workspace_id = ?1 AND p.model = ?2
  LEFT JOIN model_days d ON d.workspace_id = ?1 AND d.day = ?3 AND d.model = ?2`;
