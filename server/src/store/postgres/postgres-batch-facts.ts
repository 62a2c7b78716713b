/** What the decisions of a batch depend on: for all its workspaces together, in one round trip. */

import { MAX_OPEN_HOLDS } from '../../domain/hold.js';
import { dayOf, firstDayOfMonth } from '../../domain/period.js';
import type { StepState } from '../../domain/step.js';
import { type ColumnType, listOf, omit } from '../columns.js';
import { hasMoreDue, runsToSettle, toDueRuns } from '../due-runs.js';
import { type Row, readBigint, readBoolean, readNumber, readText, type SqlValue } from '../row.js';
import {
  toGuardedWorkspace,
  toIdempotencyRecord,
  toModelUsageToday,
  toPrice,
  toRunState,
  toStepState,
  toUsage,
} from '../rows.js';
import type { Statement } from '../sql/sql-database.js';
import { type BatchFacts, type BatchNeeds, type DueRuns, MAX_DUE_RUNS, type UserFacts } from '../store.js';
import {
  GUARDED_WORKSPACE,
  IDEMPOTENCY_RECORDS,
  MODEL_USAGE_OR_NOTHING,
  PRICE,
  RUN_STATE,
  STEP_STATE,
  USAGE_OR_NOTHING,
} from '../tables.js';
import { arrayOf } from './postgres-arrays.js';
import { arraysAs, rowOf } from './postgres-bulk.js';
import type { PostgresTransaction } from './postgres-database.js';

/** Without what the lock tells, the time and the counters, and what depends on it. */
type LoadedFacts = Omit<
  BatchFacts,
  'now' | 'runCounts' | 'nextDueAt' | 'heldPicoUsd' | 'dueRuns' | 'openHolds'
>;

/** The queries of a batch, sent together, and what their answers say. */
interface FactQueries {
  readonly statements: readonly Statement[];
  /** In the order of the needs, without workspaces that do not exist. */
  factsOf(answers: readonly Row[][]): LoadedFacts[];
}

/** As of a day. A query that no command needs is not sent. */
export function factQueries({ needs, now }: { needs: readonly BatchNeeds[]; now: number }): FactQueries {
  const day = dayOf(now);
  const statements: Statement[] = [];
  const ask = ({ sql, types }: KeyQuery, keys: Keys, ...values: SqlValue[]) => {
    if (keys.every((column) => column.length === 0)) return () => byWorkspace([]);
    const arrays = keys.map((column, index) => arrayOf(types[index] ?? 'text', column));
    const place = statements.push({ sql, values: [...arrays, ...values] }) - 1;
    return (answers: readonly Row[][]) => byWorkspace(answers[place] ?? []);
  };
  const stepKeys = stepKeysOf(needs);
  const ids = needs.map(({ workspaceId }) => workspaceId);
  const workspacesIn = ask(LOAD_WORKSPACES, [ids], firstDayOfMonth(now), day);
  const apiKeysIn = ask(LOAD_ACTIVE_API_KEYS, keysOf(needs, 'apiKeyIds'));
  const runsIn = ask(LOAD_RUNS_AND_USERS, runsAndUsersOf(needs), day);
  const stepsIn = ask(LOAD_STEPS, stepKeys);
  const modelsIn = ask(LOAD_MODELS, [...stepKeys, ...keysOf(needs, 'models')], day);
  const recordsIn = ask(LOAD_IDEMPOTENCY_RECORDS, keysOf(needs, 'idempotencyKeyHashes'));
  return {
    statements,
    factsOf: (answers) => {
      const workspaces = workspacesIn(answers);
      const apiKeys = apiKeysIn(answers);
      const runsAndUsers = runsIn(answers);
      const steps = stepsIn(answers);
      const models = modelsIn(answers);
      const records = recordsIn(answers);
      return needs.flatMap(({ workspaceId }): LoadedFacts | [] => {
        const [workspace] = workspaces(workspaceId);
        if (workspace === undefined) return [];
        const ofUsers = runsAndUsers(workspaceId);
        const ofModels = models(workspaceId);
        return {
          workspace: toGuardedWorkspace(workspace),
          activeApiKeyIds: new Set(apiKeys(workspaceId).map((row) => readText(row, 'id'))),
          monthlyRunCount: readNumber(workspace, 'monthly_run_count'),
          usageToday: toUsage(workspace),
          users: toMap(ofUsers, 'user_id', toUserFacts),
          runs: toMap(ofUsers.filter(has('id')), 'id', toRunState),
          steps: toMap(steps(workspaceId), 'id', toStepState),
          prices: toMap(ofModels.filter(has('id')), 'model', toPrice),
          modelUsageToday: toMap(ofModels, 'model', toModelUsageToday),
          idempotencyRecords: toMap(records(workspaceId), 'key_hash', toIdempotencyRecord),
        };
      });
    },
  };
}

/** In a round trip of their own. */
export async function loadFacts(
  transaction: PostgresTransaction,
  given: { readonly needs: readonly BatchNeeds[]; readonly now: number },
): Promise<LoadedFacts[]> {
  const { statements, factsOf } = factQueries(given);
  return factsOf(await transaction.send(...statements));
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
  const rows = byWorkspace(
    await transaction.query(LOAD_DUE_RUNS, arrayOf('uuid', workspaceIds), MAX_DUE_RUNS + 1),
  );
  const first = new Map(workspaceIds.map((id) => [id, rows(id).map(toRunState)]));
  const full = workspaceIds.filter((id) => hasMoreDue(first.get(id) ?? [], now));
  const counted =
    full.length === 0 ? [] : await transaction.query(COUNT_EXPIRED_RUNS, arrayOf('uuid', full), now);
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
    arrayOf(
      'uuid',
      runs.map(({ workspaceId }) => workspaceId),
    ),
    arrayOf(
      'uuid',
      runs.map(({ runId }) => runId),
    ),
  );
  for (const step of rows.map(toStepState)) found.get(step.runId)?.push(step);
  return found;
}

// ── Keys: an array for each of their columns ───────────────────────────────────────────────────────────────────────

type Keys = readonly (readonly (string | null)[])[];

function keysOf(
  needs: readonly BatchNeeds[],
  set: 'apiKeyIds' | 'models' | 'idempotencyKeyHashes',
): [string[], string[]] {
  const keys: [string[], string[]] = [[], []];
  for (const need of needs) {
    for (const key of need[set]) {
      keys[0].push(need.workspaceId);
      keys[1].push(key);
    }
  }
  return keys;
}

/** Runs, and users who start one. */
function runsAndUsersOf(needs: readonly BatchNeeds[]): Keys {
  const keys: [string[], (string | null)[], (string | null)[]] = [[], [], []];
  const push = (workspaceId: string, runId: string | null, userId: string | null) => {
    keys[0].push(workspaceId);
    keys[1].push(runId);
    keys[2].push(userId);
  };
  for (const { workspaceId, runIds, startingUserIds } of needs) {
    for (const runId of runIds) push(workspaceId, runId, null);
    for (const userId of startingUserIds) push(workspaceId, null, userId);
  }
  return keys;
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

/** Its first parameters are arrays of these types. */
interface KeyQuery {
  readonly sql: string;
  readonly types: readonly ColumnType[];
}

const TEXT_KEYS: ReadonlySet<string> = new Set(['user_id', 'key_hash', 'model']);

const typed = (columns: readonly string[]) =>
  columns.map((name) => ({ name, type: TEXT_KEYS.has(name) ? ('text' as const) : ('uuid' as const) }));

const asked = (...columns: string[]) => arraysAs('asked', typed(columns));

function keyQuery(columns: readonly string[], sql: string): KeyQuery {
  return { sql, types: typed(columns).map(({ type }) => type) };
}

/** With today's usage and the runs of this month. */
const LOAD_WORKSPACES = keyQuery(
  ['workspace_id'],
  `
  SELECT asked.workspace_id, ${listOf(GUARDED_WORKSPACE, 'w')}, ${USAGE_OR_NOTHING}, (
      SELECT COALESCE(SUM(month.run_count), 0) FROM workspace_days month
      WHERE month.workspace_id = asked.workspace_id AND month.day BETWEEN $2 AND $3
    ) AS monthly_run_count
  FROM ${asked('workspace_id')}
  CROSS JOIN ${rowOf('workspaces', 'id = asked.workspace_id')} AS w
  LEFT JOIN ${rowOf('workspace_days', 'workspace_id = asked.workspace_id AND day = $3')} AS d ON true`,
);

const LOAD_ACTIVE_API_KEYS = keyQuery(
  ['workspace_id', 'id'],
  `
  SELECT k.workspace_id, k.id
  FROM ${asked('workspace_id', 'id')}
  CROSS JOIN ${rowOf('api_keys', 'workspace_id = asked.workspace_id AND id = asked.id')} AS k
  WHERE k.is_active`,
);

const USER_KEY = 'workspace_id = asked.workspace_id AND user_id = COALESCE(r.user_id, asked.user_id)';

/** Each with its user, and what the user used today. A user who starts a run has none yet. */
const LOAD_RUNS_AND_USERS = keyQuery(
  ['workspace_id', 'id', 'user_id'],
  `
  SELECT asked.workspace_id, ${listOf(omit(RUN_STATE, 'userId'), 'r')},
    COALESCE(r.user_id, asked.user_id) AS user_id, COALESCE(u.blocked, false) AS blocked,
    COALESCE(u.held_pico_usd, 0) AS user_held_pico_usd, ${USAGE_OR_NOTHING}
  FROM ${asked('workspace_id', 'id', 'user_id')}
  LEFT JOIN ${rowOf('runs', 'workspace_id = asked.workspace_id AND id = asked.id')} AS r ON true
  LEFT JOIN ${rowOf('users', USER_KEY)} AS u ON true
  LEFT JOIN ${rowOf('user_days', `${USER_KEY} AND day = $4`)} AS d ON true
  WHERE COALESCE(r.user_id, asked.user_id) IS NOT NULL`,
);

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

const LOAD_STEPS = keyQuery(
  ['workspace_id', 'run_id', 'id'],
  `
  SELECT s.workspace_id, ${listOf(STEP_STATE, 's')}
  FROM ${ASKED_STEPS}`,
);

const MODEL_KEY = 'workspace_id = m.workspace_id AND model = m.model';

/** The models of these steps, and these models, each with its price, if it has one, and its usage. */
const LOAD_MODELS = keyQuery(
  ['workspace_id', 'run_id', 'id', 'workspace_id', 'model'],
  `
  SELECT m.workspace_id, m.model, ${listOf(omit(PRICE, 'model'), 'p')}, ${MODEL_USAGE_OR_NOTHING}
  FROM (
    SELECT s.workspace_id, s.model FROM ${ASKED_STEPS} WHERE s.model IS NOT NULL
    UNION SELECT * FROM ${arraysAs('called', typed(['workspace_id', 'model']), 4)}
  ) AS m
  LEFT JOIN ${rowOf('model_prices', MODEL_KEY)} AS p ON true
  LEFT JOIN ${rowOf('model_days', `${MODEL_KEY} AND day = $6`)} AS d ON true`,
);

const LOAD_OPEN_HOLDS = `
  SELECT s.workspace_id, ${listOf(STEP_STATE, 's')}
  FROM ${asked('workspace_id', 'run_id')}
  CROSS JOIN LATERAL (
    SELECT * FROM steps
    WHERE steps.workspace_id = asked.workspace_id AND steps.run_id = asked.run_id AND held_pico_usd IS NOT NULL
    LIMIT ${MAX_OPEN_HOLDS}
  ) AS s`;

const LOAD_IDEMPOTENCY_RECORDS = keyQuery(
  ['workspace_id', 'key_hash'],
  `
  SELECT ${listOf(IDEMPOTENCY_RECORDS.columns, 'i')}
  FROM ${asked('workspace_id', 'key_hash')}
  CROSS JOIN ${rowOf('remembered_answers', 'workspace_id = asked.workspace_id AND key_hash = asked.key_hash')} AS i`,
);

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

/** Of a LEFT JOIN: whether there is such a row. */
function has(column: string): (row: Row) => boolean {
  return (row) => row[column] !== null;
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
