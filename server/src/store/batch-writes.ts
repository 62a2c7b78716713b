/**
 * What a batch writes, table by table: the ledger and its counters. The same for every store, which only has to know how it
 * inserts, updates, adds to and replaces rows.
 */

import type { RunCounts, RunState } from '../domain/run.js';
import type { Usage } from '../domain/usage.js';
import { type Columns, nameOf, type OwnedRows, omit, pick, type RecordOf, type Table } from './columns.js';
import type { BatchChanges } from './store.js';
import {
  DENIAL_DAYS,
  IDEMPOTENCY_RECORD,
  IDEMPOTENCY_RECORDS,
  MODEL_DAYS,
  RUN_COUNTS,
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
  /** Columns that keep their values in some rows. Not setting them saves writing every index that has them. */
  readonly kept?: { readonly columns: readonly string[]; readonly isKept: (row: object) => boolean };
  readonly rowsOf: (changes: BatchChanges) => readonly object[];
}

export interface TableWrites {
  readonly write: Write;
  /** By workspace, in the order of their keys; no counter is there twice. */
  readonly groups: readonly OwnedRows[];
}

/** Tables in which nothing changes are left out. */
export function toTableWrites(changes: readonly BatchChanges[]): TableWrites[] {
  const owners = [...changes].sort((left, right) => (left.workspaceId < right.workspaceId ? -1 : 1));
  const writes: TableWrites[] = [];
  for (const write of WRITES) {
    const groups: OwnedRows[] = [];
    for (const owner of owners) {
      const rows = write.rowsOf(owner);
      if (rows.length > 0) groups.push({ owner, rows });
    }
    if (groups.length > 0) writes.push({ write, groups });
  }
  return writes;
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
const RUN_END = pick(RUNS.columns, 'status', 'endedAt');
const NONE: readonly never[] = [];

const WRITES: readonly Write[] = [
  write('insert', RUNS, RUNS.columns, ({ newRuns }) => newRuns),
  write('insert', STEPS, omit(STEPS.columns, 'reportedAt', 'usageVersion'), ({ newSteps }) => newSteps),
  write('update', STEPS, REPORT, ({ reportedSteps }) => reportedSteps),
  {
    ...write('update', RUNS, { ...RUN_TOTALS, ...RUN_END }, ({ changedRuns }) => changedRuns),
    kept: { columns: Object.keys(RUN_END), isKept: (run) => (run as RunState).status === 'RUNNING' },
  },
  write('add', WORKSPACE_COUNTERS, RUN_COUNTS, (changes) =>
    hasRunCounts(changes) ? [changes.runCounts] : NONE,
  ),
  write('add', WORKSPACE_DAYS, omit(WORKSPACE_DAYS.columns, 'workspaceId', 'day'), (changes) =>
    isSpending(changes) ? [{ ...changes.usage, runCount: changes.startedRuns }] : NONE,
  ),
  {
    ...write('add', USERS, omit(USERS.columns, 'workspaceId'), ({ users }) =>
      byKey(users)
        .filter(([, user]) => user.lastSeenAt !== null || hasRunCounts(user))
        .map(([userId, { lastSeenAt, runCounts }]) => ({ ...runCounts, userId, blocked: false, lastSeenAt })),
    ),
    becomes: {
      blocked: 'users.blocked',
      lastSeenAt: 'COALESCE(excluded.last_seen_at, users.last_seen_at)',
    },
  },
  write('add', USER_DAYS, omit(USER_DAYS.columns, 'workspaceId', 'day'), ({ users }) =>
    byKey(users)
      .filter(([, user]) => isSpending(user))
      .map(([userId, { usage, startedRuns }]) => ({ ...usage, userId, runCount: startedRuns })),
  ),
  write('add', MODEL_DAYS, omit(MODEL_DAYS.columns, 'workspaceId', 'day'), ({ models }) =>
    byKey(models).map(([model, { usage, reportedSteps }]) => ({ ...usage, model, stepCount: reportedSteps })),
  ),
  write('add', DENIAL_DAYS, omit(DENIAL_DAYS.columns, 'workspaceId', 'day'), ({ denials }) =>
    byKey(denials).map(([reason, denialCount]) => ({ reason, denialCount })),
  ),
  write('replace', IDEMPOTENCY_RECORDS, IDEMPOTENCY_RECORD, ({ newAnswers }) => newAnswers),
];

/** Without what comes from the owner, and what is a part of a decision. */
type RowOf<Of extends Columns> = RecordOf<
  Omit<Of, 'workspaceId' | 'day' | 'decisionReason' | 'decisionRules'>
>;

/** `written` beside the key. */
function write<Of extends Columns, Written extends Columns>(
  kind: Write['kind'],
  table: Table<Of>,
  written: Written,
  rowsOf: (changes: BatchChanges) => readonly RowOf<Written>[],
): Write {
  const key = pick<Columns, string>(table.columns, ...table.key);
  return { kind, table, columns: { ...key, ...written }, rowsOf };
}

function byKey<Key extends string, Value>(entries: ReadonlyMap<Key, Value>): [Key, Value][] {
  const sorted = [...entries];
  return sorted.length < 2 ? sorted : sorted.sort(([left], [right]) => (left < right ? -1 : 1));
}

function hasRunCounts({ runCounts }: { runCounts: RunCounts }): boolean {
  const { RUNNING, COMPLETED, FAILED, BLOCKED } = runCounts;
  return RUNNING !== 0 || COMPLETED !== 0 || FAILED !== 0 || BLOCKED !== 0;
}

function isSpending({ startedRuns, usage }: { startedRuns: number; usage: Usage }): boolean {
  const { costPicoUsd, promptTokens, completionTokens } = usage;
  return startedRuns > 0 || costPicoUsd !== 0n || promptTokens !== 0n || completionTokens !== 0n;
}
