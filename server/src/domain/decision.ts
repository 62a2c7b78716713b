/** The outcome of a guardrail evaluation, with everything needed to explain it later. */

export const DENY_REASONS = [
  'KILL_SWITCH_ACTIVE',
  'USER_BLOCKED',
  'WORKSPACE_DAILY_BUDGET_EXCEEDED',
  'USER_DAILY_BUDGET_EXCEEDED',
  'MONTHLY_RUN_LIMIT_EXCEEDED',
  'MAX_CONCURRENT_RUNS_EXCEEDED',
  'RUN_ALREADY_ENDED',
] as const;
export type DenyReason = (typeof DENY_REASONS)[number];

export const RULE_NAMES = [
  'kill_switch',
  'user_blocked',
  'workspace_daily_budget',
  'user_daily_budget',
  'monthly_run_limit',
  'max_concurrent_runs',
] as const;
export type RuleName = (typeof RULE_NAMES)[number];

export const OUTCOMES = ['ALLOW', 'DENY'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export type RuleResult = 'PASS' | 'DENY';

/** One rule as it was compared: a switch, a count against a limit, or an amount in USD against a budget. */
export interface RuleEvaluation {
  readonly rule: RuleName;
  readonly result: RuleResult;
  /** null: no limit is set. */
  readonly limit: number | null;
  readonly value: number | boolean;
  /** When the compared value starts again from zero; null for rules that have no period. */
  readonly resetsAt: number | null;
}

export interface Decision {
  readonly outcome: Outcome;
  readonly reason: DenyReason | null;
  readonly evaluations: readonly RuleEvaluation[];
}

export function toEvaluatedRules(decision: Decision): Partial<Record<RuleName, RuleResult>> {
  return Object.fromEntries(decision.evaluations.map(({ rule, result }) => [rule, result]));
}
