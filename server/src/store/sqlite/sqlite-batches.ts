/** The data plane on SQLite: one lane for all workspaces, because there is one writer. */

import type { RememberedAnswer } from '../../domain/idempotency.js';
import { dayOf, firstDayOfMonth } from '../../domain/period.js';
import type { ModelPrice } from '../../domain/price.js';
import type { Run, RunCounts, RunState } from '../../domain/run.js';
import type { Step, StepState } from '../../domain/step.js';
import { NO_USAGE, type Usage } from '../../domain/usage.js';
import { hasRunCounts, hasUsage } from '../batch-counts.js';
import { toRulesText } from '../decision-text.js';
import { readBoolean, readNumber } from '../row.js';
import { toRunCounts, toRunState } from '../rows/run-row.js';
import { toStepState } from '../rows/step-row.js';
import { toUsage } from '../rows/usage-row.js';
import type {
  BatchChanges,
  BatchFacts,
  BatchNeeds,
  BatchStore,
  ModelChange,
  ReportedStepChange,
  UserChange,
  UserFacts,
} from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { findPrice } from './sqlite-prices.js';
import { findRememberedAnswer, putRememberedAnswer } from './sqlite-remembered-answers.js';
import { requireWorkspace } from './sqlite-workspaces.js';

export class SqliteBatches implements BatchStore {
  readonly #database: SqliteDatabase;
  readonly #clock: () => number;

  constructor(database: SqliteDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  laneOf(): string {
    return 'sqlite';
  }

  async commit(
    needs: readonly BatchNeeds[],
    decide: (facts: readonly BatchFacts[]) => BatchChanges[],
  ): Promise<void> {
    this.#database.transaction(() => {
      const now = this.#clock();
      const facts = needs.map((need) => loadFacts(this.#database, need, now));
      for (const changes of decide(facts)) writeChanges(this.#database, changes);
    });
  }
}

// ── Load ───────────────────────────────────────────────────────────────────────────────────────────────────────────

function loadFacts(database: SqliteDatabase, needs: BatchNeeds, now: number): BatchFacts {
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

// ── Write ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function writeChanges(database: SqliteDatabase, changes: BatchChanges): void {
  const { workspaceId, day } = changes;
  for (const run of changes.newRuns) insertRun(database, workspaceId, run);
  for (const step of changes.newSteps) insertStep(database, workspaceId, step);
  for (const reported of changes.reportedSteps) updateStep(database, workspaceId, reported);
  for (const run of changes.changedRuns) updateRun(database, workspaceId, run);
  if (hasRunCounts(changes.runCounts)) addRunCounts(database, workspaceId, changes.runCounts);
  if (changes.startedRuns > 0 || hasUsage(changes.usage)) addWorkspaceDay(database, changes);
  for (const [userId, user] of changes.users) addUser(database, { workspaceId, day, userId, user });
  for (const [model, change] of changes.models) addModelDay(database, { workspaceId, day, model, change });
  for (const answer of changes.newAnswers) putRememberedAnswer(database, { workspaceId, answer });
  for (const [reason, count] of changes.denials) {
    database.run(
      `INSERT INTO denial_days (workspace_id, day, reason, denial_count) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET denial_count = denial_count + excluded.denial_count`,
      workspaceId,
      day,
      reason,
      count,
    );
  }
}

function insertRun(database: SqliteDatabase, workspaceId: string, run: Run): void {
  database.run(
    `INSERT INTO runs (workspace_id, id, position, user_id, status, metadata, started_at, ended_at, step_count,
       total_tokens, total_cost_pico_usd, decision_reason, decision_rules)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    workspaceId,
    run.id,
    run.position,
    run.userId,
    run.status,
    run.metadata,
    run.startedAt,
    run.endedAt,
    run.stepCount,
    run.totalTokens,
    run.totalCostPicoUsd,
    run.decision.reason,
    toRulesText(run.decision),
  );
}

function updateRun(database: SqliteDatabase, workspaceId: string, run: RunState): void {
  database.run(
    `UPDATE runs SET status = ?, ended_at = ?, step_count = ?, total_tokens = ?, total_cost_pico_usd = ?
     WHERE workspace_id = ? AND id = ?`,
    run.status,
    run.endedAt,
    run.stepCount,
    run.totalTokens,
    run.totalCostPicoUsd,
    workspaceId,
    run.id,
  );
}

function insertStep(database: SqliteDatabase, workspaceId: string, step: Step): void {
  database.run(
    `INSERT INTO steps (workspace_id, run_id, id, position, sequence, type, status, model, tool_name, input_data,
       prompt_tokens, completion_tokens, cost_pico_usd, duration_ms, decision_reason, decision_rules, created_at,
       reported_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)`,
    workspaceId,
    step.runId,
    step.id,
    step.position,
    step.sequence,
    step.type,
    step.status,
    step.model,
    step.toolName,
    step.inputData,
    step.promptTokens,
    step.completionTokens,
    step.costPicoUsd,
    step.durationMs,
    step.decision.reason,
    toRulesText(step.decision),
    step.createdAt,
  );
}

function updateStep(database: SqliteDatabase, workspaceId: string, reported: ReportedStepChange): void {
  const { step, costPicoUsd, reportedAt } = reported;
  database.run(
    `UPDATE steps SET status = ?, duration_ms = ?, prompt_tokens = ?, completion_tokens = ?, cost_pico_usd = ?,
       reported_at = ? WHERE workspace_id = ? AND run_id = ? AND id = ?`,
    step.status,
    step.durationMs,
    step.promptTokens,
    step.completionTokens,
    costPicoUsd,
    reportedAt,
    workspaceId,
    step.runId,
    step.id,
  );
}

function addRunCounts(database: SqliteDatabase, workspaceId: string, counts: RunCounts): void {
  database.run(
    `UPDATE workspace_counters SET running_runs = running_runs + ?, completed_runs = completed_runs + ?,
       failed_runs = failed_runs + ?, blocked_runs = blocked_runs + ? WHERE workspace_id = ?`,
    counts.RUNNING,
    counts.COMPLETED,
    counts.FAILED,
    counts.BLOCKED,
    workspaceId,
  );
}

function addWorkspaceDay(
  database: SqliteDatabase,
  { workspaceId, day, usage, startedRuns }: BatchChanges,
): void {
  database.run(
    `INSERT INTO workspace_days (workspace_id, day, cost_pico_usd, prompt_tokens, completion_tokens, unpriced_tokens,
       run_count) VALUES (?, ?, ?, ?, ?, ?, ?) ${ON_CONFLICT_ADD_USAGE}, run_count = run_count + excluded.run_count`,
    workspaceId,
    day,
    usage.costPicoUsd,
    usage.promptTokens,
    usage.completionTokens,
    usage.unpricedTokens,
    startedRuns,
  );
}

function addUser(
  database: SqliteDatabase,
  { workspaceId, day, userId, user }: { workspaceId: string; day: string; userId: string; user: UserChange },
): void {
  const { runCounts, usage, startedRuns, lastSeenAt } = user;
  if (lastSeenAt !== null || hasRunCounts(runCounts)) {
    database.run(
      `INSERT INTO users (workspace_id, user_id, blocked, last_seen_at, running_runs, completed_runs, failed_runs,
         blocked_runs) VALUES (?, ?, 0, ?, ?, ?, ?, ?)
       ON CONFLICT (workspace_id, user_id) DO UPDATE SET
         last_seen_at = COALESCE(excluded.last_seen_at, last_seen_at),
         running_runs = running_runs + excluded.running_runs,
         completed_runs = completed_runs + excluded.completed_runs,
         failed_runs = failed_runs + excluded.failed_runs,
         blocked_runs = blocked_runs + excluded.blocked_runs`,
      workspaceId,
      userId,
      lastSeenAt,
      runCounts.RUNNING,
      runCounts.COMPLETED,
      runCounts.FAILED,
      runCounts.BLOCKED,
    );
  }
  if (startedRuns > 0 || hasUsage(usage)) {
    database.run(
      `INSERT INTO user_days (workspace_id, day, user_id, cost_pico_usd, prompt_tokens, completion_tokens,
         unpriced_tokens, run_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ${ON_CONFLICT_ADD_USAGE}, run_count = run_count + excluded.run_count`,
      workspaceId,
      day,
      userId,
      usage.costPicoUsd,
      usage.promptTokens,
      usage.completionTokens,
      usage.unpricedTokens,
      startedRuns,
    );
  }
}

function addModelDay(
  database: SqliteDatabase,
  {
    workspaceId,
    day,
    model,
    change,
  }: { workspaceId: string; day: string; model: string; change: ModelChange },
): void {
  const { usage, reportedSteps } = change;
  database.run(
    `INSERT INTO model_days (workspace_id, day, model, cost_pico_usd, prompt_tokens, completion_tokens,
       unpriced_tokens, step_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ${ON_CONFLICT_ADD_USAGE}, step_count = step_count + excluded.step_count`,
    workspaceId,
    day,
    model,
    usage.costPicoUsd,
    usage.promptTokens,
    usage.completionTokens,
    usage.unpricedTokens,
    reportedSteps,
  );
}

const ON_CONFLICT_ADD_USAGE = `
  ON CONFLICT DO UPDATE SET cost_pico_usd = cost_pico_usd + excluded.cost_pico_usd,
    prompt_tokens = prompt_tokens + excluded.prompt_tokens,
    completion_tokens = completion_tokens + excluded.completion_tokens,
    unpriced_tokens = unpriced_tokens + excluded.unpriced_tokens`;
