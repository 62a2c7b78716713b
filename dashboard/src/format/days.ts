/** Days in URLs and inputs, for example 2026-03-14. */

import { DAY } from './time.ts';

const DAY_TEXT = /^\d{4}-\d\d-\d\d$/;

/** Null for text that is not a day. While a year is typed, it is one of the first centuries: that is not a day yet, either. */
export function dayIn(text: string | null): string | null {
  if (text === null || !DAY_TEXT.test(text) || text < '1970' || text >= '9999') return null;
  return Number.isNaN(Date.parse(text)) ? null : text;
}

/** The first moment of the first day and the moment after the last day, in UTC: the days of budgets and reports. */
export function utcMoments({ from, to }: { readonly from: string | null; readonly to: string | null }): {
  readonly from: string | null;
  readonly to: string | null;
} {
  return {
    from: from === null ? null : new Date(Date.parse(from)).toISOString(),
    to: to === null ? null : new Date(Date.parse(to) + DAY).toISOString(),
  };
}
