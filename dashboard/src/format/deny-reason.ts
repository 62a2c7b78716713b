/** Display names of deny reasons and rules. */

import type { Schemas } from '../api/api-client.ts';

export type DenyReason = NonNullable<Schemas['Decision']['reason']>;
export type RuleName = Schemas['RuleEvaluation']['rule'];

export const DENY_REASON_LABELS: Readonly<Record<DenyReason, string>> = {
  KILL_SWITCH_ACTIVE: 'Kill switch is on',
  USER_BLOCKED: 'User is blocked',
  WORKSPACE_DAILY_BUDGET_EXCEEDED: 'Workspace budget reached',
  USER_DAILY_BUDGET_EXCEEDED: 'User budget reached',
  MONTHLY_RUN_LIMIT_EXCEEDED: 'Monthly run limit reached',
  MAX_CONCURRENT_RUNS_EXCEEDED: 'Too many concurrent runs',
  RUN_ALREADY_ENDED: 'Run had already ended',
};

export const RULE_LABELS: Readonly<Record<RuleName, string>> = {
  kill_switch: 'Kill switch',
  user_blocked: 'User blocked',
  workspace_daily_budget: 'Workspace daily budget',
  user_daily_budget: 'User daily budget',
  monthly_run_limit: 'Monthly run limit',
  max_concurrent_runs: 'Concurrent runs',
};
