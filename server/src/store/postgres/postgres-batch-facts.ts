/** What the decisions of a batch depend on, in one round trip. */

import { type Day, dayOf, firstDayOfMonth } from '../../domain/period.js';
import type { ModelPrice } from '../../domain/price.js';
import type { RunCounts, RunState } from '../../domain/run.js';
import type { StepState } from '../../domain/step.js';
import type { Usage } from '../../domain/usage.js';
import { type Row, readBoolean, readNumber, readText } from '../row.js';
import { toPrice } from '../rows/price-row.js';
import { toRememberedAnswer } from '../rows/remembered-answer-row.js';
import { toRunState } from '../rows/run-row.js';
import { toStepState } from '../rows/step-row.js';
import { toUsage } from '../rows/usage-row.js';
import { toWorkspace } from '../rows/workspace-row.js';
import type { BatchFacts, BatchNeeds, UserFacts } from '../store.js';
import type { PostgresTransaction, Statement } from './postgres-database.js';
import { loadRememberedAnswers } from './postgres-remembered-answers.js';
import { readTexts } from './postgres-row.js';
import { RUN_STATE_COLUMNS } from './postgres-runs.js';
import { USAGE_COLUMN_NAMES } from './postgres-usage.js';
import { WORKSPACE_COLUMNS } from './postgres-workspaces.js';

/** Everything is asked for at once; a question that no command of the batch needs is not asked. */
export async function loadFacts(
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
            SELECT ${USAGE_COLUMN_NAMES.map(today).join(', ')}, COALESCE(SUM(run_count), 0) AS monthly_run_count
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

function usageOrNothing(table: string): string {
  return USAGE_COLUMN_NAMES.map((column) => `COALESCE(${table}.${column}, 0) AS ${column}`).join(', ');
}
