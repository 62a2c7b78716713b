/** The guardrails, in the order of the specification. The first DENY ends an evaluation and is the decision. */

import type { Decision, DenyReason, RuleEvaluation, RuleName } from './decision.js';
import { type PicoUsd, picoUsdToNumber } from './money.js';
import { nextDayStart, nextMonthStart } from './period.js';
import { monthlyRunLimit } from './plan.js';
import type { Workspace } from './workspace.js';

/** What the rules of a step look at. */
export interface StepGuardrailFacts {
  readonly now: number;
  readonly workspace: Workspace;
  readonly userBlocked: boolean;
  readonly workspaceSpendTodayPicoUsd: PicoUsd;
  readonly userSpendTodayPicoUsd: PicoUsd;
}

/** What the rules of a run start look at. */
export interface RunGuardrailFacts extends StepGuardrailFacts {
  readonly monthlyRunCount: number;
  readonly activeRunCount: number;
}

interface Comparison {
  readonly denied: boolean;
  readonly limit: number | null;
  readonly value: number | boolean;
  readonly resetsAt: number | null;
}

interface Rule<Facts> {
  readonly name: RuleName;
  readonly reason: DenyReason;
  readonly compare: (facts: Facts) => Comparison;
}

const KILL_SWITCH: Rule<StepGuardrailFacts> = {
  name: 'kill_switch',
  reason: 'KILL_SWITCH_ACTIVE',
  compare: ({ workspace }) => compareSwitch(workspace.killSwitch),
};

const STEP_RULES: readonly Rule<StepGuardrailFacts>[] = [
  KILL_SWITCH,
  {
    name: 'user_blocked',
    reason: 'USER_BLOCKED',
    compare: ({ userBlocked }) => compareSwitch(userBlocked),
  },
  {
    name: 'workspace_daily_budget',
    reason: 'WORKSPACE_DAILY_BUDGET_EXCEEDED',
    compare: ({ now, workspace, workspaceSpendTodayPicoUsd }) =>
      compareBudget(workspace.dailyBudgetPicoUsd, workspaceSpendTodayPicoUsd, now),
  },
  {
    name: 'user_daily_budget',
    reason: 'USER_DAILY_BUDGET_EXCEEDED',
    compare: ({ now, workspace, userSpendTodayPicoUsd }) =>
      compareBudget(workspace.userDailyBudgetPicoUsd, userSpendTodayPicoUsd, now),
  },
];

const RUN_RULES: readonly Rule<RunGuardrailFacts>[] = [
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
];

export function evaluateRunStart(facts: RunGuardrailFacts): Decision {
  return evaluate(RUN_RULES, facts);
}

export function evaluateStep(facts: StepGuardrailFacts): Decision {
  return evaluate(STEP_RULES, facts);
}

const RUN_ALREADY_ENDED: Decision = { outcome: 'DENY', reason: 'RUN_ALREADY_ENDED', evaluations: [] };

/** A step of a run that is not running is denied in any case, but nothing comes before the kill switch. */
export function evaluateLateStep(facts: StepGuardrailFacts): Decision {
  const decision = evaluate([KILL_SWITCH], facts);
  return decision.outcome === 'DENY' ? decision : RUN_ALREADY_ENDED;
}

function evaluate<Facts>(rules: readonly Rule<Facts>[], facts: Facts): Decision {
  const evaluations: RuleEvaluation[] = [];
  for (const { name, reason, compare } of rules) {
    const { denied, limit, value, resetsAt } = compare(facts);
    evaluations.push({ rule: name, result: denied ? 'DENY' : 'PASS', limit, value, resetsAt });
    if (denied) return { outcome: 'DENY', reason, evaluations };
  }
  return { outcome: 'ALLOW', reason: null, evaluations };
}

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
