/** Parses and describes the limits of this page. */

import { formatCount } from '../../format/count.ts';
import { formatExactUsd } from '../../format/money.ts';
import { parseRunCount, parseUsd, type TypedNumber } from '../../format/typed-number.ts';

export type LimitField = 'daily_budget_usd' | 'user_daily_budget_usd' | 'max_concurrent_runs';

const PER: Readonly<Record<Exclude<LimitField, 'max_concurrent_runs'>, string>> = {
  daily_budget_usd: 'per day',
  user_daily_budget_usd: 'per user per day',
};

type TypedLimit = TypedNumber | { readonly value: null; readonly problem: null };

/** An empty budget means no limit. */
export function parseLimit(field: LimitField, text: string): TypedLimit {
  if (field === 'max_concurrent_runs') return parseRunCount(text);
  return text.trim() === '' ? { value: null, problem: null } : parseUsd(text);
}

export function describeLimit(field: LimitField, limit: number | null): string {
  if (limit === null) return 'no limit';
  if (field === 'max_concurrent_runs') {
    return limit === 1 ? '1 concurrent run' : `${formatCount(limit)} concurrent runs`;
  }
  const amount = `${formatExactUsd(limit)} ${PER[field]}`;
  return limit === 0 ? `${amount}: all runs and steps are denied` : amount;
}
