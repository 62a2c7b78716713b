/** What a batch writes: the ledger and its counters, in bulk. */

import type { Day } from '../../domain/period.js';
import type { Run, RunCounts, RunState } from '../../domain/run.js';
import type { Step } from '../../domain/step.js';
import { hasRunCounts, hasUsage } from '../batch-counts.js';
import { toRulesText } from '../decision-text.js';
import type { BatchChanges, ModelChange, ReportedStepChange, UserChange } from '../store.js';
import type { SqlValue, Statement } from './postgres-database.js';
import { putRememberedAnswers } from './postgres-remembered-answers.js';
import { USAGE_COLUMN_NAMES, USAGE_COLUMNS } from './postgres-usage.js';

export function toStatements(changes: BatchChanges): Statement[] {
  const { workspaceId, day } = changes;
  const users = [...changes.users].sort(byKey);
  const seenUsers = users.filter(([, user]) => user.lastSeenAt !== null || hasRunCounts(user.runCounts));
  const spendingUsers = users.filter(([, user]) => user.startedRuns > 0 || hasUsage(user.usage));
  const statements: Statement[] = [];
  for (const runs of chunksOf(changes.newRuns, ({ metadata }) => metadata?.length ?? 0)) {
    statements.push(insertRuns(workspaceId, runs));
  }
  for (const steps of chunksOf(changes.newSteps, ({ inputData }) => inputData?.length ?? 0)) {
    statements.push(insertSteps(workspaceId, steps));
  }
  if (changes.reportedSteps.length > 0) statements.push(updateSteps(workspaceId, changes.reportedSteps));
  if (changes.changedRuns.length > 0) statements.push(updateRuns(workspaceId, changes.changedRuns));
  if (hasRunCounts(changes.runCounts)) statements.push(addRunCounts(workspaceId, changes.runCounts));
  if (changes.startedRuns > 0 || hasUsage(changes.usage)) statements.push(addWorkspaceDay(changes));
  if (seenUsers.length > 0) statements.push(addUsers(workspaceId, seenUsers));
  if (spendingUsers.length > 0) statements.push(addUserDays({ workspaceId, day }, spendingUsers));
  if (changes.models.size > 0)
    statements.push(addModelDays({ workspaceId, day }, [...changes.models].sort(byKey)));
  if (changes.denials.size > 0)
    statements.push(addDenialDays({ workspaceId, day }, [...changes.denials].sort(byKey)));
  if (changes.newAnswers.length > 0) statements.push(putRememberedAnswers(workspaceId, changes.newAnswers));
  return statements;
}

/** Payloads travel in one array per statement; a batch of large ones is spread over several. */
const MAX_STATEMENT_CHARACTERS = 8 * 1024 * 1024;

function chunksOf<Item>(items: readonly Item[], lengthOf: (item: Item) => number): Item[][] {
  const chunks: Item[][] = [];
  let chunk: Item[] = [];
  let length = 0;
  for (const item of items) {
    if (chunk.length === 0 || length + lengthOf(item) > MAX_STATEMENT_CHARACTERS) {
      chunk = [];
      length = 0;
      chunks.push(chunk);
    }
    chunk.push(item);
    length += lengthOf(item);
  }
  return chunks;
}

function insertRuns(workspaceId: string, runs: readonly Run[]): Statement {
  return {
    sql: `INSERT INTO runs (workspace_id, id, position, user_id, status, metadata, started_at, ended_at, step_count,
            total_tokens, total_cost_pico_usd, decision_reason, decision_rules)
          SELECT $1, new.* FROM unnest($2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[],
            $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::text[], $13::text[]) AS new`,
    values: [
      workspaceId,
      ...columnsOf(runs, [
        (run) => run.id,
        (run) => run.position,
        (run) => run.userId,
        (run) => run.status,
        (run) => run.metadata,
        (run) => run.startedAt,
        (run) => run.endedAt,
        (run) => run.stepCount,
        (run) => run.totalTokens,
        (run) => run.totalCostPicoUsd,
        (run) => run.decision.reason,
        (run) => toRulesText(run.decision),
      ]),
    ],
  };
}

function updateRuns(workspaceId: string, runs: readonly RunState[]): Statement {
  return {
    sql: `UPDATE runs SET status = new.status, ended_at = new.ended_at, step_count = new.step_count,
            total_tokens = new.total_tokens, total_cost_pico_usd = new.total_cost_pico_usd
          FROM unnest($2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
            AS new (id, status, ended_at, step_count, total_tokens, total_cost_pico_usd)
          WHERE runs.workspace_id = $1 AND runs.id = new.id`,
    values: [
      workspaceId,
      ...columnsOf(runs, [
        (run) => run.id,
        (run) => run.status,
        (run) => run.endedAt,
        (run) => run.stepCount,
        (run) => run.totalTokens,
        (run) => run.totalCostPicoUsd,
      ]),
    ],
  };
}

function insertSteps(workspaceId: string, steps: readonly Step[]): Statement {
  return {
    sql: `INSERT INTO steps (workspace_id, run_id, id, position, sequence, type, status, model, tool_name, input_data,
            prompt_tokens, completion_tokens, cost_pico_usd, duration_ms, decision_reason, decision_rules, created_at)
          SELECT $1, new.* FROM unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
            $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[],
            $15::text[], $16::text[], $17::bigint[]) AS new`,
    values: [
      workspaceId,
      ...columnsOf(steps, [
        (step) => step.runId,
        (step) => step.id,
        (step) => step.position,
        (step) => step.sequence,
        (step) => step.type,
        (step) => step.status,
        (step) => step.model,
        (step) => step.toolName,
        (step) => step.inputData,
        (step) => step.promptTokens,
        (step) => step.completionTokens,
        (step) => step.costPicoUsd,
        (step) => step.durationMs,
        (step) => step.decision.reason,
        (step) => toRulesText(step.decision),
        (step) => step.createdAt,
      ]),
    ],
  };
}

function updateSteps(workspaceId: string, reported: readonly ReportedStepChange[]): Statement {
  return {
    sql: `UPDATE steps SET status = new.status, duration_ms = new.duration_ms, prompt_tokens = new.prompt_tokens,
            completion_tokens = new.completion_tokens, cost_pico_usd = new.cost_pico_usd,
            reported_at = new.reported_at
          FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
              $9::bigint[])
            AS new (run_id, id, status, duration_ms, prompt_tokens, completion_tokens, cost_pico_usd, reported_at)
          WHERE steps.workspace_id = $1 AND steps.run_id = new.run_id AND steps.id = new.id`,
    values: [
      workspaceId,
      ...columnsOf(reported, [
        ({ step }) => step.runId,
        ({ step }) => step.id,
        ({ step }) => step.status,
        ({ step }) => step.durationMs,
        ({ step }) => step.promptTokens,
        ({ step }) => step.completionTokens,
        ({ costPicoUsd }) => costPicoUsd,
        ({ reportedAt }) => reportedAt,
      ]),
    ],
  };
}

function addRunCounts(workspaceId: string, counts: RunCounts): Statement {
  return {
    sql: `UPDATE workspace_counters SET running_runs = running_runs + $2, completed_runs = completed_runs + $3,
            failed_runs = failed_runs + $4, blocked_runs = blocked_runs + $5 WHERE workspace_id = $1`,
    values: [workspaceId, counts.RUNNING, counts.COMPLETED, counts.FAILED, counts.BLOCKED],
  };
}

function addWorkspaceDay({ workspaceId, day, usage, startedRuns }: BatchChanges): Statement {
  return {
    sql: `INSERT INTO workspace_days (workspace_id, day, ${USAGE_COLUMNS}, run_count)
          VALUES ($1, $2, $3, $4, $5, $6, $7)
          ON CONFLICT (workspace_id, day) DO UPDATE SET ${addExcluded('workspace_days', [...USAGE_COLUMN_NAMES, 'run_count'])}`,
    values: [
      workspaceId,
      day,
      usage.costPicoUsd,
      usage.promptTokens,
      usage.completionTokens,
      usage.unpricedTokens,
      startedRuns,
    ],
  };
}

function addUsers(workspaceId: string, users: readonly (readonly [string, UserChange])[]): Statement {
  return {
    sql: `INSERT INTO users (workspace_id, blocked, user_id, last_seen_at, ${RUN_COUNTS.join(', ')})
          SELECT $1, false, new.* FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
            $7::bigint[]) AS new
          ON CONFLICT (workspace_id, user_id) DO UPDATE SET
            last_seen_at = COALESCE(excluded.last_seen_at, users.last_seen_at), ${addExcluded('users', RUN_COUNTS)}`,
    values: [
      workspaceId,
      ...columnsOf(users, [
        ([userId]) => userId,
        ([, user]) => user.lastSeenAt,
        ([, user]) => user.runCounts.RUNNING,
        ([, user]) => user.runCounts.COMPLETED,
        ([, user]) => user.runCounts.FAILED,
        ([, user]) => user.runCounts.BLOCKED,
      ]),
    ],
  };
}

function addUserDays(
  { workspaceId, day }: { workspaceId: string; day: Day },
  users: readonly (readonly [string, UserChange])[],
): Statement {
  return {
    sql: `INSERT INTO user_days (workspace_id, day, user_id, ${USAGE_COLUMNS}, run_count)
          SELECT $1, $2, new.* FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
            $8::bigint[]) AS new
          ON CONFLICT (workspace_id, day, user_id)
            DO UPDATE SET ${addExcluded('user_days', [...USAGE_COLUMN_NAMES, 'run_count'])}`,
    values: [
      workspaceId,
      day,
      ...columnsOf(users, [
        ([userId]) => userId,
        ([, user]) => user.usage.costPicoUsd,
        ([, user]) => user.usage.promptTokens,
        ([, user]) => user.usage.completionTokens,
        ([, user]) => user.usage.unpricedTokens,
        ([, user]) => user.startedRuns,
      ]),
    ],
  };
}

function addModelDays(
  { workspaceId, day }: { workspaceId: string; day: Day },
  models: readonly (readonly [string, ModelChange])[],
): Statement {
  return {
    sql: `INSERT INTO model_days (workspace_id, day, model, ${USAGE_COLUMNS}, step_count)
          SELECT $1, $2, new.* FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
            $8::bigint[]) AS new
          ON CONFLICT (workspace_id, day, model)
            DO UPDATE SET ${addExcluded('model_days', [...USAGE_COLUMN_NAMES, 'step_count'])}`,
    values: [
      workspaceId,
      day,
      ...columnsOf(models, [
        ([model]) => model,
        ([, { usage }]) => usage.costPicoUsd,
        ([, { usage }]) => usage.promptTokens,
        ([, { usage }]) => usage.completionTokens,
        ([, { usage }]) => usage.unpricedTokens,
        ([, { reportedSteps }]) => reportedSteps,
      ]),
    ],
  };
}

function addDenialDays(
  { workspaceId, day }: { workspaceId: string; day: Day },
  denials: readonly (readonly [string, number])[],
): Statement {
  return {
    sql: `INSERT INTO denial_days (workspace_id, day, reason, denial_count)
          SELECT $1, $2, new.* FROM unnest($3::text[], $4::bigint[]) AS new
          ON CONFLICT (workspace_id, day, reason) DO UPDATE SET ${addExcluded('denial_days', ['denial_count'])}`,
    values: [workspaceId, day, ...columnsOf(denials, [([reason]) => reason, ([, count]) => count])],
  };
}

const RUN_COUNTS = ['running_runs', 'completed_runs', 'failed_runs', 'blocked_runs'] as const;

function addExcluded(table: string, columns: readonly string[]): string {
  return columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');
}

/** One array per column, for unnest. */
function columnsOf<Item>(items: readonly Item[], columns: readonly ((item: Item) => SqlValue)[]): SqlValue[] {
  return columns.map((column) => items.map(column));
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}
