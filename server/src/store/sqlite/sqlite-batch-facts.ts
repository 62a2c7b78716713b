/** What the decisions of a batch depend on. */

import type { RememberedAnswer } from '../../domain/idempotency.js';
import { dayOf, firstDayOfMonth } from '../../domain/period.js';
import type { ModelPrice } from '../../domain/price.js';
import type { RunCounts, RunState } from '../../domain/run.js';
import type { StepState } from '../../domain/step.js';
import { NO_USAGE, type Usage } from '../../domain/usage.js';
import { readBoolean, readNumber } from '../row.js';
import { toRunCounts, toRunState } from '../rows/run-row.js';
import { toStepState } from '../rows/step-row.js';
import { toUsage } from '../rows/usage-row.js';
import type { BatchFacts, BatchNeeds, UserFacts } from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { findPrice } from './sqlite-prices.js';
import { findRememberedAnswer } from './sqlite-remembered-answers.js';
import { requireWorkspace } from './sqlite-workspaces.js';

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
    const price = findPrice(database, workspaceId, model);
    if (price !== null) prices.set(model, price);
    modelUsageToday.set(model, loadModelUsage(database, { workspaceId, model, day }));
  }
  return {
    now,
    workspace: requireWorkspace(database, workspaceId),
    activeApiKeyIds: loadActiveKeys(database, needs),
    runCounts: loadRunCounts(database, workspaceId),
    monthlyRunCount: needs.startingUserIds.size === 0 ? 0 : countMonthlyRuns(database, { workspaceId, now }),
    usageToday: loadWorkspaceUsage(database, { workspaceId, day }),
    users,
    runs,
    steps,
    prices,
    modelUsageToday,
    rememberedAnswers: loadRememberedAnswers(database, needs),
  };
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
  { workspaceId, userId, day }: { workspaceId: string; userId: string; day: string },
): UserFacts {
  const user = database.get(
    'SELECT blocked FROM users WHERE workspace_id = ? AND user_id = ?',
    workspaceId,
    userId,
  );
  const usage = database.get(
    'SELECT * FROM user_days WHERE workspace_id = ? AND day = ? AND user_id = ?',
    workspaceId,
    day,
    userId,
  );
  return {
    blocked: user !== undefined && readBoolean(user, 'blocked'),
    usageToday: usage === undefined ? NO_USAGE : toUsage(usage),
  };
}

function loadWorkspaceUsage(
  database: SqliteDatabase,
  { workspaceId, day }: { workspaceId: string; day: string },
): Usage {
  const row = database.get(
    'SELECT * FROM workspace_days WHERE workspace_id = ? AND day = ?',
    workspaceId,
    day,
  );
  return row === undefined ? NO_USAGE : toUsage(row);
}

function loadModelUsage(
  database: SqliteDatabase,
  { workspaceId, model, day }: { workspaceId: string; model: string; day: string },
): Usage {
  const row = database.get(
    'SELECT * FROM model_days WHERE workspace_id = ? AND day = ? AND model = ?',
    workspaceId,
    day,
    model,
  );
  return row === undefined ? NO_USAGE : toUsage(row);
}

function loadRunCounts(database: SqliteDatabase, workspaceId: string): RunCounts {
  const row = database.get('SELECT * FROM workspace_counters WHERE workspace_id = ?', workspaceId);
  if (row === undefined) throw new Error(`Workspace ${workspaceId} has no counters`);
  return toRunCounts(row);
}

function countMonthlyRuns(
  database: SqliteDatabase,
  { workspaceId, now }: { workspaceId: string; now: number },
): number {
  const row = database.get(
    `SELECT COALESCE(SUM(run_count), 0) AS run_count FROM workspace_days
     WHERE workspace_id = ? AND day BETWEEN ? AND ?`,
    workspaceId,
    firstDayOfMonth(now),
    dayOf(now),
  );
  return row === undefined ? 0 : readNumber(row, 'run_count');
}
