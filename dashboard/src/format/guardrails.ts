/**
 * The rules and denials as the dashboard shows them. The keys come from the API types: a new rule or deny reason does not
 * compile until it has an entry here. The pages then explain it.
 */

import type { Schemas } from '../api/api-client.ts';
import { type AmountFormat, comparisonFormat, type Unit } from './comparison.ts';
import { formatCount, formatQuantity } from './count.ts';

type RuleEvaluation = Schemas['RuleEvaluation'];
type RuleName = RuleEvaluation['rule'];

export type DenyReason = Schemas['DenyReason'];

interface Reached {
  readonly value: number;
  readonly limit: number;
  /** For amounts of the rule. */
  readonly format: AmountFormat;
}

interface Rule {
  readonly label: string;
  readonly unit: Unit;
  /** For a limit of the run: what it had compared when it denied, in a sentence. */
  readonly reached?: (compared: Reached) => string;
  /** For a limit that counts holds: what has spent and held, to begin a sentence. */
  readonly spender?: string;
}

const RULES: Readonly<Record<RuleName, Rule>> = {
  kill_switch: { label: 'Kill switch', unit: 'switch' },
  user_blocked: { label: 'User blocked', unit: 'switch' },
  workspace_daily_budget: { label: 'Workspace daily budget', unit: 'usd', spender: 'The workspace' },
  user_daily_budget: { label: 'User daily budget', unit: 'usd', spender: 'This user' },
  monthly_run_limit: { label: 'Monthly run limit', unit: 'count' },
  max_concurrent_runs: { label: 'Concurrent runs', unit: 'count' },
  run_cost_limit: {
    label: 'Cost of the run',
    unit: 'usd',
    reached: ({ value, limit, format }) =>
      `The steps of this run had cost ${format(value)}; it may cost ${format(limit)}.`,
    spender: 'This run',
  },
  run_step_limit: {
    label: 'Steps of the run',
    unit: 'count',
    reached: ({ value, limit }) =>
      `This run had ${formatQuantity(value, 'step')}, without denied ones; it may have ${formatCount(limit)}.`,
  },
  run_duration_limit: {
    label: 'Duration of the run',
    unit: 'seconds',
    reached: ({ value, limit, format }) =>
      `This run had lasted ${format(value)}; it may last ${format(limit)}.`,
  },
  run_repeat_limit: {
    label: 'Equal steps among the last 20',
    unit: 'count',
    reached: ({ value, limit }) =>
      `This run had ${formatQuantity(value, 'equal step')} among the last 20; it may have ${formatCount(limit)}.`,
  },
  hold_required: { label: 'Hold required', unit: 'switch' },
  model_price: { label: 'Price of the model', unit: 'switch' },
};

interface Denial {
  readonly label: string;
  /** The cause of the denial. */
  readonly text: string;
  /** Instead, where a hold did not fit into what was left. */
  readonly exceededText?: string;
}

const RUN_LIMIT_TEXT =
  'Its limits were fixed when it started. A denied step does not end a run: the agent can wind down.';

const DENIALS: Readonly<Record<DenyReason, Denial>> = {
  KILL_SWITCH_ACTIVE: {
    label: 'Kill switch is on',
    text: 'All runs and steps are denied while it is on.',
  },
  USER_BLOCKED: {
    label: 'User is blocked',
    text: 'All runs and steps of this user are denied until the user is unblocked.',
  },
  WORKSPACE_DAILY_BUDGET_EXCEEDED: {
    label: 'Workspace budget reached',
    text: 'The workspace had reached its budget for the day.',
    exceededText: 'The step could have exceeded the budget for the day.',
  },
  USER_DAILY_BUDGET_EXCEEDED: {
    label: 'User budget reached',
    text: 'This user had reached the budget for the day.',
    exceededText: 'The step could have exceeded the budget for the day.',
  },
  MONTHLY_RUN_LIMIT_EXCEEDED: {
    label: 'Monthly run limit reached',
    text: 'The workspace had used all runs of its plan for the month.',
  },
  MAX_CONCURRENT_RUNS_EXCEEDED: {
    label: 'Too many concurrent runs',
    text: 'The maximum number of runs was already running.',
  },
  RUN_COST_LIMIT_EXCEEDED: {
    label: 'Cost limit of the run reached',
    text: RUN_LIMIT_TEXT,
  },
  RUN_STEP_LIMIT_EXCEEDED: {
    label: 'Step limit of the run reached',
    text: RUN_LIMIT_TEXT,
  },
  RUN_DURATION_LIMIT_EXCEEDED: {
    label: 'Duration limit of the run reached',
    text: RUN_LIMIT_TEXT,
  },
  LOOP_DETECTED: {
    label: 'Loop detected',
    text: `Steps are equal if their type, model, tool and input are. ${RUN_LIMIT_TEXT}`,
  },
  HOLD_REQUIRED: {
    label: 'Hold required',
    text: 'Every model call must hold what it may cost: this one had no estimate, or its model has no price.',
  },
  MODEL_NOT_PRICED: {
    label: 'Model has no price',
    text: 'Model calls without a price are denied, because their cost would not count towards budgets. This one names no model, or its model had no price.',
  },
  RUN_ALREADY_ENDED: {
    label: 'Run had already ended',
    text: 'The agent requested this step after the run had ended: by the agent itself, by its lease or by an operator.',
  },
};

export const DENY_REASONS = Object.keys(DENIALS) as DenyReason[];

/** A server that was upgraded after this page was loaded may send names that the page does not know: they are shown as they are. */
export function ruleOf(name: RuleName): Rule {
  const known: Partial<Record<string, Rule>> = RULES;
  return known[name] ?? { label: name, unit: 'count' };
}

export function denialOf(reason: DenyReason): Denial {
  const known: Partial<Record<string, Denial>> = DENIALS;
  return known[reason] ?? { label: reason, text: '' };
}

/** Why a run or step was denied: what the rule had compared, where the reason does not say enough, and the cause. */
export function describeDenial(reason: DenyReason, rule: RuleEvaluation | undefined): string {
  const { text, exceededText = text } = denialOf(reason);
  const cause = rule?.requested == null ? text : exceededText;
  const reached = rule === undefined ? null : describeReached(rule);
  return reached === null ? cause : `${reached} ${cause}`;
}

function describeReached(evaluation: RuleEvaluation): string | null {
  const { rule, value, limit } = evaluation;
  if (typeof value !== 'number' || limit === null) return null;
  const { reached, spender } = ruleOf(rule);
  const format = amountFormatOf(evaluation);
  const holds = describeHolds(evaluation, format);
  if (spender === undefined || holds.length === 0) return reached?.({ value, limit, format }) ?? null;
  const amounts = [`${format(value)} spent`, ...holds].join(', ');
  return `${spender} had ${amounts} of ${format(limit)}.`;
}

/** What a rule counts in addition to the spend, for example "$0.40 held" and "$0.50 requested". */
export function describeHolds({ held, requested }: RuleEvaluation, format: AmountFormat): string[] {
  return [
    ...(held ? [`${format(held)} held`] : []),
    ...(requested == null ? [] : [`${format(requested)} requested`]),
  ];
}

/** The format for the amounts that a rule has compared. They never contradict its result. */
export function amountFormatOf({ rule, value, limit, held, requested }: RuleEvaluation): AmountFormat {
  const parts = [value, held, requested].filter((part) => typeof part === 'number');
  return comparisonFormat(ruleOf(rule).unit, { parts, limit });
}
