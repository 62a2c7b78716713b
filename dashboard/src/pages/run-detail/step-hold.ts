/** What a step holds and how its cost came about. Pure. */

import { type AmountFormat, comparisonFormat } from '../../format/comparison.ts';
import { formatUsd, withoutRoundingError } from '../../format/money.ts';
import type { Step } from './step-timeline.ts';

type HeldStep = Pick<
  Step,
  'status' | 'hold_usd' | 'cost_usd' | 'cost_source' | 'cost_parts' | 'prompt_tokens' | 'completion_tokens'
>;

/** The hold that waits for the report or the end of the run; null if there is none. */
export function openHoldOf({ status, hold_usd, cost_usd }: HeldStep): number | null {
  return status === 'ALLOWED' && cost_usd === null ? hold_usd : null;
}

/** How much more than its hold the step has cost; null if it has not. */
export function excessOf({ hold_usd, cost_usd }: HeldStep): number | null {
  if (hold_usd === null || cost_usd === null || cost_usd <= hold_usd) return null;
  return withoutRoundingError(cost_usd - hold_usd);
}

/** The format for the cost and the hold of a step, which are compared. */
export function stepUsdFormat({ cost_usd, hold_usd }: Pick<HeldStep, 'cost_usd' | 'hold_usd'>): AmountFormat {
  return comparisonFormat('usd', { parts: cost_usd === null ? [] : [cost_usd], limit: hold_usd });
}

export interface CostNote {
  /** Below an amount. */
  readonly short: string;
  readonly long: string;
}

/** What the amount of the step alone does not say; null if there is nothing. */
export function costNoteOf(step: HeldStep): CostNote | null {
  if (openHoldOf(step) !== null) {
    return { short: 'held', long: 'held until the step is reported or the run ends' };
  }
  if (step.cost_source === 'estimated')
    return { short: 'estimated', long: `estimated: ${whyEstimated(step)}` };
  const excess = excessOf(step);
  if (excess !== null) {
    return { short: `${formatUsd(excess)} over hold`, long: `${formatUsd(excess)} more than its hold` };
  }
  return step.cost_source === 'reported' ? { short: 'stated', long: 'stated by the report' } : null;
}

function whyEstimated({ status, cost_parts }: HeldStep): string {
  if (cost_parts !== null) return 'the agent estimated the tokens, because the call was broken off';
  return status === 'ALLOWED' ? 'the run ended without a report' : 'the report had no tokens';
}

/** What became of the hold, after its amount; null while it is open, or if the cost says it. */
export function holdFateOf(step: HeldStep): string | null {
  const isReleased = step.status === 'FAILED' && step.prompt_tokens === null && step.cost_usd === null;
  return isReleased ? 'released: the step failed without tokens' : null;
}
