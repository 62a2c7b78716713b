/**
 * What lifts each deny reason. The keys come from the API types: a new deny reason does not compile until it has an entry here. Where a
 * denial is explained, the page then offers it.
 */

import type { DenyReason } from './guardrails.ts';
import { LEASES, type LimitField, RUN_LIMITS, type RunLimitField } from './limits.ts';

/** The limits that count the spend of a day. */
export type BudgetField = Extract<LimitField, 'daily_budget_usd' | 'user_daily_budget_usd'>;

/** The settings that deny a call of a model without a price. */
export type PriceSetting = 'require_holds' | 'deny_unpriced_models';

export type Remedy =
  | { readonly kind: 'kill-switch' }
  | { readonly kind: 'unblock' }
  | { readonly kind: 'budget'; readonly field: BudgetField }
  | { readonly kind: 'plan' }
  | { readonly kind: 'slots' }
  /** Limits of a run are fixed when it starts: only later runs can get others. */
  | { readonly kind: 'run-limit'; readonly field: RunLimitField }
  | { readonly kind: 'price'; readonly setting: PriceSetting }
  | { readonly kind: 'lease' };

export const REMEDIES: Readonly<Record<DenyReason, Remedy>> = {
  KILL_SWITCH_ACTIVE: { kind: 'kill-switch' },
  USER_BLOCKED: { kind: 'unblock' },
  WORKSPACE_DAILY_BUDGET_EXCEEDED: { kind: 'budget', field: 'daily_budget_usd' },
  USER_DAILY_BUDGET_EXCEEDED: { kind: 'budget', field: 'user_daily_budget_usd' },
  MONTHLY_RUN_LIMIT_EXCEEDED: { kind: 'plan' },
  MAX_CONCURRENT_RUNS_EXCEEDED: { kind: 'slots' },
  RUN_COST_LIMIT_EXCEEDED: { kind: 'run-limit', field: 'max_cost_usd' },
  RUN_STEP_LIMIT_EXCEEDED: { kind: 'run-limit', field: 'max_steps' },
  RUN_DURATION_LIMIT_EXCEEDED: { kind: 'run-limit', field: 'max_duration_seconds' },
  LOOP_DETECTED: { kind: 'run-limit', field: 'max_repeats' },
  HOLD_REQUIRED: { kind: 'price', setting: 'require_holds' },
  MODEL_NOT_PRICED: { kind: 'price', setting: 'deny_unpriced_models' },
  RUN_ALREADY_ENDED: { kind: 'lease' },
};

/** null for a reason of a server that was upgraded after this page was loaded. */
export function remedyOf(reason: DenyReason): Remedy | null {
  const known: Partial<Record<string, Remedy>> = REMEDIES;
  return known[reason] ?? null;
}

/** Panels of the guardrails page. */
export const HOLDS_SECTION = 'holds';
export const UNPRICED_MODELS_SECTION = 'unpriced-models';

export const PLACES = {
  holds: `/guardrails#${HOLDS_SECTION}`,
  leases: `/guardrails#${LEASES.id}`,
  plan: '/settings#plan',
  runLimits: `/guardrails#${RUN_LIMITS.id}`,
  slots: '/runs?status=RUNNING',
  unpricedModels: `/guardrails#${UNPRICED_MODELS_SECTION}`,
} as const;

/** The page of prices, with the form for a new price of the model. */
export function addPriceHref(model: string): string {
  return `/prices?${new URLSearchParams({ add: model })}`;
}
