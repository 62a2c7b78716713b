/** The days that a page shows, as its URL says. */

export const RANGES = [7, 30, 90] as const;
export type Range = (typeof RANGES)[number];

const DEFAULT_RANGE: Range = 30;

export function rangeIn(parameters: URLSearchParams): Range {
  return RANGES.find((days) => String(days) === parameters.get('days')) ?? DEFAULT_RANGE;
}

/** The same page with another range. */
export function rangeHref(path: string, parameters: URLSearchParams, days: Range): string {
  const next = new URLSearchParams(parameters);
  if (days === DEFAULT_RANGE) next.delete('days');
  else next.set('days', String(days));
  const search = next.toString();
  return search === '' ? path : `${path}?${search}`;
}
