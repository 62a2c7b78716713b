/** How much of its limits a run has used. Pure. */

import type { Schemas } from '../../api/api-client.ts';
import { comparisonFormat } from '../../format/comparison.ts';
import { formatCount } from '../../format/count.ts';

type LimitedRun = Pick<Schemas['Run'], 'limits' | 'total_cost_usd' | 'held_usd' | 'duration_ms'> & {
  readonly steps: readonly Pick<Schemas['Step'], 'status'>[];
};

export interface RunLimitUse {
  readonly label: string;
  /** For example "2 of 10". */
  readonly text: string;
  /** null if how much is used is not known: it depends on the next step. */
  readonly meter: { readonly value: number; readonly held: number; readonly limit: number } | null;
}

/** One entry for each limit that is set, in the order in which they are checked. */
export function runLimitUses(run: LimitedRun): RunLimitUse[] {
  const { total_cost_usd, held_usd, duration_ms, steps } = run;
  const { max_cost_usd, max_steps, max_duration_seconds, max_repeats } = run.limits;
  return [
    measured({ label: 'Cost', unit: 'usd', value: total_cost_usd, held: held_usd, limit: max_cost_usd }),
    measured({
      label: 'Steps',
      unit: 'count',
      value: steps.filter(({ status }) => status !== 'BLOCKED').length,
      limit: max_steps,
    }),
    measured({
      label: 'Duration',
      unit: 'seconds',
      value: duration_ms / 1_000,
      limit: max_duration_seconds,
    }),
    max_repeats === null
      ? null
      : { label: 'Equal steps', text: `At most ${formatCount(max_repeats)} of the last 20`, meter: null },
  ].filter((use) => use !== null);
}

interface Measured {
  readonly label: string;
  readonly unit: 'usd' | 'count' | 'seconds';
  readonly value: number;
  readonly held?: number;
  readonly limit: number | null;
}

function measured({ label, unit, value, held = 0, limit }: Measured): RunLimitUse | null {
  if (limit === null) return null;
  const format = comparisonFormat(unit, { parts: held > 0 ? [value, held] : [value], limit });
  const heldWords = held > 0 ? ` + ${format(held)} held` : '';
  return {
    label,
    text: `${format(value)}${heldWords} of ${format(limit)}`,
    meter: { value, held, limit },
  };
}
