/**
 * A month of runs as SQL, the same for both stores except for how an id is made. One chunk is one day of one workspace;
 * every run has the same ten steps, all on the day on which the run started, so that the counters of a day follow from its
 * runs.
 */

import { bucketOf } from '../server/src/domain/duration-buckets.js';

export interface FillChunk {
  readonly workspaceId: string;
  /** Makes ids differ between workspaces. */
  readonly workspaceNumber: number;
  readonly day: string;
  readonly dayStart: number;
  readonly firstPosition: number;
  readonly lastPosition: number;
}

/** The rows that the service itself wrote for one run with one step. */
export interface FillSample {
  readonly runRules: string;
  readonly stepRules: string;
}

/** Everything that a store is filled with. */
export interface FillPlan {
  readonly workspaceIds: readonly string[];
  readonly chunks: readonly FillChunk[];
  readonly sample: FillSample;
}

/** The SQL of a version 7 UUID, from the SQL expressions of a time in milliseconds and of a number. */
export type IdExpression = (given: { timeMs: string; number: string }) => string;

export const STEPS_PER_RUN = 10;
export const FILL_DAYS = 30;
const USERS = 2_000;
/** Values of an entry of metadata. */
const PLANS = 20;
/** The share of the first workspace in all runs. */
const LARGEST_SHARE = 0.6;
const DAY_MS = 86_400_000;
/** Runs start early enough for their steps to be on the same day. */
const STARTS_UNTIL_MS = DAY_MS - 60_000;
const STEP_MS = 1_000;
/** The odd ones of ten steps call a model; three of these are priced. */
const PRICED_STEPS = '(1, 5, 9)';
const UNPRICED_STEPS = '(3, 7)';
const STEP_DURATION_MS = 900;
const PROMPT_TOKENS = 800;
const COMPLETION_TOKENS = 200;
const STEP_COST_PICO_USD = 4_000_000_000;
const PRICED_PER_RUN = 3;
const UNPRICED_PER_RUN = 2;
const REPORTED_PER_RUN = PRICED_PER_RUN + UNPRICED_PER_RUN;
/** 200 bytes. */
const INPUT_DATA = JSON.stringify({ query: 'x'.repeat(188) });

const USAGE_OF_RUNS = `
  COUNT(*) * ${PRICED_PER_RUN * STEP_COST_PICO_USD}, COUNT(*) * ${REPORTED_PER_RUN * PROMPT_TOKENS},
  COUNT(*) * ${REPORTED_PER_RUN * COMPLETION_TOKENS},
  COUNT(*) * ${UNPRICED_PER_RUN * (PROMPT_TOKENS + COMPLETION_TOKENS)}`;
const USAGE_COLUMNS = 'cost_pico_usd, prompt_tokens, completion_tokens, unpriced_tokens';

/** Days of workspaces, oldest first. The first workspace has most of the runs. */
export function fillChunks(given: {
  workspaceIds: readonly string[];
  runs: number;
  now: number;
}): FillChunk[] {
  const { workspaceIds, runs, now } = given;
  const others = workspaceIds.length - 1;
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return Array.from({ length: FILL_DAYS }, (_, index) => index).flatMap((index) =>
    workspaceIds.map((workspaceId, workspaceNumber) => {
      const share = workspaceNumber === 0 ? LARGEST_SHARE : (1 - LARGEST_SHARE) / others;
      const until = (days: number) => Math.round((runs * share * days) / FILL_DAYS);
      // The last day is yesterday: nothing is in the future.
      const dayStart = today - (FILL_DAYS - index) * DAY_MS;
      return {
        workspaceId,
        workspaceNumber,
        day: new Date(dayStart).toISOString().slice(0, 10),
        dayStart,
        firstPosition: until(index) + 1,
        lastPosition: until(index + 1),
      };
    }),
  );
}

/** `series` yields the integers from first to last as the column `position`. */
export function chunkStatements(given: {
  chunk: FillChunk;
  sample: FillSample;
  idOf: IdExpression;
  series: (range: { first: number; last: number }) => string;
}): string[] {
  const { chunk, sample, idOf, series } = given;
  const { workspaceId, workspaceNumber, day, dayStart, firstPosition, lastPosition } = chunk;
  const count = lastPosition - firstPosition + 1;
  const startedAt = `(${dayStart} + (position - ${firstPosition}) * ${STARTS_UNTIL_MS} / ${count})`;
  const numberBase = (workspaceNumber + 1) * 2 ** 40;
  const isOfChunk = `workspace_id = '${workspaceId}' AND position BETWEEN ${firstPosition} AND ${lastPosition}`;
  return [
    `INSERT INTO runs (workspace_id, id, position, user_id, status, end_reason, metadata, started_at, ended_at, step_count,
       total_tokens, total_cost_pico_usd, usage_version, decision_reason, decision_rules)
     SELECT '${workspaceId}', ${idOf({ timeMs: startedAt, number: `(${numberBase} + position * 16)` })}, position,
       'user-' || (position * 7919 % ${USERS}), CASE WHEN position % 25 = 0 THEN 'FAILED' ELSE 'COMPLETED' END,
       CASE WHEN position % 50 = 0 THEN 'STOPPED' END,
       '{"source":"fill","plan":"plan-' || (position % ${PLANS}) || '"}', ${startedAt}, ${startedAt} + ${(STEPS_PER_RUN + 1) * STEP_MS}, ${STEPS_PER_RUN},
       ${REPORTED_PER_RUN * (PROMPT_TOKENS + COMPLETION_TOKENS)}, ${PRICED_PER_RUN * STEP_COST_PICO_USD}, 0, NULL,
       '${sample.runRules}'
     FROM (${series({ first: firstPosition, last: lastPosition })}) AS positions`,
    metadataOf({ isOfChunk, name: 'source', value: `'fill'` }),
    metadataOf({ isOfChunk, name: 'plan', value: `'plan-' || (position % ${PLANS})` }),
    `INSERT INTO steps (workspace_id, run_id, id, position, sequence, type, status, model, tool_name, input_data,
       prompt_tokens, completion_tokens, cost_pico_usd, duration_ms, decision_reason, decision_rules, created_at,
       reported_at)
     SELECT run.workspace_id, run.id,
       ${idOf({ timeMs: `(run.started_at + sequence * ${STEP_MS})`, number: `(${numberBase} + run.position * 16 + sequence)` })},
       sequence, sequence, CASE sequence % 2 WHEN 1 THEN 'MODEL_CALL' ELSE 'TOOL_CALL' END, 'COMPLETED',
       CASE WHEN sequence IN ${PRICED_STEPS} THEN 'gpt-4o' WHEN sequence IN ${UNPRICED_STEPS} THEN 'in-house-model' END,
       CASE sequence % 2 WHEN 0 THEN 'search' END, '${INPUT_DATA}',
       CASE sequence % 2 WHEN 1 THEN ${PROMPT_TOKENS} END, CASE sequence % 2 WHEN 1 THEN ${COMPLETION_TOKENS} END,
       CASE WHEN sequence IN ${PRICED_STEPS} THEN ${STEP_COST_PICO_USD} END, ${STEP_DURATION_MS}, NULL, '${sample.stepRules}',
       run.started_at + sequence * ${STEP_MS}, run.started_at + sequence * ${STEP_MS} + ${STEP_DURATION_MS}
     FROM (SELECT workspace_id, id, position, started_at FROM runs WHERE ${isOfChunk}) AS run
     CROSS JOIN (${sequences()}) AS sequences`,
    `INSERT INTO user_days (workspace_id, day, user_id, ${USAGE_COLUMNS}, run_count)
     SELECT workspace_id, '${day}', user_id, ${USAGE_OF_RUNS}, COUNT(*) FROM runs WHERE ${isOfChunk}
     GROUP BY workspace_id, user_id`,
    `INSERT INTO workspace_days (workspace_id, day, ${USAGE_COLUMNS}, run_count)
     SELECT workspace_id, '${day}', ${USAGE_OF_RUNS}, COUNT(*) FROM runs WHERE ${isOfChunk} GROUP BY workspace_id`,
    ...MODELS.flatMap((model) => [
      modelDay(chunk, model),
      callDay(chunk, model),
      userModelDays({ isOfChunk, day, model }),
    ]),
  ];
}

/** Run once, after all runs are written. */
export function closingStatements(workspaceIds: readonly string[]): string[] {
  const isFilled = `workspace_id IN (${workspaceIds.map((id) => `'${id}'`).join(', ')})`;
  const countOf = (status: string) => `SUM(CASE WHEN status = '${status}' THEN 1 ELSE 0 END)`;
  const totalOf = (status: string) =>
    `(SELECT COUNT(*) FROM runs WHERE runs.workspace_id = workspace_counters.workspace_id AND status = '${status}')`;
  return [
    `INSERT INTO users (workspace_id, user_id, blocked, last_seen_at, running_runs, completed_runs, failed_runs,
       blocked_runs)
     SELECT workspace_id, user_id, FALSE, MAX(started_at), 0, ${countOf('COMPLETED')}, ${countOf('FAILED')}, 0
     FROM runs WHERE ${isFilled} GROUP BY workspace_id, user_id`,
    `UPDATE workspace_counters SET completed_runs = ${totalOf('COMPLETED')}, failed_runs = ${totalOf('FAILED')}
     WHERE ${isFilled}`,
  ];
}

function metadataOf({ isOfChunk, name, value }: { isOfChunk: string; name: string; value: string }): string {
  return `INSERT INTO run_metadata (workspace_id, name, value, position)
     SELECT workspace_id, '${name}', ${value}, position FROM runs WHERE ${isOfChunk}`;
}

interface FilledModel {
  readonly name: string;
  readonly perRun: number;
  /** Of one step. */
  readonly costPicoUsd: number;
  readonly unpricedTokens: number;
}

const MODELS: readonly FilledModel[] = [
  { name: 'gpt-4o', perRun: PRICED_PER_RUN, costPicoUsd: STEP_COST_PICO_USD, unpricedTokens: 0 },
  {
    name: 'in-house-model',
    perRun: UNPRICED_PER_RUN,
    costPicoUsd: 0,
    unpricedTokens: PROMPT_TOKENS + COMPLETION_TOKENS,
  },
];

/** In the order of USAGE_COLUMNS, and then the steps themselves. */
function usageOfStep({ costPicoUsd, unpricedTokens }: FilledModel): number[] {
  return [costPicoUsd, PROMPT_TOKENS, COMPLETION_TOKENS, unpricedTokens, 1];
}

function stepsOf({ firstPosition, lastPosition }: FillChunk, { perRun }: FilledModel): number {
  return (lastPosition - firstPosition + 1) * perRun;
}

function modelDay(chunk: FillChunk, model: FilledModel): string {
  const values = usageOfStep(model).map((value) => value * stepsOf(chunk, model));
  return `INSERT INTO model_days (workspace_id, day, model, ${USAGE_COLUMNS}, step_count)
     VALUES ('${chunk.workspaceId}', '${chunk.day}', '${model.name}', ${values.join(', ')})`;
}

function callDay(chunk: FillChunk, model: FilledModel): string {
  return `INSERT INTO model_call_days (workspace_id, day, model, status, bucket, call_count)
     VALUES ('${chunk.workspaceId}', '${chunk.day}', '${model.name}', 'COMPLETED', ${bucketOf(STEP_DURATION_MS)},
       ${stepsOf(chunk, model)})`;
}

function userModelDays(given: { isOfChunk: string; day: string; model: FilledModel }): string {
  const { isOfChunk, day, model } = given;
  const values = usageOfStep(model).map((value) => `COUNT(*) * ${value * model.perRun}`);
  return `INSERT INTO user_model_days (workspace_id, day, user_id, model, ${USAGE_COLUMNS}, step_count)
     SELECT workspace_id, '${day}', user_id, '${model.name}', ${values.join(', ')} FROM runs WHERE ${isOfChunk}
     GROUP BY workspace_id, user_id`;
}

function sequences(): string {
  return Array.from({ length: STEPS_PER_RUN }, (_, index) => `SELECT ${index + 1} AS sequence`).join(
    ' UNION ALL ',
  );
}
