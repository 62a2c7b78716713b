/** UTC days and months as text keys: nothing is ever reset, a new day is simply another key. */

/** `YYYY-MM-DD` */
export type Day = string;
/** `YYYY-MM` */
export type Month = string;

const DAY_MS = 86_400_000;

/** The last result: every command asks for the same day, and a date takes a microsecond to format. */
let lastDay = { index: Number.NaN, text: '' };

export function dayOf(timeMs: number): Day {
  const index = Math.floor(timeMs / DAY_MS);
  if (index !== lastDay.index) lastDay = { index, text: new Date(timeMs).toISOString().slice(0, 10) };
  return lastDay.text;
}

export function monthOf(timeMs: number): Month {
  return new Date(timeMs).toISOString().slice(0, 7);
}

/** The first day of the window of `count` days that ends with the day of `timeMs`. */
export function firstDayOfLast(count: number, timeMs: number): Day {
  return dayOf(timeMs - (count - 1) * DAY_MS);
}

/** The `count` days that end with the day of `timeMs`, oldest first. */
export function lastDays(count: number, timeMs: number): Day[] {
  return Array.from({ length: count }, (_, index) => firstDayOfLast(count - index, timeMs));
}

export function groupByDay<Entry extends { readonly day: Day }>(
  entries: readonly Entry[],
): Map<Day, Entry[]> {
  const groups = new Map<Day, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.day);
    if (group === undefined) groups.set(entry.day, [entry]);
    else group.push(entry);
  }
  return groups;
}

export function firstDayOfMonth(timeMs: number): Day {
  return `${monthOf(timeMs)}-01`;
}

export function nextDayStart(timeMs: number): number {
  return (Math.floor(timeMs / DAY_MS) + 1) * DAY_MS;
}

export function nextMonthStart(timeMs: number): number {
  const time = new Date(timeMs);
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1);
}

export function toIsoTimestamp(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

export function toNullableTimestamp(timeMs: number | null): string | null {
  return timeMs === null ? null : toIsoTimestamp(timeMs);
}
