/** What a batch writes: the ledger and its counters, in the same transaction. */

import type { Run, RunCounts, RunState } from '../../domain/run.js';
import type { Step } from '../../domain/step.js';
import { hasRunCounts, hasUsage } from '../batch-counts.js';
import { toRulesText } from '../decision-text.js';
import type { BatchChanges, ModelChange, ReportedStepChange, UserChange } from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { putRememberedAnswer } from './sqlite-remembered-answers.js';

export function writeChanges(database: SqliteDatabase, changes: BatchChanges): void {
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
    `INSERT INTO runs (workspace_id, id, position, user_id, status, started_at, ended_at, step_count, total_tokens,
       total_cost_pico_usd, usage_version, decision_reason, decision_rules, metadata)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    workspaceId,
    run.id,
    run.position,
    run.userId,
    run.status,
    run.startedAt,
    run.endedAt,
    run.stepCount,
    run.totalTokens,
    run.totalCostPicoUsd,
    run.usageVersion,
    run.decision.reason,
    toRulesText(run.decision),
    run.metadata,
  );
}

/** A run that goes on keeps its status, and setting it all the same would write every index that has it. */
function updateRun(database: SqliteDatabase, workspaceId: string, run: RunState): void {
  if (run.status !== 'RUNNING') {
    database.run(
      'UPDATE runs SET status = ?, ended_at = ? WHERE workspace_id = ? AND id = ? AND status <> ?',
      run.status,
      run.endedAt,
      workspaceId,
      run.id,
      run.status,
    );
  }
  database.run(
    `UPDATE runs SET step_count = ?, total_tokens = ?, total_cost_pico_usd = ?, usage_version = ?
     WHERE workspace_id = ? AND id = ?`,
    run.stepCount,
    run.totalTokens,
    run.totalCostPicoUsd,
    run.usageVersion,
    workspaceId,
    run.id,
  );
}

function insertStep(database: SqliteDatabase, workspaceId: string, step: Step): void {
  database.run(
    `INSERT INTO steps (workspace_id, run_id, id, position, sequence, type, status, model, tool_name, prompt_tokens,
       completion_tokens, cost_pico_usd, duration_ms, decision_reason, decision_rules, created_at, reported_at,
       usage_version, input_data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, ?)`,
    workspaceId,
    step.runId,
    step.id,
    step.position,
    step.sequence,
    step.type,
    step.status,
    step.model,
    step.toolName,
    step.promptTokens,
    step.completionTokens,
    step.costPicoUsd,
    step.durationMs,
    step.decision.reason,
    toRulesText(step.decision),
    step.createdAt,
    step.inputData,
  );
}

function updateStep(database: SqliteDatabase, workspaceId: string, reported: ReportedStepChange): void {
  const { step, costPicoUsd, reportedAt, usageVersion } = reported;
  database.run(
    `UPDATE steps SET status = ?, duration_ms = ?, prompt_tokens = ?, completion_tokens = ?, cost_pico_usd = ?,
       reported_at = ?, usage_version = ? WHERE workspace_id = ? AND run_id = ? AND id = ?`,
    step.status,
    step.durationMs,
    step.promptTokens,
    step.completionTokens,
    costPicoUsd,
    reportedAt,
    usageVersion,
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
