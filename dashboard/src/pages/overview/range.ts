/** The days that the overview shows, as its URL says. */

export const RANGES = [7, 30, 90] as const;
export type Range = (typeof RANGES)[number];

const DEFAULT_RANGE: Range = 30;

export function rangeIn(parameters: URLSearchParams): Range {
  return RANGES.find((days) => String(days) === parameters.get('days')) ?? DEFAULT_RANGE;
}

export function rangeHref(days: Range): string {
  return days === DEFAULT_RANGE ? '/' : `/?days=${days}`;
}
