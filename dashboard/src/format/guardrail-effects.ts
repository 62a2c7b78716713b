/** What a limit would have changed for the runs of the last days, in a sentence. */

import type { Schemas } from '../api/api-client.ts';
import { formatCount, formatQuantity } from './count.ts';
import { formatSeconds } from './time.ts';

export const EFFECT_DAYS = 7;
const PERIOD = `in the last ${EFFECT_DAYS} days`;

type Effects = Schemas['GuardrailEffects'];

/** How the runs that a limit would have reached are described; the rest of the limits cannot be compared with past runs. */
const REACHED = {
  max_cost_usd: {
    count: ({ runs_at_max_cost }: Effects) => runs_at_max_cost,
    words: 'cost as much: the next step would have been denied',
  },
  max_steps: {
    count: ({ runs_over_max_steps }: Effects) => runs_over_max_steps,
    words: 'had more steps, which would have been denied',
  },
  max_duration_seconds: {
    count: ({ runs_at_max_duration }: Effects) => runs_at_max_duration,
    words: 'lasted as long: later steps would have been denied',
  },
} as const;

export type EffectField = keyof typeof REACHED | 'run_lease_seconds';

export type EffectLimits = Readonly<Partial<Record<EffectField, number>>>;

export function hasEffect(field: string): field is EffectField {
  return field in REACHED || field === 'run_lease_seconds';
}

/** The limits that the workspace has saved. */
export function savedLimits({ run_limits, run_lease_seconds }: Schemas['Workspace']): EffectLimits {
  const { max_cost_usd, max_steps, max_duration_seconds } = run_limits;
  const limits = { max_cost_usd, max_steps, max_duration_seconds, run_lease_seconds };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== null));
}

/** Null if there is nothing to say, because there is no limit. */
export function describeEffect(field: EffectField, limit: number | null, effects: Effects): string | null {
  if (field === 'run_lease_seconds') return describeLeases(limit, effects);
  const { count, words } = REACHED[field];
  const reached = count(effects);
  if (limit === null || reached === null) return null;
  if (effects.runs === 0) return `No runs ${PERIOD} to compare with.`;
  return `${capitalize(PERIOD)}, ${shareOf(reached, effects)} ${words}.`;
}

function describeLeases(limit: number | null, effects: Effects): string {
  if (effects.runs === 0) return `No runs ${PERIOD} to compare with.`;
  const expired = `${capitalize(PERIOD)}, ${shareOf(effects.expired_runs, effects)} ended by the lease.`;
  const { silent_runs } = effects;
  if (limit === null || silent_runs === null) return expired;
  const silent =
    silent_runs === 0
      ? 'No running run has'
      : `${formatQuantity(silent_runs, 'running run')} ${silent_runs === 1 ? 'has' : 'have'}`;
  return `${expired} ${silent} been silent for ${formatSeconds(limit)} until now.`;
}

export function describeHolds(effects: Effects): string {
  const { model_calls, model_calls_without_hold, has_more_steps } = effects;
  if (model_calls === 0) return `No model calls ${PERIOD} to compare with.`;
  const calls = `${has_more_steps ? 'the newest ' : ''}${formatQuantity(model_calls, 'model call')}`;
  if (model_calls_without_hold === 0) return `${capitalize(PERIOD)}, all of ${calls} had a hold.`;
  return `${capitalize(PERIOD)}, ${formatCount(model_calls_without_hold)} of ${calls} had no hold and would have been denied.`;
}

/** For example "3 of 120 runs". */
function shareOf(count: number, { runs, has_more_runs }: Effects): string {
  const all = `${has_more_runs ? 'the newest ' : ''}${formatQuantity(runs, 'run')}`;
  return `${count === 0 ? 'none' : formatCount(count)} of ${all}`;
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
