/** The guardrails, in the order of docs/api.md#decisions. */

import { type PicoUsd, picoUsdToNumber } from './money.js';
import { nextDayStart, nextMonthStart } from './period.js';
import { monthlyRunLimit } from './plan.js';
import type { Usage } from './usage.js';
import type { Workspace } from './workspace.js';

/** What the rules of a step look at. */
export interface StepGuardrailFacts {
  readonly now: number;
  readonly workspace: Workspace;
  readonly userBlocked: boolean;
  readonly workspaceUsageToday: Usage;
  readonly userUsageToday: Usage;
}

/** What the rules of a run start look at. */
export interface RunGuardrailFacts extends StepGuardrailFacts {
  readonly monthlyRunCount: number;
  readonly activeRunCount: number;
}

/** What a rule compared: a switch, a count against a limit, or an amount in USD against a budget. Numbers are for display. */
export interface Comparison {
  readonly denied: boolean;
  /** null: no limit is set. */
  readonly limit: number | null;
  readonly value: number | boolean;
  /** When the compared value starts again from zero; null for rules that have no period. */
  readonly resetsAt: number | null;
}

export interface Rule<Facts> {
  readonly name: string;
  /** The deny reason. */
  readonly reason: string;
  readonly compare: (facts: Facts) => Comparison;
}

export const KILL_SWITCH = {
  name: 'kill_switch',
  reason: 'KILL_SWITCH_ACTIVE',
  compare: ({ workspace }) => compareSwitch(workspace.killSwitch),
} as const satisfies Rule<StepGuardrailFacts>;

export const STEP_RULES = [
  KILL_SWITCH,
  {
    name: 'user_blocked',
    reason: 'USER_BLOCKED',
    compare: ({ userBlocked }) => compareSwitch(userBlocked),
  },
  {
    name: 'workspace_daily_budget',
    reason: 'WORKSPACE_DAILY_BUDGET_EXCEEDED',
    compare: ({ now, workspace, workspaceUsageToday }) =>
      compareBudget(workspace.dailyBudgetPicoUsd, workspaceUsageToday.costPicoUsd, now),
  },
  {
    name: 'user_daily_budget',
    reason: 'USER_DAILY_BUDGET_EXCEEDED',
    compare: ({ now, workspace, userUsageToday }) =>
      compareBudget(workspace.userDailyBudgetPicoUsd, userUsageToday.costPicoUsd, now),
  },
] as const satisfies readonly Rule<StepGuardrailFacts>[];

export const RUN_RULES = [
  ...STEP_RULES,
  {
    name: 'monthly_run_limit',
    reason: 'MONTHLY_RUN_LIMIT_EXCEEDED',
    compare: ({ now, workspace, monthlyRunCount }) =>
      compareCount(monthlyRunLimit(workspace.plan), monthlyRunCount, nextMonthStart(now)),
  },
  {
    name: 'max_concurrent_runs',
    reason: 'MAX_CONCURRENT_RUNS_EXCEEDED',
    compare: ({ workspace, activeRunCount }) =>
      compareCount(workspace.maxConcurrentRuns, activeRunCount, null),
  },
] as const satisfies readonly Rule<RunGuardrailFacts>[];

export type RuleName = (typeof RUN_RULES)[number]['name'];
export const RULE_NAMES: readonly RuleName[] = RUN_RULES.map(({ name }) => name);

/** The reason of a step that comes after the end of its run. */
export const RUN_ALREADY_ENDED = 'RUN_ALREADY_ENDED';

export type DenyReason = (typeof RUN_RULES)[number]['reason'] | typeof RUN_ALREADY_ENDED;
export const DENY_REASONS: readonly DenyReason[] = [
  ...RUN_RULES.map(({ reason }) => reason),
  RUN_ALREADY_ENDED,
];

function compareSwitch(active: boolean): Comparison {
  return { denied: active, limit: null, value: active, resetsAt: null };
}

function compareBudget(budget: PicoUsd | null, spend: PicoUsd, now: number): Comparison {
  return {
    denied: budget !== null && spend >= budget,
    limit: budget === null ? null : picoUsdToNumber(budget),
    value: picoUsdToNumber(spend),
    resetsAt: nextDayStart(now),
  };
}

function compareCount(limit: number | null, count: number, resetsAt: number | null): Comparison {
  return { denied: limit !== null && count >= limit, limit, value: count, resetsAt };
}
