/** Maps rows to objects of the domain. */

import type { Account } from '../domain/account.js';
import type { ApiKey } from '../domain/api-key.js';
import type { Decision } from '../domain/decision.js';
import type { IdempotencyRecord } from '../domain/idempotency.js';
import type { ModelPrice, TokenPrices } from '../domain/price.js';
import type { DenyReason } from '../domain/rules.js';
import type { Run, RunCounts, RunState, RunSummary } from '../domain/run.js';
import type { StepState } from '../domain/step.js';
import type { Usage } from '../domain/usage.js';
import type { GuardedWorkspace, Workspace } from '../domain/workspace.js';
import { reader } from './columns.js';
import { type Row, readBigint } from './row.js';
import type { ListedStep, ModelUsageToday } from './store.js';
import {
  ACCOUNT,
  API_KEYS,
  GUARDED_WORKSPACE,
  IDEMPOTENCY_RECORD,
  PRICE,
  PRICE_VERSION,
  RUN,
  RUN_COUNTS,
  RUN_STATE,
  RUN_SUMMARY,
  STEP,
  STEP_DECISION,
  STEP_STATE,
  type StoredEvaluation,
  USAGE,
  WORKSPACES,
} from './tables.js';

export const toWorkspace: (row: Row) => Workspace = reader(WORKSPACES.columns);
export const toGuardedWorkspace: (row: Row) => GuardedWorkspace = reader(GUARDED_WORKSPACE);
export const toAccount: (row: Row) => Account = reader(ACCOUNT);
export const toApiKey: (row: Row) => ApiKey = reader(API_KEYS.columns);
export const toPrice: (row: Row) => ModelPrice = reader(PRICE);
export const toPriceVersion: (row: Row) => TokenPrices & Pick<ModelPrice, 'model' | 'version'> =
  reader(PRICE_VERSION);
export const toUsage: (row: Row) => Usage = reader(USAGE);
export const toRunCounts: (row: Row) => RunCounts = reader(RUN_COUNTS);
export const toRunState: (row: Row) => RunState = reader(RUN_STATE);
export const toRunSummary: (row: Row) => RunSummary = reader(RUN_SUMMARY);
export const toStepState: (row: Row) => StepState = reader(STEP_STATE);
export const toIdempotencyRecord: (row: Row) => IdempotencyRecord = reader(IDEMPOTENCY_RECORD);

export function toModelUsageToday(row: Row): ModelUsageToday {
  return { usage: toUsage(row), savedPicoUsd: readBigint(row, 'saved_pico_usd') };
}

const readRun = reader(RUN);
const readStep = reader(STEP);
const readStepDecision = reader(STEP_DECISION);

export function toRun(row: Row): Run {
  return withDecision(readRun(row));
}

export function toStep(row: Row): Omit<ListedStep, 'inputData' | 'outputData' | 'prices'> {
  return withDecision(readStep(row));
}

export function toStepDecision(row: Row) {
  return withDecision(readStepDecision(row));
}

interface DecisionColumns {
  readonly decisionReason: DenyReason | null;
  readonly decisionRules: readonly StoredEvaluation[];
}

function withDecision<Columns extends DecisionColumns>({
  decisionReason,
  decisionRules,
  ...columns
}: Columns): Omit<Columns, keyof DecisionColumns> & { readonly decision: Decision } {
  const evaluations = decisionRules.map(
    ([rule, result = 1, limit = null, value = false, resetsAt = null, held, requested]) => ({
      rule,
      result: result === 1 ? 'PASS' : result,
      limit,
      value,
      resetsAt,
      ...(held === undefined ? {} : { held, requested: requested ?? null }),
    }),
  );
  const outcome = decisionReason === null ? 'ALLOW' : 'DENY';
  return { ...columns, decision: { outcome, reason: decisionReason, evaluations } };
}
