/** Every table and column, once, in the order in which tables can be filled. */

import type { KeyScope, Role } from '../domain/access.js';
import type { ActorType, AuditAction } from '../domain/audit.js';
import type { Decision, RuleEvaluation, RuleResult } from '../domain/decision.js';
import type { Plan } from '../domain/plan.js';
import type { DenyReason, RuleName } from '../domain/rules.js';
import type { EndReason, EndStatus, RunStatus } from '../domain/run.js';
import type { RecentSteps, RunLimits } from '../domain/run-limits.js';
import type { CostSource, StepDetails, StepStatus, StepType } from '../domain/step.js';
import {
  bigint,
  boolean,
  type Column,
  type Columns,
  integer,
  type JsonOptions,
  json,
  named,
  namesOf,
  nullable,
  omit,
  oneOf,
  partOf,
  pick,
  price,
  type Table,
  text,
  uuid,
} from './columns.js';
import type { SqlValue } from './row.js';

function table<Of extends Columns>(given: {
  name: string;
  key: readonly (keyof Of & string)[];
  columns: Of;
  generated?: keyof Of & string;
  payloads?: readonly (keyof Of & string)[];
}): Table<Of> {
  return given;
}

export const USAGE = {
  costPicoUsd: bigint,
  promptTokens: bigint,
  completionTokens: bigint,
  unpricedTokens: bigint,
};

export const USAGE_PARTS = {
  cacheReadTokens: bigint,
  cacheWriteTokens: bigint,
  reasoningTokens: bigint,
  cacheSavedPicoUsd: bigint,
};

const TOKEN_PRICES = {
  inputAttoUsd: named('input_usd', price),
  outputAttoUsd: named('output_usd', price),
  cacheReadAttoUsd: named('cache_read_usd', nullable(price)),
  cacheWriteAttoUsd: named('cache_write_usd', nullable(price)),
};

/** The usage of a LEFT JOINed row `d`, 0 when there is none. */
export const USAGE_OR_NOTHING = namesOf(USAGE)
  .map((name) => `COALESCE(d.${name}, 0) AS ${name}`)
  .join(', ');

/** Of a row of model_days, as above. */
export const MODEL_USAGE_OR_NOTHING = `${USAGE_OR_NOTHING}, COALESCE(d.cache_saved_pico_usd, 0) AS saved_pico_usd`;

export const RUN_COUNTS = {
  RUNNING: named('running_runs', integer),
  COMPLETED: named('completed_runs', integer),
  FAILED: named('failed_runs', integer),
  BLOCKED: named('blocked_runs', integer),
};

/**
 * One array per rule: compact, because every run and step stores all of them, and its row is written again and again. What is
 * left out at the end has its usual value.
 */
export type StoredEvaluation = [
  RuleName,
  /** 1: it passed. */
  (1 | RuleResult)?,
  (number | null)?,
  (number | boolean)?,
  (number | null)?,
  /** With holds: what is held, and what is requested. */
  ...([] | [number, number | null]),
];

const DECISION = {
  decisionReason: partOf('decision', nullable(oneOf<DenyReason>()), ({ reason }: Decision) => reason),
  // Nothing in it needs an escape, and JSON.stringify takes four times as long.
  decisionRules: partOf('decision', json<readonly StoredEvaluation[]>(), ({ evaluations }: Decision) => {
    return `[${evaluations.map(toEvaluationText)}]`;
  }),
};

function toEvaluationText(evaluation: RuleEvaluation): string {
  const { rule, result, limit, value, resetsAt, held, requested } = evaluation;
  const compared = `["${rule}",${result === 'PASS' ? '1' : `"${result}"`},${limit},${value}`;
  if (held !== undefined) return `${compared},${resetsAt},${held},${requested}]`;
  if (resetsAt !== null) return `${compared},${resetsAt}]`;
  return result === 'PASS' && limit === null && value === false ? `["${rule}"]` : `${compared}]`;
}

/** An amount is a bigint, for which JSON has decimal text. */
const LIMITS_AS_JSON: JsonOptions = {
  maxCostPicoUsd: (value) => (value === null ? null : BigInt(value as string)),
};

export const WORKSPACES = table({
  name: 'workspaces',
  key: ['id'],
  columns: {
    id: uuid,
    name: text,
    slug: text,
    plan: oneOf<Plan>(),
    killSwitch: boolean,
    dailyBudgetPicoUsd: nullable(bigint),
    userDailyBudgetPicoUsd: nullable(bigint),
    maxConcurrentRuns: integer,
    runLeaseSeconds: nullable(integer),
    runLimits: json<RunLimits>(LIMITS_AS_JSON),
    repeatExemptTools: json<readonly string[]>(),
    requireHolds: boolean,
    denyUnpricedModels: boolean,
    createdAt: integer,
  },
});

export const ACCOUNTS = table({
  name: 'accounts',
  key: ['id'],
  columns: {
    id: uuid,
    workspaceId: uuid,
    email: text,
    emailKey: text,
    name: nullable(text),
    passwordHash: text,
    tokenVersion: integer,
    createdAt: integer,
    role: oneOf<Role>(),
  },
});

export const INVITATIONS = table({
  name: 'invitations',
  key: ['workspaceId', 'id'],
  columns: {
    workspaceId: uuid,
    id: uuid,
    email: text,
    emailKey: text,
    role: oneOf<Role>(),
    tokenHash: text,
    createdAt: integer,
    expiresAt: integer,
    invitedBy: nullable(uuid),
  },
});

export const API_KEYS = table({
  name: 'api_keys',
  key: ['workspaceId', 'id'],
  columns: {
    workspaceId: uuid,
    id: uuid,
    prefix: text,
    secretHash: text,
    label: nullable(text),
    isActive: boolean,
    createdAt: integer,
    lastUsedAt: nullable(integer),
    scope: oneOf<KeyScope>(),
    userId: nullable(text),
    createdBy: nullable(text),
  },
});

export const MODEL_PRICES = table({
  name: 'model_prices',
  key: ['workspaceId', 'model'],
  columns: {
    workspaceId: uuid,
    model: text,
    id: uuid,
    ...TOKEN_PRICES,
    isActive: boolean,
    version: integer,
  },
});

/** Every price that a model has had; rows are never changed. */
export const MODEL_PRICE_VERSIONS = table({
  name: 'model_price_versions',
  key: ['workspaceId', 'model', 'version'],
  columns: { workspaceId: uuid, model: text, version: integer, ...TOKEN_PRICES, createdAt: integer },
});

export const WORKSPACE_COUNTERS = table({
  name: 'workspace_counters',
  key: ['workspaceId'],
  columns: { workspaceId: uuid, ...RUN_COUNTS, nextDueAt: nullable(integer), heldPicoUsd: bigint },
});

/** Of a user who is blocked: why, and who set this last, and when. */
export const BLOCK = {
  blockNote: nullable(text),
  blockedAt: nullable(integer),
  blockedBy: nullable(text),
};

export const USERS = table({
  name: 'users',
  key: ['workspaceId', 'userId'],
  columns: {
    workspaceId: uuid,
    userId: text,
    blocked: boolean,
    lastSeenAt: nullable(integer),
    ...RUN_COUNTS,
    heldPicoUsd: bigint,
    ...BLOCK,
  },
});

export const RUNS = table({
  name: 'runs',
  key: ['workspaceId', 'id'],
  columns: {
    workspaceId: uuid,
    id: uuid,
    position: integer,
    userId: text,
    status: oneOf<RunStatus>(),
    startedAt: integer,
    endedAt: nullable(integer),
    endReason: nullable(oneOf<EndReason>()),
    leaseSeconds: nullable(integer),
    leaseExpiresAt: nullable(integer),
    dueAt: nullable(integer),
    limits: nullable(json<RunLimits>(LIMITS_AS_JSON)),
    recentSteps: nullable(json<RecentSteps>()),
    stepCount: integer,
    deniedStepCount: integer,
    heldPicoUsd: bigint,
    openHolds: integer,
    totalTokens: bigint,
    totalCostPicoUsd: bigint,
    usageVersion: integer,
    ...DECISION,
    metadata: nullable(text),
  },
  payloads: ['metadata'],
});

function detail<Value>(column: Column<Value>, read: (details: StepDetails) => SqlValue): Column<Value> {
  return partOf('details', column, (details: StepDetails | null | undefined) =>
    details == null ? null : read(details),
  );
}

/** What only some reports have. */
const PARTS_OF_TOKENS = {
  cacheReadTokens: detail(nullable(integer), ({ cacheReadTokens }) => cacheReadTokens),
  cacheWriteTokens: detail(nullable(integer), ({ cacheWriteTokens }) => cacheWriteTokens),
  reasoningTokens: detail(nullable(integer), ({ reasoningTokens }) => reasoningTokens),
  cacheSavedPicoUsd: detail(nullable(bigint), ({ cacheSavedPicoUsd }) => cacheSavedPicoUsd),
};

/** Finds runs by entries of their metadata. */
export const RUN_METADATA = table({
  name: 'run_metadata',
  key: ['workspaceId', 'name', 'value', 'position'],
  columns: { workspaceId: uuid, name: text, value: text, position: integer },
});

export const STEPS = table({
  name: 'steps',
  key: ['workspaceId', 'runId', 'id'],
  columns: {
    workspaceId: uuid,
    runId: uuid,
    id: uuid,
    position: integer,
    sequence: integer,
    type: oneOf<StepType>(),
    status: oneOf<StepStatus>(),
    model: nullable(text),
    toolName: nullable(text),
    promptTokens: nullable(integer),
    completionTokens: nullable(integer),
    ...PARTS_OF_TOKENS,
    costPicoUsd: nullable(bigint),
    costSource: nullable(oneOf<Exclude<CostSource, 'price'>>()),
    priceVersion: nullable(integer),
    holdPicoUsd: nullable(bigint),
    heldPicoUsd: nullable(bigint),
    durationMs: nullable(integer),
    ...DECISION,
    createdAt: integer,
    reportedAt: nullable(integer),
    usageVersion: nullable(integer),
    chargedVersion: nullable(integer),
    reportHash: nullable(text),
    error: detail(nullable(text), ({ error }) => error),
    inputData: nullable(text),
    outputData: detail(nullable(text), ({ outputData }) => outputData),
  },
  payloads: ['inputData', 'outputData'],
});

export const WORKSPACE_DAYS = table({
  name: 'workspace_days',
  key: ['workspaceId', 'day'],
  columns: { workspaceId: uuid, day: text, ...USAGE, runCount: integer },
});

export const USER_DAYS = table({
  name: 'user_days',
  key: ['workspaceId', 'day', 'userId'],
  columns: { workspaceId: uuid, day: text, userId: text, ...USAGE, runCount: integer },
});

export const MODEL_DAYS = table({
  name: 'model_days',
  key: ['workspaceId', 'day', 'model'],
  columns: { workspaceId: uuid, day: text, model: text, ...USAGE, ...USAGE_PARTS, stepCount: integer },
});

export const DENIAL_DAYS = table({
  name: 'denial_days',
  key: ['workspaceId', 'day', 'reason'],
  columns: { workspaceId: uuid, day: text, reason: oneOf<DenyReason>(), denialCount: integer },
});

export const USER_MODEL_DAYS = table({
  name: 'user_model_days',
  key: ['workspaceId', 'day', 'userId', 'model'],
  columns: { workspaceId: uuid, day: text, userId: text, model: text, ...USAGE, stepCount: integer },
});

export const USER_DENIAL_DAYS = table({
  name: 'user_denial_days',
  key: ['workspaceId', 'day', 'userId', 'reason'],
  columns: {
    workspaceId: uuid,
    day: text,
    userId: text,
    reason: oneOf<DenyReason>(),
    denialCount: integer,
  },
});

/** Calls of a model by how they ended and how long they took (domain/duration-buckets.ts). */
export const MODEL_CALL_DAYS = table({
  name: 'model_call_days',
  key: ['workspaceId', 'day', 'model', 'status', 'bucket'],
  columns: {
    workspaceId: uuid,
    day: text,
    model: text,
    status: oneOf<EndStatus>(),
    bucket: integer,
    callCount: integer,
  },
});

export const IDEMPOTENCY_RECORDS = table({
  name: 'remembered_answers',
  // The hash contains the workspace.
  key: ['keyHash'],
  columns: {
    workspaceId: uuid,
    keyHash: text,
    requestHash: text,
    reply: named('answer', text),
    createdAt: integer,
  },
});

export const AUDIT_LOG = table({
  name: 'audit_log',
  key: ['workspaceId', 'position'],
  columns: {
    workspaceId: uuid,
    /** In the order in which changes of a workspace took effect. */
    position: integer,
    id: uuid,
    createdAt: integer,
    actorType: oneOf<ActorType>(),
    actorId: nullable(uuid),
    actorLabel: text,
    action: oneOf<AuditAction>(),
    target: nullable(text),
    requestId: nullable(text),
    ipAddress: nullable(text),
    before: nullable(text),
    after: nullable(text),
  },
  generated: 'position',
});

const LOGIN_FAILURES = table({
  name: 'login_failures',
  key: ['id'],
  columns: { id: integer, subject: text, failedAt: integer },
  generated: 'id',
});

const SECRETS = table({ name: 'secrets', key: ['name'], columns: { name: text, value: text } });

export const TABLES: readonly Table[] = [
  WORKSPACES,
  ACCOUNTS,
  INVITATIONS,
  API_KEYS,
  MODEL_PRICES,
  MODEL_PRICE_VERSIONS,
  WORKSPACE_COUNTERS,
  USERS,
  RUNS,
  RUN_METADATA,
  STEPS,
  WORKSPACE_DAYS,
  USER_DAYS,
  MODEL_DAYS,
  DENIAL_DAYS,
  USER_MODEL_DAYS,
  USER_DENIAL_DAYS,
  MODEL_CALL_DAYS,
  IDEMPOTENCY_RECORDS,
  AUDIT_LOG,
  LOGIN_FAILURES,
  SECRETS,
];

// ── Parts of tables ────────────────────────────────────────────────────────────────────────────────────────────────

export const ACCOUNT = omit(ACCOUNTS.columns, 'emailKey');
export const PRICE = omit(MODEL_PRICES.columns, 'workspaceId');
export const PRICE_VERSION = omit(MODEL_PRICE_VERSIONS.columns, 'workspaceId', 'createdAt');
export const IDEMPOTENCY_RECORD = omit(IDEMPOTENCY_RECORDS.columns, 'workspaceId');
/** What decisions depend on. */
export const GUARDED_WORKSPACE = omit(WORKSPACES.columns, 'name', 'slug', 'createdAt');
/** The columns that an operator can change. */
export const WORKSPACE_SETTINGS = omit(WORKSPACES.columns, 'id', 'slug', 'createdAt');

/** The totals over the steps of a run. */
export const RUN_TOTALS = pick(
  RUNS.columns,
  'stepCount',
  'deniedStepCount',
  'heldPicoUsd',
  'openHolds',
  'totalTokens',
  'totalCostPicoUsd',
  'usageVersion',
);
/** What the end of a run changes. */
export const RUN_END = pick(RUNS.columns, 'status', 'endedAt', 'endReason', 'dueAt');
/** The columns that later commands read and change. */
export const RUN_STATE = {
  ...pick(
    RUNS.columns,
    'id',
    'userId',
    'startedAt',
    'leaseSeconds',
    'leaseExpiresAt',
    'limits',
    'recentSteps',
  ),
  ...RUN_END,
  ...RUN_TOTALS,
};
export const RUN_SUMMARY = {
  ...omit(RUN_STATE, 'limits', 'recentSteps', 'heldPicoUsd', 'openHolds'),
  denyReason: named('decision_reason', nullable(oneOf<DenyReason>())),
};
export const RUN = omit(RUNS.columns, 'workspaceId');

/** What a report, or the charge of a hold, changes. */
export const STEP_REPORT = pick(
  STEPS.columns,
  'status',
  'durationMs',
  'promptTokens',
  'completionTokens',
  'costPicoUsd',
  'costSource',
  'priceVersion',
  'heldPicoUsd',
  'reportedAt',
  'usageVersion',
  'chargedVersion',
  'reportHash',
);
/** What a report with details changes besides. */
export const STEP_DETAILS = pick(
  STEPS.columns,
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'cacheSavedPicoUsd',
  'error',
  'outputData',
);
/** The columns that later commands read and change. */
export const STEP_STATE = { ...pick(STEPS.columns, 'id', 'runId', 'model', 'holdPicoUsd'), ...STEP_REPORT };
/** What is shown of a step, without the payloads. */
export const STEP = omit(STEPS.columns, 'workspaceId', 'cacheSavedPicoUsd', 'inputData', 'outputData');
export const STEP_DECISION = pick(
  STEPS.columns,
  'id',
  'sequence',
  'position',
  'decisionReason',
  'decisionRules',
  'createdAt',
);
