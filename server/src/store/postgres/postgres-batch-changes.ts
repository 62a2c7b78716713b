/**
 * What a batch writes: the ledger and its counters, in bulk, one statement per table for all its workspaces. Counters are
 * in the order of their keys, and none is there twice.
 */

import type { Run, RunCounts, RunState } from '../../domain/run.js';
import type { Step } from '../../domain/step.js';
import type { Usage } from '../../domain/usage.js';
import { hasRunCounts, hasUsage } from '../batch-counts.js';
import { toRulesText } from '../decision-text.js';
import type { Statement } from '../sql/sql-database.js';
import type { BatchChanges, ModelChange, ReportedStepChange, UserChange } from '../store.js';
import {
  type BulkColumn,
  type BulkStatement,
  bigint,
  boolean,
  bulkAdd,
  bulkInsert,
  bulkUpdate,
  insertOne,
  text,
  uuid,
} from './postgres-bulk.js';
import { putRememberedAnswers } from './postgres-remembered-answers.js';

export function toStatements(changes: readonly BatchChanges[]): Statement[] {
  const owners = [...changes].sort((left, right) => compare(left.workspaceId, right.workspaceId));
  const newRuns = ownedBy(owners, (owner) => owner.newRuns);
  const newSteps = ownedBy(owners, (owner) => owner.newSteps);
  const users = ownedBy(owners, (owner) => [...owner.users].sort(byKey));
  const statements: Statement[] = [];
  const write = <Item>(toStatement: BulkStatement<Item>, items: readonly Item[]) => {
    if (items.length > 0) statements.push(toStatement(items));
  };
  const hasLargeMetadata = ({ item }: Owned<Run>) => isLarge(item.metadata);
  const hasLargeInput = ({ item }: Owned<Step>) => isLarge(item.inputData);
  statements.push(...newRuns.filter(hasLargeMetadata).map(INSERT_RUN));
  statements.push(...newSteps.filter(hasLargeInput).map(INSERT_STEP));
  write(
    INSERT_RUNS,
    newRuns.filter((run) => !hasLargeMetadata(run)),
  );
  write(
    INSERT_STEPS,
    newSteps.filter((step) => !hasLargeInput(step)),
  );
  write(
    UPDATE_STEPS,
    ownedBy(owners, (owner) => owner.reportedSteps),
  );
  write(
    UPDATE_RUNS,
    ownedBy(owners, (owner) => owner.changedRuns),
  );
  write(ADD_RUN_COUNTS, owners.filter(hasChangedRunCounts));
  write(ADD_WORKSPACE_DAYS, owners.filter(isSpending));
  write(
    ADD_USERS,
    users.filter(({ item: [, user] }) => user.lastSeenAt !== null || hasChangedRunCounts(user)),
  );
  write(
    ADD_USER_DAYS,
    users.filter(({ item: [, user] }) => isSpending(user)),
  );
  write(
    ADD_MODEL_DAYS,
    ownedBy(owners, (owner) => [...owner.models].sort(byKey)),
  );
  write(
    ADD_DENIAL_DAYS,
    ownedBy(owners, (owner) => [...owner.denials].sort(byKey)),
  );
  write(
    putRememberedAnswers,
    owners.flatMap(({ workspaceId, newAnswers }) => newAnswers.map((answer) => ({ workspaceId, answer }))),
  );
  return statements;
}

// ── Rows ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A row's workspace and day, and what else it is made of. */
interface Owned<Item> {
  readonly owner: BatchChanges;
  readonly item: Item;
}

interface InsertedTable<Item> {
  readonly table: string;
  readonly columns: readonly BulkColumn<Owned<Item>>[];
}

function ownedBy<Item>(
  owners: readonly BatchChanges[],
  select: (owner: BatchChanges) => readonly Item[],
): Owned<Item>[] {
  return owners.flatMap((owner) => select(owner).map((item) => ({ owner, item })));
}

function hasChangedRunCounts({ runCounts }: { runCounts: RunCounts }): boolean {
  return hasRunCounts(runCounts);
}

function isSpending({ startedRuns, usage }: { startedRuns: number; usage: Usage }): boolean {
  return startedRuns > 0 || hasUsage(usage);
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return compare(left, right);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : 1;
}

/** A payload that is not worth escaping to send it together with others. */
const LARGE_PAYLOAD = 16 * 1024;

function isLarge(payload: string | null): boolean {
  return payload !== null && payload.length > LARGE_PAYLOAD;
}

// ── Tables ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const RUNS: InsertedTable<Run> = {
  table: 'runs',
  columns: [
    uuid('workspace_id', ({ owner }) => owner.workspaceId),
    uuid('id', ({ item }) => item.id),
    bigint('position', ({ item }) => item.position),
    text('user_id', ({ item }) => item.userId),
    text('status', ({ item }) => item.status),
    text('metadata', ({ item }) => item.metadata),
    bigint('started_at', ({ item }) => item.startedAt),
    bigint('ended_at', ({ item }) => item.endedAt),
    bigint('step_count', ({ item }) => item.stepCount),
    bigint('total_tokens', ({ item }) => item.totalTokens),
    bigint('total_cost_pico_usd', ({ item }) => item.totalCostPicoUsd),
    bigint('usage_version', ({ item }) => item.usageVersion),
    text('decision_reason', ({ item }) => item.decision.reason),
    text('decision_rules', ({ item }) => toRulesText(item.decision)),
  ],
};
const INSERT_RUNS = bulkInsert(RUNS);
const INSERT_RUN = insertOne(RUNS);

const UPDATE_RUNS = bulkUpdate<Owned<RunState>>({
  table: 'runs',
  key: [uuid('workspace_id', ({ owner }) => owner.workspaceId), uuid('id', ({ item }) => item.id)],
  columns: [
    text('status', ({ item }) => item.status),
    bigint('ended_at', ({ item }) => item.endedAt),
    bigint('step_count', ({ item }) => item.stepCount),
    bigint('total_tokens', ({ item }) => item.totalTokens),
    bigint('total_cost_pico_usd', ({ item }) => item.totalCostPicoUsd),
    bigint('usage_version', ({ item }) => item.usageVersion),
  ],
});

const STEPS: InsertedTable<Step> = {
  table: 'steps',
  columns: [
    uuid('workspace_id', ({ owner }) => owner.workspaceId),
    uuid('run_id', ({ item }) => item.runId),
    uuid('id', ({ item }) => item.id),
    bigint('position', ({ item }) => item.position),
    bigint('sequence', ({ item }) => item.sequence),
    text('type', ({ item }) => item.type),
    text('status', ({ item }) => item.status),
    text('model', ({ item }) => item.model),
    text('tool_name', ({ item }) => item.toolName),
    text('input_data', ({ item }) => item.inputData),
    bigint('prompt_tokens', ({ item }) => item.promptTokens),
    bigint('completion_tokens', ({ item }) => item.completionTokens),
    bigint('cost_pico_usd', ({ item }) => item.costPicoUsd),
    bigint('duration_ms', ({ item }) => item.durationMs),
    text('decision_reason', ({ item }) => item.decision.reason),
    text('decision_rules', ({ item }) => toRulesText(item.decision)),
    bigint('created_at', ({ item }) => item.createdAt),
  ],
};
const INSERT_STEPS = bulkInsert(STEPS);
const INSERT_STEP = insertOne(STEPS);

const UPDATE_STEPS = bulkUpdate<Owned<ReportedStepChange>>({
  table: 'steps',
  key: [
    uuid('workspace_id', ({ owner }) => owner.workspaceId),
    uuid('run_id', ({ item }) => item.step.runId),
    uuid('id', ({ item }) => item.step.id),
  ],
  columns: [
    text('status', ({ item }) => item.step.status),
    bigint('duration_ms', ({ item }) => item.step.durationMs),
    bigint('prompt_tokens', ({ item }) => item.step.promptTokens),
    bigint('completion_tokens', ({ item }) => item.step.completionTokens),
    bigint('cost_pico_usd', ({ item }) => item.costPicoUsd),
    bigint('reported_at', ({ item }) => item.reportedAt),
    bigint('usage_version', ({ item }) => item.usageVersion),
  ],
});

/** The row is always there; this way it is found by its key, whatever PostgreSQL believes of the table. */
const ADD_RUN_COUNTS = bulkAdd<BatchChanges>({
  table: 'workspace_counters',
  key: [uuid('workspace_id', ({ workspaceId }) => workspaceId)],
  counters: runCountColumns(({ runCounts }) => runCounts),
});

const ADD_WORKSPACE_DAYS = bulkAdd<BatchChanges>({
  table: 'workspace_days',
  key: [uuid('workspace_id', ({ workspaceId }) => workspaceId), text('day', ({ day }) => day)],
  counters: [
    ...usageColumns<BatchChanges>(({ usage }) => usage),
    bigint('run_count', ({ startedRuns }) => startedRuns),
  ],
});

type UserItem = Owned<readonly [string, UserChange]>;

const ADD_USERS = bulkAdd<UserItem>({
  table: 'users',
  key: [
    uuid('workspace_id', ({ owner }) => owner.workspaceId),
    text('user_id', ({ item: [userId] }) => userId),
  ],
  counters: runCountColumns(({ item: [, user] }) => user.runCounts),
  others: [
    { column: boolean('blocked', () => false), becomes: 'users.blocked' },
    {
      column: bigint('last_seen_at', ({ item: [, user] }) => user.lastSeenAt),
      becomes: 'COALESCE(excluded.last_seen_at, users.last_seen_at)',
    },
  ],
});

const ADD_USER_DAYS = bulkAdd<UserItem>({
  table: 'user_days',
  key: [
    uuid('workspace_id', ({ owner }) => owner.workspaceId),
    text('day', ({ owner }) => owner.day),
    text('user_id', ({ item: [userId] }) => userId),
  ],
  counters: [
    ...usageColumns<UserItem>(({ item: [, user] }) => user.usage),
    bigint('run_count', ({ item: [, user] }) => user.startedRuns),
  ],
});

type ModelItem = Owned<readonly [string, ModelChange]>;

const ADD_MODEL_DAYS = bulkAdd<ModelItem>({
  table: 'model_days',
  key: [
    uuid('workspace_id', ({ owner }) => owner.workspaceId),
    text('day', ({ owner }) => owner.day),
    text('model', ({ item: [model] }) => model),
  ],
  counters: [
    ...usageColumns<ModelItem>(({ item: [, change] }) => change.usage),
    bigint('step_count', ({ item: [, change] }) => change.reportedSteps),
  ],
});

const ADD_DENIAL_DAYS = bulkAdd<Owned<readonly [string, number]>>({
  table: 'denial_days',
  key: [
    uuid('workspace_id', ({ owner }) => owner.workspaceId),
    text('day', ({ owner }) => owner.day),
    text('reason', ({ item: [reason] }) => reason),
  ],
  counters: [bigint('denial_count', ({ item: [, count] }) => count)],
});

function usageColumns<Item>(usageOf: (item: Item) => Usage): BulkColumn<Item>[] {
  return [
    bigint('cost_pico_usd', (item) => usageOf(item).costPicoUsd),
    bigint('prompt_tokens', (item) => usageOf(item).promptTokens),
    bigint('completion_tokens', (item) => usageOf(item).completionTokens),
    bigint('unpriced_tokens', (item) => usageOf(item).unpricedTokens),
  ];
}

function runCountColumns<Item>(countsOf: (item: Item) => RunCounts): BulkColumn<Item>[] {
  return [
    bigint('running_runs', (item) => countsOf(item).RUNNING),
    bigint('completed_runs', (item) => countsOf(item).COMPLETED),
    bigint('failed_runs', (item) => countsOf(item).FAILED),
    bigint('blocked_runs', (item) => countsOf(item).BLOCKED),
  ];
}
