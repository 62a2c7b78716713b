/** What the decisions of a batch depend on. */

import type { RememberedAnswer } from '../../domain/idempotency.js';
import { type Day, dayOf, firstDayOfMonth } from '../../domain/period.js';
import type { ModelPrice } from '../../domain/price.js';
import type { RunState } from '../../domain/run.js';
import type { StepState } from '../../domain/step.js';
import { NO_USAGE, type Usage } from '../../domain/usage.js';
import { type Row, readBoolean, readNumber } from '../row.js';
import { toPrice } from '../rows/price-row.js';
import { toRunCounts, toRunState } from '../rows/run-row.js';
import { toStepState } from '../rows/step-row.js';
import { toUsage } from '../rows/usage-row.js';
import { toWorkspace } from '../rows/workspace-row.js';
import type { BatchFacts, BatchNeeds, UserFacts } from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { findRememberedAnswer } from './sqlite-remembered-answers.js';

export function loadFacts(database: SqliteDatabase, needs: BatchNeeds, now: number): BatchFacts {
  const { workspaceId } = needs;
  const day = dayOf(now);
  const runs = loadRuns(database, needs);
  const steps = loadSteps(database, needs);
  const userIds = new Set(needs.startingUserIds);
  for (const run of runs.values()) userIds.add(run.userId);
  const models = new Set<string>();
  for (const { model } of steps.values()) if (model !== null) models.add(model);

  const users = new Map<string, UserFacts>();
  for (const userId of userIds) users.set(userId, loadUser(database, { workspaceId, userId, day }));
  const prices = new Map<string, ModelPrice>();
  const modelUsageToday = new Map<string, Usage>();
  for (const model of models) {
    const row = loadModel(database, { workspaceId, model, day });
    if (row['id'] !== null) prices.set(model, toPrice(row));
    modelUsageToday.set(model, toUsage(row));
  }
  const workspace = loadWorkspace(database, { workspaceId, day, monthStart: firstDayOfMonth(now) });
  return {
    now,
    workspace: toWorkspace(workspace),
    activeApiKeyIds: loadActiveKeys(database, needs),
    runCounts: toRunCounts(workspace),
    monthlyRunCount: readNumber(workspace, 'monthly_run_count'),
    usageToday: toUsage(workspace),
    users,
    runs,
    steps,
    prices,
    modelUsageToday,
    rememberedAnswers: loadRememberedAnswers(database, needs),
  };
}

/** The workspace with its counters, today's usage and the runs of this month. */
function loadWorkspace(
  database: SqliteDatabase,
  { workspaceId, day, monthStart }: { workspaceId: string; day: Day; monthStart: Day },
): Row {
  const row = database.get(SELECT_WORKSPACE, workspaceId, monthStart, day);
  if (row === undefined) throw new Error(`Workspace ${workspaceId} does not exist`);
  return row;
}

function loadActiveKeys(database: SqliteDatabase, { workspaceId, apiKeyIds }: BatchNeeds): Set<string> {
  const active = new Set<string>();
  for (const id of apiKeyIds) {
    const row = database.get(
      'SELECT 1 FROM api_keys WHERE workspace_id = ? AND id = ? AND is_active = 1',
      workspaceId,
      id,
    );
    if (row !== undefined) active.add(id);
  }
  return active;
}

function loadRememberedAnswers(
  database: SqliteDatabase,
  { workspaceId, idempotencyKeyHashes }: BatchNeeds,
): Map<string, RememberedAnswer> {
  const answers = new Map<string, RememberedAnswer>();
  for (const keyHash of idempotencyKeyHashes) {
    const answer = findRememberedAnswer(database, { workspaceId, keyHash });
    if (answer !== null) answers.set(keyHash, answer);
  }
  return answers;
}

function loadRuns(database: SqliteDatabase, { workspaceId, runIds }: BatchNeeds): Map<string, RunState> {
  const runs = new Map<string, RunState>();
  for (const id of runIds) {
    const row = database.get(
      `SELECT id, user_id, status, ended_at, step_count, total_tokens, total_cost_pico_usd
       FROM runs WHERE workspace_id = ? AND id = ?`,
      workspaceId,
      id,
    );
    if (row !== undefined) runs.set(id, toRunState(row));
  }
  return runs;
}

function loadSteps(
  database: SqliteDatabase,
  { workspaceId, steps: keys }: BatchNeeds,
): Map<string, StepState> {
  const steps = new Map<string, StepState>();
  for (const { runId, stepId } of keys) {
    const row = database.get(
      `SELECT id, run_id, status, model, duration_ms, prompt_tokens, completion_tokens
       FROM steps WHERE workspace_id = ? AND run_id = ? AND id = ?`,
      workspaceId,
      runId,
      stepId,
    );
    if (row !== undefined) steps.set(stepId, toStepState(row));
  }
  return steps;
}

function loadUser(
  database: SqliteDatabase,
  { workspaceId, userId, day }: { workspaceId: string; userId: string; day: Day },
): UserFacts {
  const row = database.get(SELECT_USER, workspaceId, userId, day);
  if (row === undefined) return { blocked: false, usageToday: NO_USAGE };
  return { blocked: readBoolean(row, 'blocked'), usageToday: toUsage(row) };
}

/** The price of a model, if it has one, and its usage of today. */
function loadModel(
  database: SqliteDatabase,
  { workspaceId, model, day }: { workspaceId: string; model: string; day: Day },
): Row {
  const row = database.get(SELECT_MODEL, workspaceId, model, day);
  if (row === undefined) throw new Error('The statement always has one row');
  return row;
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
