/**
 * The rules, denials and limits as the dashboard shows them. The keys come from the API types: a new rule, deny reason or
 * limit does not compile until it has an entry here. The pages then explain it and have a form for it.
 */

import type { Schemas } from '../api/api-client.ts';
import { formatCount, formatQuantity } from './count.ts';
import { formatExactUsd, formatUsd } from './money.ts';
import { formatSeconds, formatUntil, nextUtcDay } from './time.ts';
import { type CountBounds, parseCount, parseUsd, type TypedNumber } from './typed-number.ts';

type RuleName = Schemas['RuleEvaluation']['rule'];
type Settings = Required<Schemas['PatchWorkspace']>;

export type DenyReason = Schemas['DenyReason'];

/** The settings of a workspace that are numbers. */
export type LimitField = {
  [Field in keyof Settings]: Settings[Field] extends number | null ? Field : never;
}[keyof Settings];

/** The unit of the values that a rule compares. */
type Unit = 'switch' | 'usd' | 'count';

interface Rule {
  readonly label: string;
  readonly unit: Unit;
}

const RULES: Readonly<Record<RuleName, Rule>> = {
  kill_switch: { label: 'Kill switch', unit: 'switch' },
  user_blocked: { label: 'User blocked', unit: 'switch' },
  workspace_daily_budget: { label: 'Workspace daily budget', unit: 'usd' },
  user_daily_budget: { label: 'User daily budget', unit: 'usd' },
  monthly_run_limit: { label: 'Monthly run limit', unit: 'count' },
  max_concurrent_runs: { label: 'Concurrent runs', unit: 'count' },
  run_cost_limit: { label: 'Cost of the run', unit: 'usd' },
  run_step_limit: { label: 'Steps of the run', unit: 'count' },
  run_duration_limit: { label: 'Duration of the run in seconds', unit: 'count' },
  run_repeat_limit: { label: 'Equal steps among the last 20', unit: 'count' },
  hold_required: { label: 'Hold required', unit: 'switch' },
};

interface Denial {
  readonly label: string;
  /** The cause of the denial. */
  readonly text: string;
  /** A link to the page where the cause can be changed. */
  readonly remedy: { readonly href: string; readonly text: string } | null;
}

const DENIALS: Readonly<Record<DenyReason, Denial>> = {
  KILL_SWITCH_ACTIVE: {
    label: 'Kill switch is on',
    text: 'All runs and steps are denied while it is on.',
    remedy: { href: '/guardrails', text: 'Kill switch' },
  },
  USER_BLOCKED: {
    label: 'User is blocked',
    text: 'All runs and steps of this user are denied until the user is unblocked.',
    remedy: { href: '/users?blocked=true', text: 'Blocked users' },
  },
  WORKSPACE_DAILY_BUDGET_EXCEEDED: {
    label: 'Workspace budget reached',
    text: 'The workspace had reached its budget for the day.',
    remedy: { href: '/guardrails', text: 'Budgets' },
  },
  USER_DAILY_BUDGET_EXCEEDED: {
    label: 'User budget reached',
    text: 'This user had reached the budget for the day.',
    remedy: { href: '/guardrails', text: 'Budgets' },
  },
  MONTHLY_RUN_LIMIT_EXCEEDED: {
    label: 'Monthly run limit reached',
    text: 'The workspace had used all runs of its plan for the month.',
    remedy: { href: '/settings#plan', text: 'Plan' },
  },
  MAX_CONCURRENT_RUNS_EXCEEDED: {
    label: 'Too many concurrent runs',
    text: 'The maximum number of runs was already running.',
    remedy: { href: '/guardrails', text: 'Concurrency' },
  },
  RUN_COST_LIMIT_EXCEEDED: {
    label: 'Cost limit of the run reached',
    text: 'The steps of this run had cost as much as one run may.',
    remedy: null,
  },
  RUN_STEP_LIMIT_EXCEEDED: {
    label: 'Step limit of the run reached',
    text: 'This run had as many steps as one run may.',
    remedy: null,
  },
  RUN_DURATION_LIMIT_EXCEEDED: {
    label: 'Duration limit of the run reached',
    text: 'This run had lasted as long as one run may.',
    remedy: null,
  },
  LOOP_DETECTED: {
    label: 'Loop detected',
    text: 'The same step with the same input was among the last 20 steps too often.',
    remedy: null,
  },
  HOLD_REQUIRED: {
    label: 'Hold required',
    text: 'Every model call must hold what it may cost: this one had no estimate, or its model has no price.',
    remedy: { href: '/guardrails', text: 'Holds' },
  },
  RUN_ALREADY_ENDED: {
    label: 'Run had already ended',
    text: 'The agent requested this step after the run had ended: by the agent itself, by its lease or by an operator.',
    remedy: { href: '/guardrails', text: 'Leases' },
  },
};

/** A server that was upgraded after this page was loaded may send names that the page does not know: they are shown as they are. */
export function ruleOf(name: RuleName): Rule {
  const known: Partial<Record<string, Rule>> = RULES;
  return known[name] ?? { label: name, unit: 'count' };
}

export function denialOf(reason: DenyReason): Denial {
  const known: Partial<Record<string, Denial>> = DENIALS;
  return known[reason] ?? { label: reason, text: '', remedy: null };
}

/** A panel of the guardrails page. */
interface LimitPanel {
  readonly title: string;
  readonly description: (now: number) => string;
}

const DAILY_BUDGETS: LimitPanel = {
  title: 'Daily budgets',
  description: (now) =>
    `In US dollars, for tokens with a price. Budgets reset at 00:00 UTC, ${formatUntil(nextUtcDay(now), now)}.`,
};

const CONCURRENT_RUNS: LimitPanel = {
  title: 'Concurrent runs',
  description: () => 'Maximum number of runs at the same time.',
};

const LEASES: LimitPanel = {
  title: 'Leases',
  description: () =>
    'A run whose agent sends nothing for this long ends as failed, and its slot is free again. An agent can choose another lease for a run.',
};

/** What an empty field means. */
interface EmptyLimit {
  readonly placeholder: string;
  /** What saving it does. */
  readonly effect: string;
  /** In a sentence, after "Someone else saved". */
  readonly words: string;
}

const NO_LIMIT: EmptyLimit = { placeholder: 'No limit', effect: 'Removes the limit', words: 'no limit' };

const FROM_NEXT_DECISION = 'It applies from the next decision.';

interface Limit {
  readonly panel: LimitPanel;
  /** Names the save button, too: no label is part of another. */
  readonly label: string;
  readonly description: string;
  readonly unit: Exclude<Unit, 'switch'>;
  /** The values that the service accepts; null for all values of the unit. */
  readonly bounds: CountBounds | null;
  /** null if the field must have a value. */
  readonly empty: EmptyLimit | null;
  /** The limit in a sentence, after "Saves". */
  readonly words: (limit: number) => string;
  /** The saved value in a sentence, where the number alone is hard to read; null where it is not. */
  readonly inForce: ((limit: number | null) => string) | null;
  /** From when a saved value applies. */
  readonly applies: string;
  /** The feature that the plan must include; null if every plan has the limit. */
  readonly feature: Schemas['Feature'] | null;
}

/** In the order of the guardrails page. */
export const LIMITS: Readonly<Record<LimitField, Limit>> = {
  daily_budget_usd: {
    panel: DAILY_BUDGETS,
    label: 'Workspace, per day',
    description: 'All users together. Leave empty for no limit.',
    unit: 'usd',
    bounds: null,
    empty: NO_LIMIT,
    words: (usd) => `${formatExactUsd(usd)} per day`,
    inForce: null,
    applies: FROM_NEXT_DECISION,
    feature: null,
  },
  user_daily_budget_usd: {
    panel: DAILY_BUDGETS,
    label: 'Each user, per day',
    description: 'Applies to every user. Leave empty for no limit.',
    unit: 'usd',
    bounds: null,
    empty: NO_LIMIT,
    words: (usd) => `${formatExactUsd(usd)} per user per day`,
    inForce: null,
    applies: FROM_NEXT_DECISION,
    feature: 'user_daily_budget',
  },
  max_concurrent_runs: {
    panel: CONCURRENT_RUNS,
    label: 'At most',
    description: 'A slot is free as soon as a run ends.',
    unit: 'count',
    bounds: null,
    empty: null,
    words: (runs) => formatQuantity(runs, 'concurrent run'),
    inForce: null,
    applies: FROM_NEXT_DECISION,
    feature: 'max_concurrent_runs',
  },
  run_lease_seconds: {
    panel: LEASES,
    label: 'Seconds until a silent run ends',
    description: 'From 10 to 604800 (7 days). Leave empty so that runs never end by themselves.',
    unit: 'count',
    bounds: { min: 10, max: 604_800 },
    empty: {
      placeholder: 'Never',
      effect: 'Saves never: runs never end by themselves',
      words: 'never: runs never end by themselves',
    },
    words: formatSeconds,
    inForce: (seconds) =>
      seconds === null
        ? 'Runs never end by themselves: the slot of an agent that died stays taken until someone stops the run.'
        : `A silent run ends after ${formatSeconds(seconds)}.`,
    applies: 'It applies to runs that start from now on.',
    feature: null,
  },
};

// Object.keys() returns strings; the type of LIMITS guarantees that these are all fields.
const LIMIT_FIELDS = Object.keys(LIMITS) as LimitField[];

export const LIMIT_PANELS: readonly LimitPanel[] = [
  ...new Set(LIMIT_FIELDS.map((field) => LIMITS[field].panel)),
];

export function limitFieldsOf(panel: LimitPanel): LimitField[] {
  return LIMIT_FIELDS.filter((field) => LIMITS[field].panel === panel);
}

type TypedLimit = TypedNumber | { readonly value: null; readonly problem: null };

export function parseLimit(field: LimitField, text: string): TypedLimit {
  const { unit, bounds, empty } = LIMITS[field];
  if (empty !== null && text.trim() === '') return { value: null, problem: null };
  return unit === 'usd' ? parseUsd(text) : parseCount(text, bounds ?? undefined);
}

export function describeLimit(field: LimitField, limit: number | null): string {
  const { unit, words, empty } = LIMITS[field];
  if (limit === null) return empty?.words ?? NO_LIMIT.words;
  const isZeroBudget = unit === 'usd' && limit === 0;
  return isZeroBudget ? `${words(limit)}: all runs and steps are denied` : words(limit);
}

export function formatAmount(amount: number, unit: Unit): string {
  return unit === 'usd' ? formatUsd(amount) : formatCount(amount);
}
