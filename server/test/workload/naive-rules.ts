/** The guardrails in their order, with the values that each compared. */

import { toPico, toUsd } from './naive-money.js';
import { iso, nextMidnight, nextMonthStart } from './naive-time.js';

export interface NaiveRule {
  readonly rule: string;
  readonly result: 'PASS' | 'DENY';
  readonly limit: number | null;
  readonly value: number | boolean;
  readonly resets_at: string | null;
  readonly held?: number;
  readonly requested?: number | null;
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
  readonly held: bigint;
  readonly userHeld: bigint;
  /** What the step would hold; null without an estimate. */
  readonly hold: bigint | null;
}

/** Undefined: not limited. */
export interface NaiveLimits {
  readonly max_cost_usd?: number | null;
  readonly max_steps?: number | null;
  readonly max_duration_seconds?: number | null;
  readonly max_repeats?: number | null;
}

export interface RunProgress {
  readonly limits: NaiveLimits;
  readonly cost: bigint;
  readonly allowedSteps: number;
  readonly seconds: number;
  readonly repeats: number;
  readonly held: bigint;
  readonly hold: bigint | null;
  /** Null where none is required. */
  readonly isHoldMissing: boolean | null;
  readonly isUnpriced: boolean | null;
}

export interface RunFacts extends StepFacts {
  readonly monthlyLimit: number | null;
  readonly startedThisMonth: number;
  readonly maxConcurrentRuns: number;
  readonly running: number;
}

/** A step of a run that is not running. */
export function decideLateStep(facts: StepFacts): NaiveDecision {
  if (facts.killSwitch) return untilFirstDeny(stepRules(facts));
  return { reason: 'RUN_ALREADY_ENDED', rules: [] };
}

export function decideStep(facts: StepFacts, run: RunProgress): NaiveDecision {
  return untilFirstDeny([...stepRules(facts), ...runLimitRules(run)]);
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
      ...compareAmount(facts.dailyBudgetUsd, facts.spendToday, facts.held, facts.hold),
      resets_at: midnight,
    },
    {
      reason: 'USER_DAILY_BUDGET_EXCEEDED',
      rule: 'user_daily_budget',
      ...compareAmount(facts.userDailyBudgetUsd, facts.userSpendToday, facts.userHeld, facts.hold),
      resets_at: midnight,
    },
  ];
}

/** Only the limits that are set. */
function runLimitRules(run: RunProgress): Comparison[] {
  const { limits, cost, allowedSteps, seconds, repeats, held, hold } = run;
  const of = (rule: string, reason: string, limit: number | null | undefined, value: number) =>
    limit == null ? [] : [{ rule, reason, limit, value, isDenied: value >= limit, resets_at: null }];
  const { max_cost_usd, max_steps, max_duration_seconds, max_repeats } = limits;
  return [
    ...of('run_cost_limit', 'RUN_COST_LIMIT_EXCEEDED', max_cost_usd, 0).map((rule) => ({
      ...rule,
      ...compareAmount(max_cost_usd ?? null, cost, held, hold),
    })),
    ...of('run_step_limit', 'RUN_STEP_LIMIT_EXCEEDED', max_steps, allowedSteps),
    ...of('run_duration_limit', 'RUN_DURATION_LIMIT_EXCEEDED', max_duration_seconds, seconds),
    ...of('run_repeat_limit', 'LOOP_DETECTED', max_repeats, repeats),
    ...requiredOf('hold_required', 'HOLD_REQUIRED', run.isHoldMissing),
    ...requiredOf('model_price', 'MODEL_NOT_PRICED', run.isUnpriced),
  ];
}

/** Nothing where it is not required. */
function requiredOf(rule: string, reason: string, isMissing: boolean | null): Comparison[] {
  if (isMissing === null) return [];
  return [{ rule, reason, limit: null, value: isMissing, isDenied: isMissing, resets_at: null }];
}

function compareAmount(limitUsd: number | null, spend: bigint, held: bigint, hold: bigint | null) {
  const limit = limitUsd === null ? null : toPico(limitUsd);
  const isDenied = limit !== null && (hold === null ? spend + held >= limit : spend + held + hold > limit);
  const shown = { isDenied, limit: limitUsd, value: toUsd(spend) };
  if (held === 0n && hold === null) return shown;
  return { ...shown, held: toUsd(held), requested: hold === null ? null : toUsd(hold) };
}

function untilFirstDeny(comparisons: readonly Comparison[]): NaiveDecision {
  const first = comparisons.findIndex(({ isDenied }) => isDenied);
  const evaluated = first === -1 ? comparisons : comparisons.slice(0, first + 1);
  return {
    reason: comparisons[first]?.reason ?? null,
    rules: evaluated.map(({ reason: _, isDenied, ...compared }) => ({
      ...compared,
      result: isDenied ? 'DENY' : 'PASS',
    })),
  };
}
