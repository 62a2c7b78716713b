/** What the decisions of a batch depend on: for all its workspaces together, in one round trip. */

import { MAX_OPEN_HOLDS } from '../../domain/hold.js';
import { dayOf, firstDayOfMonth } from '../../domain/period.js';
import type { StepState } from '../../domain/step.js';
import { listOf, omit } from '../columns.js';
import { hasMoreDue, runsToSettle, toDueRuns } from '../due-runs.js';
import { type Row, readBigint, readBoolean, readNumber, readText, type SqlValue } from '../row.js';
import {
  toIdempotencyRecord,
  toModelUsageToday,
  toPrice,
  toRunState,
  toStepState,
  toUsage,
  toWorkspace,
} from '../rows.js';
import { type BatchFacts, type BatchNeeds, type DueRuns, MAX_DUE_RUNS, type UserFacts } from '../store.js';
import {
  IDEMPOTENCY_RECORDS,
  MODEL_USAGE_OR_NOTHING,
  PRICE,
  RUN_STATE,
  STEP_STATE,
  USAGE_OR_NOTHING,
  WORKSPACES,
} from '../tables.js';
import { arrayLiteral } from './postgres-arrays.js';
import { arraysAs, rowOf } from './postgres-bulk.js';
import type { PostgresTransaction } from './postgres-database.js';

/** Without what the lock tells, the time and the counters, and what depends on it. */
type LoadedFacts = Omit<
  BatchFacts,
  'now' | 'runCounts' | 'nextDueAt' | 'heldPicoUsd' | 'dueRuns' | 'openHolds'
>;

/** As of a day, in the order of the needs, without workspaces that do not exist. A query that no command needs is not sent. */
export async function loadFacts(
  transaction: PostgresTransaction,
  { needs, now }: { readonly needs: readonly BatchNeeds[]; readonly now: number },
): Promise<LoadedFacts[]> {
  const day = dayOf(now);
  const load = async (sql: string, keys: readonly string[][], ...values: SqlValue[]) =>
    byWorkspace(keys[0]?.length === 0 ? [] : await transaction.query(sql, ...keys.map(toTexts), ...values));
  const stepKeys = stepKeysOf(needs);
  const [workspaces, apiKeys, users, runs, steps, models, called, records] = await Promise.all([
    load(LOAD_WORKSPACES, [needs.map(({ workspaceId }) => workspaceId)], firstDayOfMonth(now), day),
    load(LOAD_ACTIVE_API_KEYS, keysOf(needs, 'apiKeyIds')),
    load(LOAD_USERS, keysOf(needs, 'startingUserIds'), day),
    load(LOAD_RUNS_WITH_USERS, keysOf(needs, 'runIds'), day),
    load(LOAD_STEPS, stepKeys),
    load(LOAD_MODELS, stepKeys, day),
    load(LOAD_PRICES, keysOf(needs, 'models')),
    load(LOAD_IDEMPOTENCY_RECORDS, keysOf(needs, 'idempotencyKeyHashes')),
  ]);
  return needs.flatMap(({ workspaceId }): LoadedFacts | [] => {
    const [workspace] = workspaces(workspaceId);
    if (workspace === undefined) return [];
    const foundRuns = runs(workspaceId);
    const foundModels = models(workspaceId);
    const priced = [...foundModels.filter((row) => row['id'] !== null), ...called(workspaceId)];
    return {
      workspace: toWorkspace(workspace),
      activeApiKeyIds: new Set(apiKeys(workspaceId).map((row) => readText(row, 'id'))),
      monthlyRunCount: readNumber(workspace, 'monthly_run_count'),
      usageToday: toUsage(workspace),
      users: toMap([...users(workspaceId), ...foundRuns], 'user_id', toUserFacts),
      runs: toMap(foundRuns, 'id', toRunState),
      steps: toMap(steps(workspaceId), 'id', toStepState),
      prices: toMap(priced, 'model', toPrice),
      modelUsageToday: toMap(foundModels, 'model', toModelUsageToday),
      idempotencyRecords: toMap(records(workspaceId), 'key_hash', toIdempotencyRecord),
    };
  });
}

/** Of the workspaces that are locked, with what depends on the exact time: runs that are due, and holds to settle. */
export async function completeFacts(
  transaction: PostgresTransaction,
  given: {
    readonly needs: readonly BatchNeeds[];
    readonly loaded: readonly LoadedFacts[];
    readonly locked: ReadonlyMap<string, Pick<BatchFacts, 'runCounts' | 'nextDueAt' | 'heldPicoUsd'>>;
    readonly now: number;
  },
): Promise<BatchFacts[]> {
  const { needs, loaded, locked, now } = given;
  const ids = [...locked].filter(([, { nextDueAt }]) => nextDueAt !== null && nextDueAt <= now);
  const due = await loadDueRuns(transaction, { workspaceIds: ids.map(([id]) => id), now });
  const endingRunIds = new Map(needs.map((need) => [need.workspaceId, need.endingRunIds]));
  const settled = loaded.flatMap(({ workspace: { id: workspaceId }, runs }) => {
    const dueRuns = due.get(workspaceId) ?? null;
    const mayEnd = { runs, dueRuns, endingRunIds: endingRunIds.get(workspaceId) ?? new Set<string>() };
    return runsToSettle(mayEnd, now).map(({ id: runId }) => ({ workspaceId, runId }));
  });
  const openHolds = await loadOpenHolds(transaction, settled);
  return loaded.flatMap((one): BatchFacts | [] => {
    const counters = locked.get(one.workspace.id);
    if (counters === undefined) return [];
    return { now, dueRuns: due.get(one.workspace.id) ?? null, openHolds, ...counters, ...one };
  });
}

/** By workspace. */
async function loadDueRuns(
  transaction: PostgresTransaction,
  { workspaceIds, now }: { readonly workspaceIds: readonly string[]; readonly now: number },
): Promise<Map<string, DueRuns>> {
  if (workspaceIds.length === 0) return new Map();
  const rows = byWorkspace(await transaction.query(LOAD_DUE_RUNS, workspaceIds, MAX_DUE_RUNS + 1));
  const first = new Map(workspaceIds.map((id) => [id, rows(id).map(toRunState)]));
  const full = workspaceIds.filter((id) => hasMoreDue(first.get(id) ?? [], now));
  const counted = full.length === 0 ? [] : await transaction.query(COUNT_EXPIRED_RUNS, full, now);
  const expired = toMap(counted, 'workspace_id', (row) => readNumber(row, 'expired'));
  return new Map([...first].map(([id, runs]) => [id, toDueRuns(runs, now, expired.get(id) ?? null)]));
}

/** Steps with open holds, by run. */
async function loadOpenHolds(
  transaction: PostgresTransaction,
  runs: readonly { readonly workspaceId: string; readonly runId: string }[],
): Promise<Map<string, StepState[]>> {
  const found = new Map<string, StepState[]>(runs.map(({ runId }) => [runId, []]));
  if (runs.length === 0) return found;
  const rows = await transaction.query(
    LOAD_OPEN_HOLDS,
    runs.map(({ workspaceId }) => workspaceId),
    runs.map(({ runId }) => runId),
  );
  for (const step of rows.map(toStepState)) found.get(step.runId)?.push(step);
  return found;
}

// ── Keys: an array for each of their columns ───────────────────────────────────────────────────────────────────────

type KeySet = 'apiKeyIds' | 'startingUserIds' | 'runIds' | 'models' | 'idempotencyKeyHashes';

function keysOf(needs: readonly BatchNeeds[], set: KeySet): [string[], string[]] {
  const keys: [string[], string[]] = [[], []];
  for (const need of needs) {
    for (const key of need[set]) {
      keys[0].push(need.workspaceId);
      keys[1].push(key);
    }
  }
  return keys;
}

/** Quoted, although most are ids: one function for all keys. */
function toTexts(keys: readonly string[]): string {
  return arrayLiteral('text', keys);
}

function stepKeysOf(needs: readonly BatchNeeds[]): [string[], string[], string[]] {
  const keys: [string[], string[], string[]] = [[], [], []];
  for (const { workspaceId, steps } of needs) {
    for (const { runId, stepId } of steps) {
      keys[0].push(workspaceId);
      keys[1].push(runId);
      keys[2].push(stepId);
    }
  }
  return keys;
}

// ── Queries ────────────────────────────────────────────────────────────────────────────────────────────────────────

const TEXT_KEYS: ReadonlySet<string> = new Set(['user_id', 'key_hash', 'model']);

const asked = (...columns: string[]) =>
  arraysAs(
    'asked',
    columns.map((name) => ({ name, type: TEXT_KEYS.has(name) ? 'text' : 'uuid' })),
  );

/** With today's usage and the runs of this month. */
const LOAD_WORKSPACES = `
  SELECT asked.workspace_id, ${listOf(WORKSPACES.columns, 'w')}, ${USAGE_OR_NOTHING}, (
      SELECT COALESCE(SUM(month.run_count), 0) FROM workspace_days month
      WHERE month.workspace_id = asked.workspace_id AND month.day BETWEEN $2 AND $3
    ) AS monthly_run_count
  FROM ${asked('workspace_id')}
  CROSS JOIN ${rowOf('workspaces', 'id = asked.workspace_id')} AS w
  LEFT JOIN ${rowOf('workspace_days', 'workspace_id = asked.workspace_id AND day = $3')} AS d ON true`;

const LOAD_ACTIVE_API_KEYS = `
  SELECT k.workspace_id, k.id
  FROM ${asked('workspace_id', 'id')}
  CROSS JOIN ${rowOf('api_keys', 'workspace_id = asked.workspace_id AND id = asked.id')} AS k
  WHERE k.is_active`;

/** The user of a row that has a workspace and a user, and what was used today. */
const userOf = (row: string) => {
  const key = `workspace_id = ${row}.workspace_id AND user_id = ${row}.user_id`;
  return `LEFT JOIN ${rowOf('users', key)} AS u ON true
  LEFT JOIN ${rowOf('user_days', `${key} AND day = $3`)} AS d ON true`;
};

const OF_USER = 'COALESCE(u.blocked, false) AS blocked, COALESCE(u.held_pico_usd, 0) AS user_held_pico_usd';

const LOAD_USERS = `
  SELECT asked.workspace_id, asked.user_id, ${OF_USER}, ${USAGE_OR_NOTHING}
  FROM ${asked('workspace_id', 'user_id')}
  ${userOf('asked')}`;

const LOAD_RUNS_WITH_USERS = `
  SELECT r.workspace_id, ${listOf(RUN_STATE, 'r')},
    ${OF_USER}, ${USAGE_OR_NOTHING}
  FROM ${asked('workspace_id', 'id')}
  CROSS JOIN ${rowOf('runs', 'workspace_id = asked.workspace_id AND id = asked.id')} AS r
  ${userOf('r')}`;

const LOAD_DUE_RUNS = `
  SELECT r.workspace_id, ${listOf(RUN_STATE, 'r')}
  FROM ${asked('workspace_id')}
  CROSS JOIN LATERAL (
    SELECT * FROM runs WHERE runs.workspace_id = asked.workspace_id AND due_at IS NOT NULL ORDER BY due_at LIMIT $2
  ) AS r`;

const COUNT_EXPIRED_RUNS = `
  SELECT asked.workspace_id, (
      SELECT COUNT(*) FROM runs
      WHERE runs.workspace_id = asked.workspace_id AND due_at <= $2 AND lease_expires_at <= $2
        AND status = 'RUNNING'
    ) AS expired
  FROM ${asked('workspace_id')}`;

const STEP_KEY = 'workspace_id = asked.workspace_id AND run_id = asked.run_id AND id = asked.id';
const ASKED_STEPS = `${asked('workspace_id', 'run_id', 'id')}
  CROSS JOIN ${rowOf('steps', STEP_KEY)} AS s`;

const LOAD_STEPS = `
  SELECT s.workspace_id, ${listOf(STEP_STATE, 's')}
  FROM ${ASKED_STEPS}`;

const MODEL_KEY = 'workspace_id = m.workspace_id AND model = m.model';

/** The models of the steps, each with its price, if it has one, and its usage. */
const LOAD_MODELS = `
  SELECT m.workspace_id, m.model, ${listOf(omit(PRICE, 'model'), 'p')}, ${MODEL_USAGE_OR_NOTHING}
  FROM (SELECT DISTINCT s.workspace_id, s.model FROM ${ASKED_STEPS} WHERE s.model IS NOT NULL) AS m
  LEFT JOIN ${rowOf('model_prices', MODEL_KEY)} AS p ON true
  LEFT JOIN ${rowOf('model_days', `${MODEL_KEY} AND day = $4`)} AS d ON true`;

const LOAD_PRICES = `
  SELECT p.workspace_id, ${listOf(PRICE, 'p')}
  FROM ${asked('workspace_id', 'model')}
  CROSS JOIN ${rowOf('model_prices', 'workspace_id = asked.workspace_id AND model = asked.model')} AS p`;

const LOAD_OPEN_HOLDS = `
  SELECT s.workspace_id, ${listOf(STEP_STATE, 's')}
  FROM ${asked('workspace_id', 'run_id')}
  CROSS JOIN LATERAL (
    SELECT * FROM steps
    WHERE steps.workspace_id = asked.workspace_id AND steps.run_id = asked.run_id AND held_pico_usd IS NOT NULL
    LIMIT ${MAX_OPEN_HOLDS}
  ) AS s`;

const LOAD_IDEMPOTENCY_RECORDS = `
  SELECT ${listOf(IDEMPOTENCY_RECORDS.columns, 'i')}
  FROM ${asked('workspace_id', 'key_hash')}
  CROSS JOIN ${rowOf('remembered_answers', 'workspace_id = asked.workspace_id AND key_hash = asked.key_hash')} AS i`;

// ── Rows ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The rows of each workspace. */
function byWorkspace(rows: readonly Row[]): (workspaceId: string) => readonly Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const workspaceId = readText(row, 'workspace_id');
    const group = groups.get(workspaceId);
    if (group === undefined) groups.set(workspaceId, [row]);
    else group.push(row);
  }
  return (workspaceId) => groups.get(workspaceId) ?? [];
}

function toMap<Value>(rows: readonly Row[], key: string, toValue: (row: Row) => Value): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const row of rows) values.set(readText(row, key), toValue(row));
  return values;
}

function toUserFacts(row: Row): UserFacts {
  return {
    blocked: readBoolean(row, 'blocked'),
    usageToday: toUsage(row),
    heldPicoUsd: readBigint(row, 'user_held_pico_usd'),
  };
}
