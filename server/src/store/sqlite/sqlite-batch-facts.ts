/** Reads what the decisions of a batch depend on, one thing at a time. */

import { type Day, dayOf, firstDayOfMonth } from '../../domain/period.js';
import type { ModelPrice } from '../../domain/price.js';
import type { RunCounts, RunState } from '../../domain/run.js';
import type { StepState } from '../../domain/step.js';
import { NO_USAGE, type Usage } from '../../domain/usage.js';
import type { Workspace } from '../../domain/workspace.js';
import { readBoolean, readNumber } from '../row.js';
import { toPrice } from '../rows/price-row.js';
import { toRunCounts, toRunState } from '../rows/run-row.js';
import { toStepState } from '../rows/step-row.js';
import { toUsage } from '../rows/usage-row.js';
import { toWorkspace } from '../rows/workspace-row.js';
import type { UserFacts } from '../store.js';
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
    `SELECT id, user_id, status, ended_at, step_count, total_tokens, total_cost_pico_usd, usage_version
     FROM runs WHERE workspace_id = ? AND id = ?`,
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
    `SELECT id, run_id, status, model, duration_ms, prompt_tokens, completion_tokens
     FROM steps WHERE workspace_id = ? AND run_id = ? AND id = ?`,
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

const USAGE_OR_NOTHING = `COALESCE(d.cost_pico_usd, 0) AS cost_pico_usd, COALESCE(d.prompt_tokens, 0) AS prompt_tokens,
  COALESCE(d.completion_tokens, 0) AS completion_tokens, COALESCE(d.unpriced_tokens, 0) AS unpriced_tokens`;

const SELECT_WORKSPACE = `
  SELECT w.*, c.running_runs, c.completed_runs, c.failed_runs, c.blocked_runs, ${USAGE_OR_NOTHING},
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
  SELECT ?2 AS model, p.id, p.input_usd, p.output_usd, p.is_active, ${USAGE_OR_NOTHING}
  FROM (SELECT 1)
  LEFT JOIN model_prices p ON p.workspace_id = ?1 AND p.model = ?2
  LEFT JOIN model_days d ON d.workspace_id = ?1 AND d.day = ?3 AND d.model = ?2`;
