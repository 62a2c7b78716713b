/** UTC days and months as the first characters of a timestamp. */

export const DAY_MS = 86_400_000;

export const iso = (time: number) => new Date(time).toISOString();
export const dayOf = (time: number) => iso(time).slice(0, 10);
export const monthOf = (time: number) => iso(time).slice(0, 7);

/** The day that is the given number of days before that of a time. */
export const dayBefore = (time: number, days: number) => dayOf(time - days * DAY_MS);

export const nextMidnight = (time: number) => Date.parse(`${dayOf(time)}T00:00:00.000Z`) + DAY_MS;

/** Steps day by day until the month changes. */
export function nextMonthStart(time: number): number {
  let midnight = nextMidnight(time);
  while (monthOf(midnight) === monthOf(time)) midnight += DAY_MS;
  return midnight;
}
