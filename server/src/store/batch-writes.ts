/**
 * What a batch writes, table by table: the ledger and its counters. The same for every store, which only has to know how it
 * inserts, updates, adds to and replaces rows.
 */

import type { RunCounts } from '../domain/run.js';
import type { Usage } from '../domain/usage.js';
import { type Columns, nameOf, omit, pick, type RecordOf, type Table } from './columns.js';
import { toRunRecord, toStepRecord } from './rows.js';
import type { BatchChanges } from './store.js';
import {
  DENIAL_DAYS,
  IDEMPOTENCY_RECORDS,
  MODEL_DAYS,
  RUN_TOTALS,
  RUNS,
  STEPS,
  USER_DAYS,
  USERS,
  WORKSPACE_COUNTERS,
  WORKSPACE_DAYS,
} from './tables.js';

export interface Write {
  readonly kind: 'insert' | 'update' | 'add' | 'replace';
  readonly table: Table;
  /** The key, and what is written. */
  readonly columns: Columns;
  /** What becomes of columns that are no counters, by property, in rows that are there already. */
  readonly becomes?: Readonly<Record<string, string>>;
  readonly rowsOf: (changes: BatchChanges) => readonly WrittenRow[];
}

export type WrittenRow = Readonly<Record<string, unknown>>;

/** Tables in which nothing changes are left out. Rows are in the order of their keys, and no counter is there twice. */
export function toTableWrites(
  changes: readonly BatchChanges[],
): { readonly write: Write; readonly rows: readonly WrittenRow[] }[] {
  const owners = [...changes].sort((left, right) => (left.workspaceId < right.workspaceId ? -1 : 1));
  return WRITES.map((write) => ({ write, rows: owners.flatMap(write.rowsOf) })).filter(
    ({ rows }) => rows.length > 0,
  );
}

/** What an INSERT does with rows that are there already. */
export function conflictClause({ kind, table, columns, becomes = {} }: Write): string {
  if (kind === 'insert') return '';
  const changes = Object.keys(omit(columns, ...table.key)).map((property) => {
    const name = nameOf(columns, property);
    const added = kind === 'add' ? `${table.name}.${name} + excluded.${name}` : `excluded.${name}`;
    return `${name} = ${becomes[property] ?? added}`;
  });
  const key = table.key.map((property) => nameOf(columns, property)).join(', ');
  return ` ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}`;
}

const REPORT = pick(
  STEPS.columns,
  'status',
  'durationMs',
  'promptTokens',
  'completionTokens',
  'costPicoUsd',
  'reportedAt',
  'usageVersion',
);

const WRITES: readonly Write[] = [
  whole('insert', RUNS, ({ workspaceId, newRuns }) => newRuns.map((run) => toRunRecord(workspaceId, run))),
  whole('insert', STEPS, ({ workspaceId, newSteps }) =>
    newSteps.map((step) => toStepRecord(workspaceId, step)),
  ),
  update(STEPS, REPORT, ({ workspaceId, reportedSteps }) =>
    reportedSteps.map(({ step, ...report }) => ({ ...step, ...report, workspaceId })),
  ),
  // A running run keeps its status: setting it all the same would write every index that has it.
  update(RUNS, RUN_TOTALS, (changes) => changedRuns(changes, (isRunning) => isRunning)),
  update(RUNS, { ...RUN_TOTALS, ...pick(RUNS.columns, 'status', 'endedAt') }, (changes) =>
    changedRuns(changes, (isRunning) => !isRunning),
  ),
  whole('add', WORKSPACE_COUNTERS, (changes) =>
    hasRunCounts(changes) ? [{ workspaceId: changes.workspaceId, ...changes.runCounts }] : [],
  ),
  whole('add', WORKSPACE_DAYS, (changes) => {
    const { workspaceId, day, usage, startedRuns } = changes;
    return isSpending(changes) ? [{ workspaceId, day, ...usage, runCount: startedRuns }] : [];
  }),
  {
    ...whole('add', USERS, ({ workspaceId, users }) =>
      byKey(users)
        .filter(([, user]) => user.lastSeenAt !== null || hasRunCounts(user))
        .map(([userId, { lastSeenAt, runCounts }]) => ({
          workspaceId,
          userId,
          blocked: false,
          lastSeenAt,
          ...runCounts,
        })),
    ),
    becomes: {
      blocked: 'users.blocked',
      lastSeenAt: 'COALESCE(excluded.last_seen_at, users.last_seen_at)',
    },
  },
  whole('add', USER_DAYS, ({ workspaceId, day, users }) =>
    byKey(users)
      .filter(([, user]) => isSpending(user))
      .map(([userId, { usage, startedRuns }]) => ({
        workspaceId,
        day,
        userId,
        ...usage,
        runCount: startedRuns,
      })),
  ),
  whole('add', MODEL_DAYS, ({ workspaceId, day, models }) =>
    byKey(models).map(([model, { usage, reportedSteps }]) => ({
      workspaceId,
      day,
      model,
      ...usage,
      stepCount: reportedSteps,
    })),
  ),
  whole('add', DENIAL_DAYS, ({ workspaceId, day, denials }) =>
    byKey(denials).map(([reason, denialCount]) => ({ workspaceId, day, reason, denialCount })),
  ),
  whole('replace', IDEMPOTENCY_RECORDS, ({ workspaceId, newAnswers }) =>
    newAnswers.map((record) => ({ ...record, workspaceId })),
  ),
];

/** All columns of a table. */
function whole<Of extends Columns>(
  kind: Exclude<Write['kind'], 'update'>,
  table: Table<Of>,
  rowsOf: (changes: BatchChanges) => readonly RecordOf<Of>[],
): Write {
  return { kind, table, columns: table.columns, rowsOf };
}

function update<Of extends Columns, Changed extends Columns>(
  table: Table<Of>,
  changed: Changed,
  rowsOf: (changes: BatchChanges) => readonly RecordOf<Changed>[],
): Write {
  return {
    kind: 'update',
    table,
    columns: { ...pick<Columns, string>(table.columns, ...table.key), ...changed },
    rowsOf,
  };
}

function changedRuns(
  { workspaceId, changedRuns: runs }: BatchChanges,
  isWanted: (isRunning: boolean) => boolean,
) {
  return runs.filter(({ status }) => isWanted(status === 'RUNNING')).map((run) => ({ ...run, workspaceId }));
}

function byKey<Key extends string, Value>(entries: ReadonlyMap<Key, Value>): [Key, Value][] {
  return [...entries].sort(([left], [right]) => (left < right ? -1 : 1));
}

function hasRunCounts({ runCounts }: { runCounts: RunCounts }): boolean {
  return Object.values(runCounts).some((count) => count !== 0);
}

function isSpending({ startedRuns, usage }: { startedRuns: number; usage: Usage }): boolean {
  return startedRuns > 0 || Object.values(usage).some((amount) => amount !== 0n);
}
