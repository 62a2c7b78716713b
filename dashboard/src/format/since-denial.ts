/**
 * What has changed since a denial, in a sentence, from current data; null if the same request would be denied again for the same
 * reason. Pure.
 */

import type { Schemas } from '../api/api-client.ts';
import type { SpendToday } from '../api/spend-today.ts';
import { comparisonFormat } from './comparison.ts';
import { formatCount, formatQuantity } from './count.ts';
import type { BudgetField, PriceSetting } from './denial-remedies.ts';
import { LIMITS } from './limits.ts';
import { sumUsd } from './money.ts';

type Workspace = Schemas['Workspace'];

export function killSwitchSince({ kill_switch }: Pick<Workspace, 'kill_switch'>): string | null {
  return kill_switch ? null : 'The kill switch is off now.';
}

export function blockSince(isBlocked: boolean): string | null {
  return isBlocked ? null : 'This user is not blocked any more.';
}

export function monthSince({
  monthly_run_count: count,
  monthly_run_limit: limit,
}: Pick<Schemas['Billing'], 'monthly_run_count' | 'monthly_run_limit'>): string | null {
  if (limit === null) return 'The plan has no monthly run limit any more.';
  return count >= limit
    ? null
    : `${formatCount(count)} of ${formatQuantity(limit, 'run')} are used this month.`;
}

export function slotsSince({ running, limit }: { running: number; limit: number }): string | null {
  const free = limit - running;
  return free <= 0
    ? null
    : `${formatCount(free)} of ${formatQuantity(limit, 'slot')} ${free === 1 ? 'is' : 'are'} free now.`;
}

export function priceSettingSince(
  workspace: Pick<Workspace, PriceSetting>,
  setting: PriceSetting,
): string | null {
  if (workspace[setting]) return null;
  return setting === 'require_holds'
    ? 'Holds are not required any more.'
    : 'Models without a price are not denied any more.';
}

/** What a budget counts. */
export interface BudgetUse extends SpendToday {
  /** Whether it is what the denial had compared, because what the user has spent since is not known. */
  readonly isThen: boolean;
}

interface Budget {
  readonly limit: number;
  readonly use: BudgetUse;
  /** What the step would have held; null without an estimate. */
  readonly requested: number | null;
}

/** The use is null if it is not known: the day of the denial is over. */
export function budgetSince(
  field: BudgetField,
  { limit, use, requested }: { limit: number | null; use: BudgetUse | null; requested: number | null },
): string | null {
  const { noun } = LIMITS[field];
  if (limit === null) return `There is no ${noun} any more.`;
  if (use === null) return `The ${noun} has reset since.`;
  if (!fitsBudget({ limit, use, requested })) return null;
  const format = comparisonFormat('usd', { parts: [use.spentUsd, use.heldUsd], limit });
  return `The ${noun} is ${format(limit)} now. ${describeBudgetUse(field, { limit, use })}`;
}

/** As the service decides: a hold may use up all that is left; without one, something has to be left. */
export function fitsBudget({ limit, use: { spentUsd, heldUsd }, requested }: Budget): boolean {
  const left = sumUsd([limit, -spentUsd, -heldUsd, -(requested ?? 0)]);
  return requested === null ? left > 0 : left >= 0;
}

/** For example "This user has spent $1.50 today, and holds $0.20." */
export function describeBudgetUse(
  field: BudgetField,
  { limit, use: { spentUsd, heldUsd, isThen } }: { limit: number | null; use: BudgetUse },
): string {
  const format = comparisonFormat('usd', { parts: [spentUsd, heldUsd], limit });
  const spender = field === 'daily_budget_usd' ? 'The workspace' : 'This user';
  const spent = isThen
    ? `had spent ${format(spentUsd)} at the time of the denial`
    : `has spent ${format(spentUsd)} today`;
  const held = heldUsd > 0 ? `, and ${isThen ? 'held' : 'holds'} ${format(heldUsd)}` : '';
  return `${spender} ${spent}${held}.`;
}

/** What the budget counts now, or else what the denial had compared: until the end of the day, it only grows. */
export function budgetUseOf(
  rule: Schemas['RuleEvaluation'] | undefined,
  { spend, now }: { spend: SpendToday | undefined; now: number },
): BudgetUse | null {
  if (spend !== undefined) return { ...spend, isThen: false };
  if (rule === undefined || typeof rule.value !== 'number') return null;
  const isOver = rule.resets_at !== null && Date.parse(rule.resets_at) <= now;
  return isOver ? null : { spentUsd: rule.value, heldUsd: rule.held ?? 0, isThen: true };
}
