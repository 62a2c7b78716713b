/**
 * The limits of a workspace as the guardrails page shows them. The keys come from the API types: a new limit does not compile
 * until it has an entry here, and then it has a form.
 */

import type { Schemas } from '../api/api-client.ts';
import type { Unit } from './comparison.ts';
import { formatCount, formatQuantity } from './count.ts';
import { formatExactUsd } from './money.ts';
import { formatReset, formatSeconds, formatUntil, nextUtcDay } from './time.ts';
import { type CountBounds, parseCount, parseUsd, type TypedNumber } from './typed-number.ts';

/** The settings that are numbers. */
type NumberField<Settings> = {
  [Field in keyof Settings]: Settings[Field] extends number | null ? Field : never;
}[keyof Settings];

type WorkspaceLimitField = NumberField<Required<Schemas['PatchWorkspace']>>;

/** The limits within `run_limits`. */
export type RunLimitField = NumberField<Required<Schemas['PatchRunLimits']>>;

export type LimitField = WorkspaceLimitField | RunLimitField;

/** A panel of the guardrails page. */
interface LimitPanel {
  /** For links to it. */
  readonly id: string;
  readonly title: string;
  readonly description: (now: number) => string;
}

const DAILY_BUDGETS: LimitPanel = {
  id: 'budgets',
  title: 'Daily budgets',
  description: (now) =>
    `In US dollars, for tokens with a price. Budgets reset ${formatReset(nextUtcDay(now), now)}, ${formatUntil(nextUtcDay(now), now)}.`,
};

const CONCURRENT_RUNS: LimitPanel = {
  id: 'concurrent-runs',
  title: 'Concurrent runs',
  description: () => 'Maximum number of runs at the same time.',
};

export const RUN_LIMITS: LimitPanel = {
  id: 'run-limits',
  title: 'Run limits',
  description: () =>
    'What one run may use, checked before each of its steps. They apply to runs that start from now on; an agent can only tighten them. Leave a field empty for no limit.',
};

export const LEASES: LimitPanel = {
  id: 'leases',
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
const FROM_NEXT_RUN = 'It applies to runs that start from now on.';

interface Limit {
  readonly panel: LimitPanel;
  /** Names the save button, too: no label is part of another. */
  readonly label: string;
  /** In a sentence, after "raised the". */
  readonly noun: string;
  readonly description: string;
  readonly unit: Exclude<Unit, 'switch'>;
  /** The values that the service accepts; null for all values of the unit. */
  readonly bounds: CountBounds | null;
  /** null if the field must have a value. */
  readonly empty: EmptyLimit | null;
  /** The limit in a sentence, after "Saves". */
  readonly words: (limit: number) => string;
  /** The saved value in a sentence, where the number alone is hard to read; null where it is not. */
  readonly inForce: ((limit: number | null) => string | null) | null;
  /** From when a saved value applies. */
  readonly applies: string;
  /** The feature that the plan must include; null if every plan has the limit. */
  readonly feature: Schemas['Feature'] | null;
}

const RUN_LIMIT_FORMS: Readonly<Record<RunLimitField, Limit>> = {
  max_cost_usd: {
    panel: RUN_LIMITS,
    label: 'Cost of a run',
    noun: 'cost limit of a run',
    description: 'All steps of the run together, for tokens with a price.',
    unit: 'usd',
    bounds: null,
    empty: NO_LIMIT,
    words: (usd) => `${formatExactUsd(usd)} per run${usd === 0 ? ': all steps are denied' : ''}`,
    inForce: null,
    applies: FROM_NEXT_RUN,
    feature: null,
  },
  max_steps: {
    panel: RUN_LIMITS,
    label: 'Steps of a run',
    noun: 'step limit of a run',
    description: 'Denied steps are not counted.',
    unit: 'count',
    bounds: null,
    empty: NO_LIMIT,
    words: (steps) => `${formatQuantity(steps, 'step')} per run`,
    inForce: null,
    applies: FROM_NEXT_RUN,
    feature: null,
  },
  max_duration_seconds: {
    panel: RUN_LIMITS,
    label: 'Seconds that a run may last',
    noun: 'duration limit of a run',
    description: 'Since the run started, for example 3600 for an hour.',
    unit: 'seconds',
    bounds: null,
    empty: NO_LIMIT,
    words: (seconds) => `${formatSeconds(seconds)} per run`,
    inForce: (seconds) => (seconds === null ? null : `A run may last ${formatSeconds(seconds)}.`),
    applies: FROM_NEXT_RUN,
    feature: null,
  },
  max_repeats: {
    panel: RUN_LIMITS,
    label: 'Equal steps',
    noun: 'limit of equal steps',
    description:
      'Among the last 20: same type, model, tool and input. It cannot be compared with past runs: the service does not keep their repeats.',
    unit: 'count',
    bounds: { min: 1, max: 20 },
    empty: NO_LIMIT,
    words: (steps) => `${formatQuantity(steps, 'equal step')} among the last 20 of a run`,
    inForce: null,
    applies: FROM_NEXT_RUN,
    feature: null,
  },
};

/** In the order of the guardrails page. */
export const LIMITS: Readonly<Record<LimitField, Limit>> = {
  daily_budget_usd: {
    panel: DAILY_BUDGETS,
    label: 'Workspace, per day',
    noun: 'daily budget',
    description: 'All users together. Leave empty for no limit.',
    unit: 'usd',
    bounds: null,
    empty: NO_LIMIT,
    words: (usd) => budgetWords(usd, 'per day'),
    inForce: null,
    applies: FROM_NEXT_DECISION,
    feature: null,
  },
  user_daily_budget_usd: {
    panel: DAILY_BUDGETS,
    label: 'Each user, per day',
    noun: 'daily budget per user',
    description: 'Applies to every user. Leave empty for no limit.',
    unit: 'usd',
    bounds: null,
    empty: NO_LIMIT,
    words: (usd) => budgetWords(usd, 'per user per day'),
    inForce: null,
    applies: FROM_NEXT_DECISION,
    feature: 'user_daily_budget',
  },
  max_concurrent_runs: {
    panel: CONCURRENT_RUNS,
    label: 'At most',
    noun: 'limit of concurrent runs',
    description: 'A slot is free as soon as a run ends.',
    unit: 'count',
    bounds: null,
    empty: null,
    words: (runs) => formatQuantity(runs, 'concurrent run'),
    inForce: null,
    applies: FROM_NEXT_DECISION,
    feature: 'max_concurrent_runs',
  },
  ...RUN_LIMIT_FORMS,
  run_lease_seconds: {
    panel: LEASES,
    label: 'Seconds until a silent run ends',
    noun: 'lease of runs',
    description: 'From 10 to 604800 (7 days). Leave empty so that runs never end by themselves.',
    unit: 'seconds',
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
    applies: FROM_NEXT_RUN,
    feature: null,
  },
};

// Object.keys() returns strings; the type of LIMITS guarantees that these are all fields.
export const LIMIT_FIELDS = Object.keys(LIMITS) as LimitField[];

export const LIMIT_PANELS: readonly LimitPanel[] = [
  ...new Set(LIMIT_FIELDS.map((field) => LIMITS[field].panel)),
];

export function limitFieldsOf(panel: LimitPanel): LimitField[] {
  return LIMIT_FIELDS.filter((field) => LIMITS[field].panel === panel);
}

/** The saved limit; null if there is none. */
export function limitIn(workspace: Schemas['Workspace'], field: LimitField): number | null {
  return isRunLimit(field) ? workspace.run_limits[field] : workspace[field];
}

/** The change of the workspace that saves the limit. */
export function toPatch(field: LimitField, limit: number | null): Schemas['PatchWorkspace'] {
  return isRunLimit(field) ? { run_limits: { [field]: limit } } : { [field]: limit };
}

function isRunLimit(field: LimitField): field is RunLimitField {
  return field in RUN_LIMIT_FORMS;
}

type TypedLimit = TypedNumber | { readonly value: null; readonly problem: null };

export function parseLimit(field: LimitField, text: string): TypedLimit {
  const { unit, bounds, empty } = LIMITS[field];
  if (empty !== null && text.trim() === '') return { value: null, problem: null };
  return unit === 'usd' ? parseUsd(text) : parseCount(text, bounds ?? undefined);
}

/** How a field for the limit is typed. */
export function limitInput(field: LimitField) {
  return LIMITS[field].unit === 'usd'
    ? ({ inputMode: 'decimal', leftSection: '$' } as const)
    : ({ inputMode: 'numeric', leftSection: null } as const);
}

export function describeLimit(field: LimitField, limit: number | null): string {
  const { words, empty } = LIMITS[field];
  return limit === null ? (empty ?? NO_LIMIT).words : words(limit);
}

/** The number alone, without rounding: "$0.02", "1 hour", "1,000". */
export function formatLimit(field: LimitField, limit: number): string {
  const { unit } = LIMITS[field];
  if (unit === 'usd') return formatExactUsd(limit);
  return unit === 'seconds' ? formatSeconds(limit) : formatCount(limit);
}

function budgetWords(usd: number, period: string): string {
  return `${formatExactUsd(usd)} ${period}${usd === 0 ? ': all runs and steps are denied' : ''}`;
}
