/**
 * The data plane on PostgreSQL: one lane per workspace. A batch takes three round trips: lock and read the clock; load;
 * write and commit. The lock comes first and alone decides the order of batches, on whatever instance.
 */

import { type Day, dayOf, firstDayOfMonth } from '../../domain/period.js';
import type { ModelPrice } from '../../domain/price.js';
import type { Run, RunCounts, RunState } from '../../domain/run.js';
import type { Step, StepState } from '../../domain/step.js';
import type { Usage } from '../../domain/usage.js';
import { hasRunCounts, hasUsage } from '../batch-counts.js';
import { toRulesText } from '../decision-text.js';
import { type Row, readBoolean, readNumber, readText } from '../row.js';
import { toPrice } from '../rows/price-row.js';
import { toRememberedAnswer } from '../rows/remembered-answer-row.js';
import { toRunCounts, toRunState } from '../rows/run-row.js';
import { toStepState } from '../rows/step-row.js';
import { toUsage } from '../rows/usage-row.js';
import { toWorkspace } from '../rows/workspace-row.js';
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
import type { PostgresClock } from './postgres-clock.js';
import type { PostgresDatabase, PostgresTransaction, SqlValue, Statement } from './postgres-database.js';
import { loadRememberedAnswers, putRememberedAnswers } from './postgres-remembered-answers.js';
import { readTexts } from './postgres-row.js';
import { RUN_STATE_COLUMNS } from './postgres-runs.js';
import { lockWorkspace, WORKSPACE_COLUMNS } from './postgres-workspaces.js';

export class PostgresBatches implements BatchStore {
  readonly #database: PostgresDatabase;
  readonly #clock: PostgresClock;

  constructor(database: PostgresDatabase, clock: PostgresClock) {
    this.#database = database;
    this.#clock = clock;
  }

  laneOf(workspaceId: string): string {
    return workspaceId;
  }

  async commit(
    needs: readonly BatchNeeds[],
    decide: (facts: readonly BatchFacts[]) => BatchChanges[],
  ): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const locked = await lockWorkspaces(transaction, needs);
      const now = this.#clock.timeIn(locked.last);
      const facts = await Promise.all(
        needs.map((need) =>
          loadFacts(transaction, { needs: need, now, runCounts: locked.runCountsOf(need) }),
        ),
      );
      await transaction.finish(...decide(facts).flatMap(toStatements));
    });
  }
}

// ── Lock ───────────────────────────────────────────────────────────────────────────────────────────────────────────

interface LockedWorkspaces {
  /** The one locked when all others were. */
  readonly last: Row | undefined;
  runCountsOf(needs: BatchNeeds): RunCounts;
}

/** In the order of their ids, so that two batches never wait for each other. */
async function lockWorkspaces(
  transaction: PostgresTransaction,
  needs: readonly BatchNeeds[],
): Promise<LockedWorkspaces> {
  const ids = needs.map(({ workspaceId }) => workspaceId).sort();
  const results = await transaction.send(...ids.map(lockWorkspace));
  return {
    last: results.at(-1)?.[0],
    runCountsOf: ({ workspaceId }) => {
      const row = results[ids.indexOf(workspaceId)]?.[0];
      if (row === undefined) throw new Error(`Workspace ${workspaceId} has no counters`);
      return toRunCounts(row);
    },
  };
}

// ── Load ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Everything is asked for at once; a question that no command of the batch needs is not asked. */
async function loadFacts(
  transaction: PostgresTransaction,
  { needs, now, runCounts }: { needs: BatchNeeds; now: number; runCounts: RunCounts },
): Promise<BatchFacts> {
  const { workspaceId } = needs;
  const day = dayOf(now);
  const hasSteps = needs.steps.length > 0;
  const load = async (statement: Statement, isNeeded = true): Promise<Row[]> =>
    isNeeded ? ((await transaction.send(statement))[0] ?? []) : [];
  const [[workspace], users, runs, steps, models, answers] = await Promise.all([
    load(loadWorkspace(needs, { day, monthStart: firstDayOfMonth(now) })),
    load(loadUsers(needs, day)),
    load(loadRuns(needs), needs.runIds.size > 0),
    load(loadSteps(needs), hasSteps),
    load(loadModels(needs, day), hasSteps),
    load(loadRememberedAnswers(workspaceId, needs.idempotencyKeyHashes), needs.idempotencyKeyHashes.size > 0),
  ]);
  if (workspace === undefined) throw new Error(`Workspace ${workspaceId} does not exist`);
  return {
    now,
    workspace: toWorkspace(workspace),
    activeApiKeyIds: new Set(readTexts(workspace, 'active_api_key_ids')),
    runCounts,
    monthlyRunCount: readNumber(workspace, 'monthly_run_count'),
    usageToday: toUsage(workspace),
    users: new Map(users.map((row): [string, UserFacts] => [readText(row, 'user_id'), toUserFacts(row)])),
    runs: new Map(runs.map((row): [string, RunState] => [readText(row, 'id'), toRunState(row)])),
    steps: new Map(steps.map((row): [string, StepState] => [readText(row, 'id'), toStepState(row)])),
    prices: toPrices(models),
    modelUsageToday: new Map(models.map((row): [string, Usage] => [readText(row, 'model'), toUsage(row)])),
    rememberedAnswers: new Map(answers.map(toRememberedAnswer).map((answer) => [answer.keyHash, answer])),
  };
}

/** The workspace with which of the keys are active, today's usage and the runs of this month. */
function loadWorkspace(
  { workspaceId, apiKeyIds }: BatchNeeds,
  { day, monthStart }: { day: Day; monthStart: Day },
): Statement {
  const today = (column: string) => `COALESCE(SUM(${column}) FILTER (WHERE day = $3), 0) AS ${column}`;
  return {
    sql: `SELECT ${WORKSPACE_COLUMNS}, month.*,
            ARRAY (
              SELECT k.id::text FROM api_keys k WHERE k.workspace_id = $1 AND k.id = ANY ($4::uuid[]) AND k.is_active
            ) AS active_api_key_ids
          FROM workspaces
          CROSS JOIN (
            SELECT ${USAGE.map(today).join(', ')}, COALESCE(SUM(run_count), 0) AS monthly_run_count
            FROM workspace_days WHERE workspace_id = $1 AND day BETWEEN $2 AND $3
          ) AS month
          WHERE id = $1`,
    values: [workspaceId, monthStart, day, [...apiKeyIds]],
  };
}

/** The starting users and the users of the runs. */
function loadUsers({ workspaceId, startingUserIds, runIds }: BatchNeeds, day: Day): Statement {
  return {
    sql: `SELECT asked.user_id, COALESCE(u.blocked, false) AS blocked, ${usageOrNothing('d')}
          FROM (
            SELECT unnest($3::text[]) COLLATE "C" AS user_id
            UNION SELECT user_id FROM runs WHERE workspace_id = $1 AND id = ANY ($4::uuid[])
          ) AS asked
          LEFT JOIN users u ON u.workspace_id = $1 AND u.user_id = asked.user_id
          LEFT JOIN user_days d ON d.workspace_id = $1 AND d.day = $2 AND d.user_id = asked.user_id`,
    values: [workspaceId, day, [...startingUserIds], [...runIds]],
  };
}

function loadRuns({ workspaceId, runIds }: BatchNeeds): Statement {
  return {
    sql: `SELECT ${RUN_STATE_COLUMNS} FROM runs WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
    values: [workspaceId, [...runIds]],
  };
}

function loadSteps({ workspaceId, steps }: BatchNeeds): Statement {
  return {
    sql: `SELECT s.id, s.run_id, s.status, s.model, s.duration_ms, s.prompt_tokens, s.completion_tokens
          FROM unnest($2::uuid[], $3::uuid[]) AS asked (run_id, id)
          JOIN steps s ON s.workspace_id = $1 AND s.run_id = asked.run_id AND s.id = asked.id`,
    values: [workspaceId, steps.map(({ runId }) => runId), steps.map(({ stepId }) => stepId)],
  };
}

/** The models of the steps, each with its price, if it has one, and its usage. */
function loadModels({ workspaceId, steps }: BatchNeeds, day: Day): Statement {
  return {
    sql: `SELECT asked.model, p.id, p.input_usd, p.output_usd, p.is_active, ${usageOrNothing('d')}
          FROM (
            SELECT DISTINCT s.model FROM unnest($3::uuid[], $4::uuid[]) AS key (run_id, id)
            JOIN steps s ON s.workspace_id = $1 AND s.run_id = key.run_id AND s.id = key.id
            WHERE s.model IS NOT NULL
          ) AS asked
          LEFT JOIN model_prices p ON p.workspace_id = $1 AND p.model = asked.model
          LEFT JOIN model_days d ON d.workspace_id = $1 AND d.day = $2 AND d.model = asked.model`,
    values: [workspaceId, day, steps.map(({ runId }) => runId), steps.map(({ stepId }) => stepId)],
  };
}

function toUserFacts(row: Row): UserFacts {
  return { blocked: readBoolean(row, 'blocked'), usageToday: toUsage(row) };
}

function toPrices(rows: readonly Row[]): Map<string, ModelPrice> {
  const prices = new Map<string, ModelPrice>();
  for (const row of rows) if (row['id'] !== null) prices.set(readText(row, 'model'), toPrice(row));
  return prices;
}

// ── Write ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function toStatements(changes: BatchChanges): Statement[] {
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
    sql: `INSERT INTO workspace_days (workspace_id, day, ${USAGE.join(', ')}, run_count)
          VALUES ($1, $2, $3, $4, $5, $6, $7)
          ON CONFLICT (workspace_id, day) DO UPDATE SET ${addExcluded('workspace_days', [...USAGE, 'run_count'])}`,
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
    sql: `INSERT INTO user_days (workspace_id, day, user_id, ${USAGE.join(', ')}, run_count)
          SELECT $1, $2, new.* FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
            $8::bigint[]) AS new
          ON CONFLICT (workspace_id, day, user_id)
            DO UPDATE SET ${addExcluded('user_days', [...USAGE, 'run_count'])}`,
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
    sql: `INSERT INTO model_days (workspace_id, day, model, ${USAGE.join(', ')}, step_count)
          SELECT $1, $2, new.* FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
            $8::bigint[]) AS new
          ON CONFLICT (workspace_id, day, model)
            DO UPDATE SET ${addExcluded('model_days', [...USAGE, 'step_count'])}`,
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

const USAGE = ['cost_pico_usd', 'prompt_tokens', 'completion_tokens', 'unpriced_tokens'] as const;
const RUN_COUNTS = ['running_runs', 'completed_runs', 'failed_runs', 'blocked_runs'] as const;

function addExcluded(table: string, columns: readonly string[]): string {
  return columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');
}

function usageOrNothing(table: string): string {
  return USAGE.map((column) => `COALESCE(${table}.${column}, 0) AS ${column}`).join(', ');
}

/** One array per column, for unnest. */
function columnsOf<Item>(items: readonly Item[], columns: readonly ((item: Item) => SqlValue)[]): SqlValue[] {
  return columns.map((column) => items.map(column));
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}
