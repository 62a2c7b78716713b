/** The guardrails, in the order of docs/api.md#decisions. */

import { nullablePicoUsdToNumber, type PicoUsd, picoUsdToNumber } from './money.js';
import { nextDayStart, nextMonthStart } from './period.js';
import { monthlyRunLimit } from './plan.js';
import type { RunLimits } from './run-limits.js';
import type { Usage } from './usage.js';
import type { GuardedWorkspace } from './workspace.js';

/** What the rules of run starts and of steps look at. */
export interface GuardrailFacts {
  readonly now: number;
  readonly workspace: GuardedWorkspace;
  readonly userBlocked: boolean;
  readonly workspaceUsageToday: Usage;
  readonly userUsageToday: Usage;
  /** Open holds. */
  readonly workspaceHeldPicoUsd: PicoUsd;
  readonly userHeldPicoUsd: PicoUsd;
  /** What the step would hold; null without an estimate. */
  readonly holdPicoUsd: PicoUsd | null;
}

/** What the rules of a step look at. */
export interface StepGuardrailFacts extends GuardrailFacts {
  /** null: the run has no limits of its own. */
  readonly limits: RunLimits | null;
  readonly run: RunProgress;
  /** null: not a model call. */
  readonly isHoldMissing: boolean | null;
  /** Whether its model has no active price; null: not a model call. */
  readonly isUnpriced: boolean | null;
}

/** How far a run has come. */
export interface RunProgress {
  readonly startedAt: number;
  readonly costPicoUsd: PicoUsd;
  readonly heldPicoUsd: PicoUsd;
  /** Denied steps do not count. */
  readonly allowedSteps: number;
  /** Steps equal to this one among the last ones of the run. */
  readonly repeats: number;
}

/** What the rules of a run start look at. */
export interface RunGuardrailFacts extends GuardrailFacts {
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
  /** Of a budget: open holds, and what the step would hold. Absent if neither matters. */
  readonly held?: number;
  readonly requested?: number | null;
}

export interface Rule<Facts> {
  readonly name: string;
  /** The deny reason. */
  readonly reason: string;
  /** null: the rule does not apply, and is not part of the decision. */
  readonly compare: (facts: Facts) => Comparison | null;
}

export const KILL_SWITCH = {
  name: 'kill_switch',
  reason: 'KILL_SWITCH_ACTIVE',
  compare: ({ workspace }) => compareSwitch(workspace.killSwitch),
} as const satisfies Rule<GuardrailFacts>;

const COMMON_RULES = [
  KILL_SWITCH,
  {
    name: 'user_blocked',
    reason: 'USER_BLOCKED',
    compare: ({ userBlocked }) => compareSwitch(userBlocked),
  },
  {
    name: 'workspace_daily_budget',
    reason: 'WORKSPACE_DAILY_BUDGET_EXCEEDED',
    compare: ({ now, workspace, workspaceUsageToday, workspaceHeldPicoUsd, holdPicoUsd }) =>
      compareAmount(
        workspace.dailyBudgetPicoUsd,
        { spend: workspaceUsageToday.costPicoUsd, held: workspaceHeldPicoUsd, hold: holdPicoUsd },
        nextDayStart(now),
      ),
  },
  {
    name: 'user_daily_budget',
    reason: 'USER_DAILY_BUDGET_EXCEEDED',
    compare: ({ now, workspace, userUsageToday, userHeldPicoUsd, holdPicoUsd }) =>
      compareAmount(
        workspace.userDailyBudgetPicoUsd,
        { spend: userUsageToday.costPicoUsd, held: userHeldPicoUsd, hold: holdPicoUsd },
        nextDayStart(now),
      ),
  },
] as const satisfies readonly Rule<GuardrailFacts>[];

export const RUN_RULES = [
  ...COMMON_RULES,
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

/** The limits of a run apply where they are set, and holds and prices where the workspace requires them. */
export const STEP_RULES = [
  ...COMMON_RULES,
  {
    name: 'run_cost_limit',
    reason: 'RUN_COST_LIMIT_EXCEEDED',
    compare: ({ limits, run, holdPicoUsd }) =>
      limits === null || limits.maxCostPicoUsd === null
        ? null
        : compareAmount(
            limits.maxCostPicoUsd,
            { spend: run.costPicoUsd, held: run.heldPicoUsd, hold: holdPicoUsd },
            null,
          ),
  },
  {
    name: 'run_step_limit',
    reason: 'RUN_STEP_LIMIT_EXCEEDED',
    compare: ({ limits, run }) => compareRunLimit(limits?.maxSteps, run.allowedSteps),
  },
  {
    name: 'run_duration_limit',
    reason: 'RUN_DURATION_LIMIT_EXCEEDED',
    compare: ({ limits, now, run }) =>
      compareRunLimit(limits?.maxDurationSeconds, Math.max(0, now - run.startedAt) / 1000),
  },
  {
    name: 'run_repeat_limit',
    reason: 'LOOP_DETECTED',
    compare: ({ limits, run }) => compareRunLimit(limits?.maxRepeats, run.repeats),
  },
  {
    name: 'hold_required',
    reason: 'HOLD_REQUIRED',
    compare: ({ workspace, isHoldMissing }) =>
      workspace.requireHolds && isHoldMissing !== null ? compareSwitch(isHoldMissing) : null,
  },
  {
    name: 'model_price',
    reason: 'MODEL_NOT_PRICED',
    compare: ({ workspace, isUnpriced }) =>
      workspace.denyUnpricedModels && isUnpriced !== null ? compareSwitch(isUnpriced) : null,
  },
] as const satisfies readonly Rule<StepGuardrailFacts>[];

type AnyRule = (typeof RUN_RULES)[number] | (typeof STEP_RULES)[number];
const ALL_RULES: readonly AnyRule[] = [...RUN_RULES, ...STEP_RULES.slice(COMMON_RULES.length)];

export type RuleName = AnyRule['name'];
export const RULE_NAMES: readonly RuleName[] = ALL_RULES.map(({ name }) => name);

/** The reason of a step that comes after the end of its run. */
export const RUN_ALREADY_ENDED = 'RUN_ALREADY_ENDED';

export type DenyReason = AnyRule['reason'] | typeof RUN_ALREADY_ENDED;
export const DENY_REASONS: readonly DenyReason[] = [
  ...ALL_RULES.map(({ reason }) => reason),
  RUN_ALREADY_ENDED,
];

function compareSwitch(active: boolean): Comparison {
  return { denied: active, limit: null, value: active, resetsAt: null };
}

interface Amounts {
  readonly spend: PicoUsd;
  readonly held: PicoUsd;
  readonly hold: PicoUsd | null;
}

/** A hold may use up all that is left; without one, something has to be left. */
function compareAmount(
  limit: PicoUsd | null,
  { spend, held, hold }: Amounts,
  resetsAt: number | null,
): Comparison {
  const taken = spend + held;
  const comparison = {
    denied: limit !== null && (hold === null ? taken >= limit : taken + hold > limit),
    limit: nullablePicoUsdToNumber(limit),
    value: picoUsdToNumber(spend),
    resetsAt,
  };
  if (held === 0n && hold === null) return comparison;
  const requested = nullablePicoUsdToNumber(hold);
  return { ...comparison, held: picoUsdToNumber(held), requested };
}

function compareRunLimit(limit: number | null | undefined, value: number): Comparison | null {
  return limit == null ? null : compareCount(limit, value, null);
}

function compareCount(limit: number | null, count: number, resetsAt: number | null): Comparison {
  return { denied: limit !== null && count >= limit, limit, value: count, resetsAt };
}
