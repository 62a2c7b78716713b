/** The limits that are typed on this page: how each is read, and how it reads in a sentence. */

import { formatCount } from '../../format/count.ts';
import { formatExactUsd } from '../../format/money.ts';
import { parseRunCount, parseUsd, type TypedNumber } from '../../format/typed-number.ts';

export type LimitField = 'daily_budget_usd' | 'user_daily_budget_usd' | 'max_concurrent_runs';

const PER: Readonly<Record<Exclude<LimitField, 'max_concurrent_runs'>, string>> = {
  daily_budget_usd: 'per day',
  user_daily_budget_usd: 'per user and day',
};

type TypedLimit = TypedNumber | { readonly value: null; readonly problem: null };

/** An empty budget is no limit. */
export function parseLimit(field: LimitField, text: string): TypedLimit {
  if (field === 'max_concurrent_runs') return parseRunCount(text);
  return text.trim() === '' ? { value: null, problem: null } : parseUsd(text);
}

export function describeLimit(field: LimitField, limit: number | null): string {
  if (limit === null) return 'no limit';
  if (field === 'max_concurrent_runs') {
    return limit === 1 ? '1 run at the same time' : `${formatCount(limit)} runs at the same time`;
  }
  const amount = `${formatExactUsd(limit)} ${PER[field]}`;
  return limit === 0 ? `${amount}: every run and step is denied` : amount;
}
