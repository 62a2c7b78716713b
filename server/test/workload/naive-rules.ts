/** The six guardrails in their order, with the values that each compared. */

import { toPico, toUsd } from './naive-money.js';
import { iso, nextMidnight, nextMonthStart } from './naive-time.js';

export interface NaiveRule {
  readonly rule: string;
  readonly result: 'PASS' | 'DENY';
  readonly limit: number | null;
  readonly value: number | boolean;
  readonly resets_at: string | null;
}

export interface NaiveDecision {
  readonly reason: string | null;
  readonly rules: readonly NaiveRule[];
}

export interface StepFacts {
  readonly now: number;
  readonly killSwitch: boolean;
  readonly isBlocked: boolean;
  readonly dailyBudgetUsd: number | null;
  readonly spendToday: bigint;
  readonly userDailyBudgetUsd: number | null;
  readonly userSpendToday: bigint;
}

export interface RunFacts extends StepFacts {
  readonly monthlyLimit: number | null;
  readonly startedThisMonth: number;
  readonly maxConcurrentRuns: number;
  readonly running: number;
}

/** A step of a run that is not running. */
export function decideLateStep(facts: StepFacts): NaiveDecision {
  if (facts.killSwitch) return decideStep(facts);
  return { reason: 'RUN_ALREADY_ENDED', rules: [] };
}

export function decideStep(facts: StepFacts): NaiveDecision {
  return untilFirstDeny(stepRules(facts));
}

export function decideRun(facts: RunFacts): NaiveDecision {
  const { now, monthlyLimit, startedThisMonth, maxConcurrentRuns, running } = facts;
  return untilFirstDeny([
    ...stepRules(facts),
    {
      reason: 'MONTHLY_RUN_LIMIT_EXCEEDED',
      rule: 'monthly_run_limit',
      isDenied: monthlyLimit !== null && startedThisMonth >= monthlyLimit,
      limit: monthlyLimit,
      value: startedThisMonth,
      resets_at: iso(nextMonthStart(now)),
    },
    {
      reason: 'MAX_CONCURRENT_RUNS_EXCEEDED',
      rule: 'max_concurrent_runs',
      isDenied: running >= maxConcurrentRuns,
      limit: maxConcurrentRuns,
      value: running,
      resets_at: null,
    },
  ]);
}

interface Comparison extends Omit<NaiveRule, 'result'> {
  readonly reason: string;
  readonly isDenied: boolean;
}

function stepRules(facts: StepFacts): Comparison[] {
  const midnight = iso(nextMidnight(facts.now));
  return [
    {
      reason: 'KILL_SWITCH_ACTIVE',
      rule: 'kill_switch',
      isDenied: facts.killSwitch,
      limit: null,
      value: facts.killSwitch,
      resets_at: null,
    },
    {
      reason: 'USER_BLOCKED',
      rule: 'user_blocked',
      isDenied: facts.isBlocked,
      limit: null,
      value: facts.isBlocked,
      resets_at: null,
    },
    {
      reason: 'WORKSPACE_DAILY_BUDGET_EXCEEDED',
      rule: 'workspace_daily_budget',
      isDenied: isReached(facts.dailyBudgetUsd, facts.spendToday),
      limit: facts.dailyBudgetUsd,
      value: toUsd(facts.spendToday),
      resets_at: midnight,
    },
    {
      reason: 'USER_DAILY_BUDGET_EXCEEDED',
      rule: 'user_daily_budget',
      isDenied: isReached(facts.userDailyBudgetUsd, facts.userSpendToday),
      limit: facts.userDailyBudgetUsd,
      value: toUsd(facts.userSpendToday),
      resets_at: midnight,
    },
  ];
}

const isReached = (budgetUsd: number | null, spend: bigint) =>
  budgetUsd !== null && spend >= toPico(budgetUsd);

function untilFirstDeny(comparisons: readonly Comparison[]): NaiveDecision {
  const first = comparisons.findIndex(({ isDenied }) => isDenied);
  const evaluated = first === -1 ? comparisons : comparisons.slice(0, first + 1);
  return {
    reason: comparisons[first]?.reason ?? null,
    rules: evaluated.map(({ rule, isDenied, limit, value, resets_at }) => ({
      rule,
      result: isDenied ? 'DENY' : 'PASS',
      limit,
      value,
      resets_at,
    })),
  };
}
