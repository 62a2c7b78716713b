/**
 * What a batch writes, table by table: the ledger and its counters. A store only implements how rows are inserted, updated,
 * added to and replaced.
 */

import type { Run, RunCounts, RunState } from '../domain/run.js';
import { searchableMetadata } from '../domain/run-metadata.js';
import type { StepState } from '../domain/step.js';
import { NO_PARTS, type Usage } from '../domain/usage.js';
import { AUDIT_ENTRY, toAuditRow } from './audit-rows.js';
import {
  type Columns,
  keyNames,
  nameOf,
  type OwnedRows,
  omit,
  once,
  pick,
  type RecordOf,
  type Table,
} from './columns.js';
import type { BatchChanges, UserChange } from './store.js';
import {
  AUDIT_LOG,
  BLOCK,
  DENIAL_DAYS,
  IDEMPOTENCY_RECORDS,
  MODEL_CALL_DAYS,
  MODEL_DAYS,
  RUN_END,
  RUN_METADATA,
  RUN_TOTALS,
  RUNS,
  STEP_DETAILS,
  STEP_REPORT,
  STEPS,
  USER_DAYS,
  USER_DENIAL_DAYS,
  USER_MODEL_DAYS,
  USERS,
  WORKSPACE_COUNTERS,
  WORKSPACE_DAYS,
} from './tables.js';

export interface Write {
  readonly kind: 'insert' | 'update' | 'add' | 'replace';
  readonly table: Table;
  /** The key and the written columns. */
  readonly columns: Columns;
  /** SQL for columns that are not counters, by property, when the row exists; null keeps what is there. */
  readonly becomes?: Readonly<Record<string, string | null>>;
  /** Columns that are unchanged in some rows. Leaving them out avoids writes to their indexes. */
  readonly kept?: { readonly columns: readonly string[]; readonly isKept: (row: object) => boolean };
  readonly rowsOf: (changes: BatchChanges) => readonly object[];
}

export interface TableWrites {
  readonly write: Write;
  /** Sorted by workspace and key; each counter occurs once. */
  readonly groups: readonly OwnedRows[];
}

/** Tables without changes are left out. */
export function toTableWrites(changes: readonly BatchChanges[]): TableWrites[] {
  const owners = [...changes];
  for (const { otherDays } of changes) owners.push(...otherDays);
  if (owners.length > 1) owners.sort(byWorkspaceAndDay);
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

function byWorkspaceAndDay(left: BatchChanges, right: BatchChanges): number {
  if (left.workspaceId !== right.workspaceId) return left.workspaceId < right.workspaceId ? -1 : 1;
  return left.day < right.day ? -1 : 1;
}

/** The write without the columns that keep their values. */
export const narrowed = once((write: Write): Write => {
  return { ...write, columns: omit(write.columns, ...(write.kept?.columns ?? [])) };
});

/** What an INSERT does when the row exists. */
export function conflictClause({ kind, table, columns, becomes = {} }: Write): string {
  if (kind === 'insert') return '';
  const changed = Object.keys(omit(columns, ...table.key)).filter((property) => becomes[property] !== null);
  const changes = changed.map((property) => {
    const name = nameOf(columns, property);
    const added = kind === 'add' ? `${table.name}.${name} + excluded.${name}` : `excluded.${name}`;
    return `${name} = ${becomes[property] ?? added}`;
  });
  return ` ON CONFLICT (${keyNames(table).join(', ')}) DO UPDATE SET ${changes.join(', ')}`;
}

/** Null in a new step. */
const NOT_REPORTED = [
  'costSource',
  'priceVersion',
  'reportedAt',
  'usageVersion',
  'chargedVersion',
  'reportHash',
  ...(Object.keys(STEP_DETAILS) as (keyof typeof STEP_DETAILS)[]),
] as const;
/** Decisions do not change them. */
const OF_A_BLOCK = Object.keys(BLOCK) as (keyof typeof BLOCK)[];
const RUN_CHANGE = { ...RUN_TOTALS, ...pick(RUNS.columns, 'leaseExpiresAt', 'recentSteps'), ...RUN_END };
const NONE: readonly never[] = [];

const WRITES: readonly Write[] = [
  write('insert', RUNS, RUNS.columns, ({ newRuns }) => newRuns),
  write('insert', RUN_METADATA, RUN_METADATA.columns, ({ newRuns }) => newRuns.flatMap(toMetadataRows)),
  write('insert', STEPS, omit(STEPS.columns, ...NOT_REPORTED), ({ newSteps }) => newSteps),
  {
    ...write('update', STEPS, { ...STEP_REPORT, ...STEP_DETAILS }, ({ changedSteps }) => changedSteps),
    kept: { columns: Object.keys(STEP_DETAILS), isKept: (step) => (step as StepState).details == null },
  },
  {
    ...write('update', RUNS, RUN_CHANGE, ({ changedRuns }) => changedRuns),
    kept: { columns: Object.keys(RUN_END), isKept: (run) => (run as RunState).status === 'RUNNING' },
  },
  write('update', RUNS, pick(RUNS.columns, 'dueAt'), ({ postponedRuns }) => postponedRuns),
  {
    ...write('add', WORKSPACE_COUNTERS, omit(WORKSPACE_COUNTERS.columns, 'workspaceId'), (changes) =>
      hasRunCounts(changes) || changes.isNextDueChanged || changes.heldPicoUsd !== 0n
        ? [
            {
              nextDueAt: changes.nextDueAt,
              isNextDueChanged: changes.isNextDueChanged,
              heldPicoUsd: changes.heldPicoUsd,
              ...changes.runCounts,
            },
          ]
        : NONE,
    ),
    becomes: { nextDueAt: 'excluded.next_due_at' },
    kept: {
      columns: ['nextDueAt'],
      isKept: (row) => !(row as Pick<BatchChanges, 'isNextDueChanged'>).isNextDueChanged,
    },
  },
  write('add', WORKSPACE_DAYS, omit(WORKSPACE_DAYS.columns, 'workspaceId', 'day'), (changes) =>
    isSpending(changes) ? [{ runCount: changes.startedRuns, ...changes.usage }] : NONE,
  ),
  {
    ...write('add', USERS, omit(USERS.columns, 'workspaceId', ...OF_A_BLOCK), ({ users }) =>
      toRows(users, (userId, user) =>
        user.lastSeenAt === null && !hasRunCounts(user) && user.heldPicoUsd === 0n
          ? null
          : {
              userId,
              blocked: false,
              lastSeenAt: user.lastSeenAt,
              heldPicoUsd: user.heldPicoUsd,
              ...user.runCounts,
            },
      ),
    ),
    becomes: {
      blocked: null,
      lastSeenAt: 'COALESCE(excluded.last_seen_at, users.last_seen_at)',
    },
    kept: {
      columns: ['lastSeenAt'],
      isKept: (user) => (user as Pick<UserChange, 'lastSeenAt'>).lastSeenAt === null,
    },
  },
  write('add', USER_DAYS, omit(USER_DAYS.columns, 'workspaceId', 'day'), ({ users }) =>
    toRows(users, (userId, user) =>
      isSpending(user) ? { userId, runCount: user.startedRuns, ...user.usage } : null,
    ),
  ),
  write('add', MODEL_DAYS, omit(MODEL_DAYS.columns, 'workspaceId', 'day'), ({ models }) =>
    toRows(models, (model, { usage, parts, reportedSteps }) => ({
      model,
      stepCount: reportedSteps,
      ...usage,
      ...(parts ?? NO_PARTS),
    })),
  ),
  write('add', DENIAL_DAYS, omit(DENIAL_DAYS.columns, 'workspaceId', 'day'), ({ denials }) =>
    toRows(denials, (reason, denialCount) => ({ reason, denialCount })),
  ),
  write('add', USER_MODEL_DAYS, omit(USER_MODEL_DAYS.columns, 'workspaceId', 'day'), ({ userModels }) =>
    toRows(userModels, (_, { userId, model, usage, reportedSteps }) => ({
      userId,
      model,
      stepCount: reportedSteps,
      ...usage,
    })),
  ),
  write('add', USER_DENIAL_DAYS, omit(USER_DENIAL_DAYS.columns, 'workspaceId', 'day'), ({ userDenials }) =>
    toRows(userDenials, (_, denial) => denial),
  ),
  write('add', MODEL_CALL_DAYS, omit(MODEL_CALL_DAYS.columns, 'workspaceId', 'day'), ({ modelCalls }) =>
    toRows(modelCalls, (_, calls) => calls),
  ),
  // Inserting takes PostgreSQL less time than an insert that may find a row.
  write(
    'insert',
    IDEMPOTENCY_RECORDS,
    IDEMPOTENCY_RECORDS.columns,
    ({ newIdempotencyRecords }) => newIdempotencyRecords,
  ),
  write(
    'replace',
    IDEMPOTENCY_RECORDS,
    IDEMPOTENCY_RECORDS.columns,
    ({ renewedIdempotencyRecords }) => renewedIdempotencyRecords,
  ),
  // Its position is assigned by the database.
  write('insert', { ...AUDIT_LOG, key: ['workspaceId'] }, AUDIT_ENTRY, ({ newAuditEntries }) =>
    newAuditEntries.map(toAuditRow),
  ),
];

/** Without the columns of the owner, of the decision and of the details of a report. */
type RowOf<Of extends Columns> = RecordOf<
  Omit<Of, 'workspaceId' | 'day' | 'decisionReason' | 'decisionRules' | keyof typeof STEP_DETAILS>
>;

/** Writes the key and `written`. */
function write<Of extends Columns, Written extends Columns>(
  kind: Write['kind'],
  table: Table<Of>,
  written: Written,
  rowsOf: (changes: BatchChanges) => readonly RowOf<Written>[],
): Write {
  const key = pick<Columns, string>(table.columns, ...table.key);
  return { kind, table, columns: { ...key, ...written }, rowsOf };
}

function toMetadataRows({ position, metadata }: Run) {
  return searchableMetadata(metadata).map(({ name, value }) => ({ name, value, position }));
}

/** Sorted by key; null is skipped. */
function toRows<Key extends string, Value, Row extends object>(
  entries: ReadonlyMap<Key, Value>,
  toRow: (key: Key, value: Value) => Row | null,
): readonly Row[] {
  if (entries.size === 0) return NONE;
  const rows: Row[] = [];
  const keys = [...entries.keys()].sort();
  for (const key of keys) {
    const row = toRow(key, entries.get(key) as Value);
    if (row !== null) rows.push(row);
  }
  return rows;
}

function hasRunCounts({ runCounts }: { runCounts: RunCounts }): boolean {
  const { RUNNING, COMPLETED, FAILED, BLOCKED } = runCounts;
  return RUNNING !== 0 || COMPLETED !== 0 || FAILED !== 0 || BLOCKED !== 0;
}

function isSpending({ startedRuns, usage }: { startedRuns: number; usage: Usage }): boolean {
  const { costPicoUsd, promptTokens, completionTokens } = usage;
  return startedRuns > 0 || costPicoUsd !== 0n || promptTokens !== 0n || completionTokens !== 0n;
}
