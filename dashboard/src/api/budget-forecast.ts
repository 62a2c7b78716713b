/**
 * When the spend of today reaches the budget of the workspace, if it continues at its average pace since 00:00 UTC. Pure.
 */

import { withoutRoundingError } from '../format/money.ts';
import { DAY, HOUR, MINUTE, nextUtcDay, utcDayOf } from '../format/time.ts';

/** Before, a single run would determine the pace. */
export const MIN_ELAPSED_MS = HOUR;
export const MIN_RUNS = 3;

export interface ForecastFacts {
  /** The UTC day of the other figures. */
  readonly day: string;
  readonly spentUsd: number;
  /** Counts against the budget, too. */
  readonly heldUsd: number;
  /** Runs that started on this day. */
  readonly runCount: number;
  /** null: no budget is set. */
  readonly budgetUsd: number | null;
  readonly now: number;
}

export type BudgetForecast =
  | { readonly kind: 'reached' }
  /** Before the budget resets; the start of a minute. */
  | { readonly kind: 'reaches'; readonly at: number }
  /** The spend when the budget resets. */
  | { readonly kind: 'within'; readonly usd: number }
  | { readonly kind: 'too-early' }
  | { readonly kind: 'too-few-runs' };

/** null: there is no budget, nothing was spent, or the figures are of another day. */
export function forecastBudget(facts: ForecastFacts): BudgetForecast | null {
  const { day, spentUsd, heldUsd, runCount, budgetUsd, now } = facts;
  // Around midnight, or with a wrong clock: the pace of one day says nothing about another.
  if (budgetUsd === null || day !== utcDayOf(now)) return null;
  const countedUsd = withoutRoundingError(spentUsd + heldUsd);
  if (countedUsd >= budgetUsd) return { kind: 'reached' };
  if (countedUsd <= 0) return null;
  const reset = nextUtcDay(now);
  const elapsed = now - (reset - DAY);
  if (elapsed < MIN_ELAPSED_MS) return { kind: 'too-early' };
  if (runCount < MIN_RUNS) return { kind: 'too-few-runs' };
  const at = reset - DAY + elapsed * (budgetUsd / countedUsd);
  if (at >= reset) return { kind: 'within', usd: countedUsd * (DAY / elapsed) };
  return { kind: 'reaches', at: Math.floor(at / MINUTE) * MINUTE };
}
