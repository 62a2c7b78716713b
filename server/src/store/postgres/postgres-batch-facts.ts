/** What the decisions of a batch depend on: for all its workspaces together, in one round trip. */

import { type Day, dayOf, firstDayOfMonth } from '../../domain/period.js';
import type { ModelPrice } from '../../domain/price.js';
import { listOf, omit } from '../columns.js';
import { type Row, readBoolean, readNumber, readText } from '../row.js';
import { toIdempotencyRecord, toPrice, toRunState, toStepState, toUsage, toWorkspace } from '../rows.js';
import type { Statement } from '../sql/sql-database.js';
import type { BatchFacts, BatchNeeds, UserFacts } from '../store.js';
import {
  IDEMPOTENCY_RECORDS,
  PRICE,
  RUN_STATE,
  STEP_STATE,
  USAGE_OR_NOTHING,
  WORKSPACES,
} from '../tables.js';
import { arraysAs, rowOf } from './postgres-bulk.js';
import type { PostgresTransaction } from './postgres-database.js';

/** Without what the lock tells: the time and the counts of runs. */
type LoadedFacts = Omit<BatchFacts, 'now' | 'runCounts'>;

/** As of a day, in the order of the needs, without workspaces that do not exist. A question that no command of the batch has is not asked. */
export async function loadFacts(
  transaction: PostgresTransaction,
  { needs, now }: { readonly needs: readonly BatchNeeds[]; readonly now: number },
): Promise<LoadedFacts[]> {
  const day = dayOf(now);
  const load = async <Key>(keys: readonly Key[], toStatement: (keys: readonly Key[]) => Statement) =>
    byWorkspace(keys.length === 0 ? [] : ((await transaction.send(toStatement(keys)))[0] ?? []));
  const steps = keysOf(needs, (need) => need.steps);
  const [workspaces, apiKeys, users, runs, stepRows, models, records] = await Promise.all([
    load(needs, (asked) => loadWorkspaces(asked, { day, monthStart: firstDayOfMonth(now) })),
    load(
      keysOf(needs, ({ apiKeyIds }) => apiKeyIds),
      loadActiveApiKeys,
    ),
    load(
      keysOf(needs, ({ startingUserIds }) => startingUserIds),
      (asked) => loadUsers(asked, day),
    ),
    load(
      keysOf(needs, ({ runIds }) => runIds),
      (asked) => loadRunsWithUsers(asked, day),
    ),
    load(steps, loadSteps),
    load(steps, (asked) => loadModels(asked, day)),
    load(
      keysOf(needs, ({ idempotencyKeyHashes }) => idempotencyKeyHashes),
      (asked) => ({ sql: LOAD_IDEMPOTENCY_RECORDS, values: toColumns(asked) }),
    ),
  ]);
  return needs.flatMap(({ workspaceId }): LoadedFacts | [] => {
    const [workspace] = workspaces(workspaceId);
    if (workspace === undefined) return [];
    const foundRuns = runs(workspaceId);
    const foundModels = models(workspaceId);
    return {
      workspace: toWorkspace(workspace),
      activeApiKeyIds: new Set(apiKeys(workspaceId).map((row) => readText(row, 'id'))),
      monthlyRunCount: readNumber(workspace, 'monthly_run_count'),
      usageToday: toUsage(workspace),
      users: toMap([...users(workspaceId), ...foundRuns], 'user_id', toUserFacts),
      runs: toMap(foundRuns, 'id', toRunState),
      steps: toMap(stepRows(workspaceId), 'id', toStepState),
      prices: toPrices(foundModels),
      modelUsageToday: toMap(foundModels, 'model', toUsage),
      idempotencyRecords: toMap(records(workspaceId), 'key_hash', toIdempotencyRecord),
    };
  });
}

// ── Questions ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Something of a workspace that is asked about. */
interface AskedKey<Key> {
  readonly workspaceId: string;
  readonly key: Key;
}

function keysOf<Key>(
  needs: readonly BatchNeeds[],
  select: (needs: BatchNeeds) => Iterable<Key>,
): AskedKey<Key>[] {
  const asked: AskedKey<Key>[] = [];
  for (const need of needs) {
    for (const key of select(need)) asked.push({ workspaceId: need.workspaceId, key });
  }
  return asked;
}

/** The workspaces with today's usage and the runs of this month. */
function loadWorkspaces(
  needs: readonly BatchNeeds[],
  { day, monthStart }: { day: Day; monthStart: Day },
): Statement {
  return {
    sql: LOAD_WORKSPACES,
    values: [needs.map(({ workspaceId }) => workspaceId), monthStart, day],
  };
}

function loadActiveApiKeys(asked: readonly AskedKey<string>[]): Statement {
  return { sql: LOAD_ACTIVE_API_KEYS, values: toColumns(asked) };
}

/** The starting users. */
function loadUsers(asked: readonly AskedKey<string>[], day: Day): Statement {
  return { sql: LOAD_USERS, values: [...toColumns(asked), day] };
}

/** The runs, each with its user. */
function loadRunsWithUsers(asked: readonly AskedKey<string>[], day: Day): Statement {
  return { sql: LOAD_RUNS_WITH_USERS, values: [...toColumns(asked), day] };
}

function loadSteps(asked: readonly AskedKey<StepKey>[]): Statement {
  return { sql: LOAD_STEPS, values: toStepColumns(asked) };
}

/** The models of the steps, each with its price, if it has one, and its usage. */
function loadModels(asked: readonly AskedKey<StepKey>[], day: Day): Statement {
  return { sql: LOAD_MODELS, values: [...toStepColumns(asked), day] };
}

type StepKey = BatchNeeds['steps'][number];

function toColumns(asked: readonly AskedKey<string>[]): string[][] {
  return [asked.map(({ workspaceId }) => workspaceId), asked.map(({ key }) => key)];
}

function toStepColumns(asked: readonly AskedKey<StepKey>[]): string[][] {
  return [
    asked.map(({ workspaceId }) => workspaceId),
    asked.map(({ key }) => key.runId),
    asked.map(({ key }) => key.stepId),
  ];
}

/** The keys that are asked for, an array for each of their columns. */
const asked = (...columns: string[]) =>
  arraysAs(
    'asked',
    columns.map((name) => ({ name, type: name === 'user_id' || name === 'key_hash' ? 'text' : 'uuid' })),
  );

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

const LOAD_USERS = `
  SELECT asked.workspace_id, asked.user_id, COALESCE(u.blocked, false) AS blocked, ${USAGE_OR_NOTHING}
  FROM ${asked('workspace_id', 'user_id')}
  ${userOf('asked')}`;

const LOAD_RUNS_WITH_USERS = `
  SELECT r.workspace_id, ${listOf(RUN_STATE, 'r')},
    COALESCE(u.blocked, false) AS blocked, ${USAGE_OR_NOTHING}
  FROM ${asked('workspace_id', 'id')}
  CROSS JOIN ${rowOf('runs', 'workspace_id = asked.workspace_id AND id = asked.id')} AS r
  ${userOf('r')}`;

const STEP_KEY = 'workspace_id = asked.workspace_id AND run_id = asked.run_id AND id = asked.id';
const ASKED_STEPS = `${asked('workspace_id', 'run_id', 'id')}
  CROSS JOIN ${rowOf('steps', STEP_KEY)} AS s`;

const LOAD_STEPS = `
  SELECT s.workspace_id, ${listOf(STEP_STATE, 's')}
  FROM ${ASKED_STEPS}`;

const MODEL_KEY = 'workspace_id = m.workspace_id AND model = m.model';

const LOAD_MODELS = `
  SELECT m.workspace_id, m.model, ${listOf(omit(PRICE, 'model'), 'p')}, ${USAGE_OR_NOTHING}
  FROM (SELECT DISTINCT s.workspace_id, s.model FROM ${ASKED_STEPS} WHERE s.model IS NOT NULL) AS m
  LEFT JOIN ${rowOf('model_prices', MODEL_KEY)} AS p ON true
  LEFT JOIN ${rowOf('model_days', `${MODEL_KEY} AND day = $4`)} AS d ON true`;

const LOAD_IDEMPOTENCY_RECORDS = `
  SELECT ${listOf(IDEMPOTENCY_RECORDS.columns, 'i')}
  FROM ${asked('workspace_id', 'key_hash')}
  CROSS JOIN ${rowOf('remembered_answers', 'workspace_id = asked.workspace_id AND key_hash = asked.key_hash')} AS i`;

// ── Answers ────────────────────────────────────────────────────────────────────────────────────────────────────────

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
  return { blocked: readBoolean(row, 'blocked'), usageToday: toUsage(row) };
}

function toPrices(rows: readonly Row[]): Map<string, ModelPrice> {
  return toMap(
    rows.filter((row) => row['id'] !== null),
    'model',
    toPrice,
  );
}
