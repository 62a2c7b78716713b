/** Formats times and durations. Times are local unless the name says UTC; durations have at most two units. */

import { formatQuantity } from './count.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

interface Unit {
  readonly size: number;
  readonly name: string;
}

const WORDED_UNITS: readonly Unit[] = [
  { size: DAY, name: 'day' },
  { size: HOUR, name: 'hour' },
  { size: MINUTE, name: 'minute' },
  { size: SECOND, name: 'second' },
];
const MINUTES_AND_LONGER: readonly Unit[] = [
  { size: DAY, name: 'd' },
  { size: HOUR, name: 'h' },
  { size: MINUTE, name: 'min' },
];

/** Prevents a line break between a number and its unit. */
const NBSP = '\u00a0';

const DATE_AND_TIME = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const TO_THE_SECOND = { second: '2-digit', timeZoneName: 'short' } as const;
const IN_UTC = { timeZone: 'UTC', timeZoneName: 'short' } as const;

const dateTime = new Intl.DateTimeFormat('en-GB', DATE_AND_TIME);
const dateTimeWithYear = new Intl.DateTimeFormat('en-GB', { ...DATE_AND_TIME, year: 'numeric' });
const exactDateTime = new Intl.DateTimeFormat('en-GB', { ...DATE_AND_TIME, ...TO_THE_SECOND });
const exactDateTimeWithYear = new Intl.DateTimeFormat('en-GB', {
  ...DATE_AND_TIME,
  ...TO_THE_SECOND,
  year: 'numeric',
});
const utcDateTime = new Intl.DateTimeFormat('en-GB', { ...DATE_AND_TIME, ...IN_UTC });
const utcDateTimeWithYear = new Intl.DateTimeFormat('en-GB', {
  ...DATE_AND_TIME,
  ...IN_UTC,
  year: 'numeric',
});
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const hourAndMinute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const utcDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** "14 Mar, 13:05", with the year when it is not this one. */
export function formatDateTime(iso: string, now: number): string {
  return (isThisYear(iso, now) ? dateTime : dateTimeWithYear).format(new Date(iso));
}

/** "14 Mar, 13:05:09 CET", with the year when it is not this one. */
export function formatExactDateTime(iso: string, now: number): string {
  return (isThisYear(iso, now) ? exactDateTime : exactDateTimeWithYear).format(new Date(iso));
}

function isThisYear(iso: string, now: number): boolean {
  return new Date(iso).getFullYear() === new Date(now).getFullYear();
}

/** When a limit is reset: "15 Mar, 00:00 UTC", with the year when it is not this one. */
export function formatReset(at: number, now: number): string {
  const isThisYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
  return (isThisYear ? utcDateTime : utcDateTimeWithYear).format(at);
}

/** "14:20 today"; on another day like formatDateTime. */
export function formatMoment(iso: string, now: number): string {
  const date = new Date(iso);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday ? `${hourAndMinute.format(date)} today` : formatDateTime(iso, now);
}

/** "14:20:05", with the day when it is not today. */
export function formatClock(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`;
}

/** "2026-03-14 12:05:09 UTC". */
export function formatUtc(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** "14 Mar" for a UTC day such as 2026-03-14. */
export function formatUtcDay(day: string): string {
  return utcDay.format(new Date(`${day}T00:00:00Z`));
}

/** "just now", "12 min ago", "3 h ago"; older times as a date. */
export function formatAgo(iso: string, now: number): string {
  const age = now - Date.parse(iso);
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`;
  return formatDateTime(iso, now);
}

/** "840 ms", "4.2 s", "3 min 12 s", "3 h 12 min", "2 d 4 h". */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)}${NBSP}ms`;
  if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1)}${NBSP}s`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}${NBSP}s`;
  if (ms < HOUR) return twoUnits(ms, { size: MINUTE, name: 'min' }, { size: SECOND, name: 's' });
  if (ms < DAY) return twoUnits(ms, { size: HOUR, name: 'h' }, { size: MINUTE, name: 'min' });
  return twoUnits(ms, { size: DAY, name: 'd' }, { size: HOUR, name: 'h' });
}

/** Every unit, with so many decimal places of a second, rounded down: "1 h 30.5 s". */
export function formatDurationTo(ms: number, decimals: number): string {
  const precision = SECOND / 10 ** decimals;
  const shown = Math.floor(Math.round(ms) / precision) * precision;
  const { counts, left } = split(shown, MINUTES_AND_LONGER);
  const parts = counts.map(({ count, name }) => `${count}${NBSP}${name}`);
  if (left > 0 || parts.length === 0) parts.push(`${left / SECOND}${NBSP}s`);
  return parts.join(NBSP);
}

/** "in 3 h 12 min", rounded up to the minute, so that a reset is never announced too early. */
export function formatUntil(at: number, now: number): string {
  const left = Math.max(0, at - now);
  return left < MINUTE ? 'in less than a minute' : `in ${formatDuration(Math.ceil(left / MINUTE) * MINUTE)}`;
}

/** "42 s", "1 min 5 s", "23 h 59 min": whole seconds, rounded up, so that it reads 1 s until the time has come. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND));
  return seconds * SECOND < MINUTE ? `${seconds}${NBSP}s` : formatDuration(seconds * SECOND);
}

/**
 * "90 seconds", "2 minutes 30 seconds", "1 day": exact, for a number that is typed in seconds. Below two minutes, seconds are
 * the usual unit.
 */
export function formatSeconds(seconds: number): string {
  if (seconds * SECOND < 2 * MINUTE) return formatQuantity(seconds, 'second');
  const { counts } = split(seconds * SECOND, WORDED_UNITS);
  return counts.map(({ count, name }) => formatQuantity(count, name)).join(' ');
}

/** "18:40" in UTC. */
export function formatUtcTime(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

/** The UTC day of a moment, such as 2026-03-14. */
export function utcDayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function nextUtcDay(now: number): number {
  return (Math.floor(now / DAY) + 1) * DAY;
}

export function nextUtcMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** How many of each unit, without those of which there are none, and what is left. */
function split(ms: number, units: readonly Unit[]) {
  let left = ms;
  const counts = units.map(({ size, name }) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return { count, name };
  });
  return { counts: counts.filter(({ count }) => count > 0), left };
}

function twoUnits(ms: number, large: Unit, small: Unit): string {
  const larges = Math.floor(ms / large.size);
  const smalls = Math.floor((ms % large.size) / small.size);
  const first = `${larges}${NBSP}${large.name}`;
  return smalls === 0 ? first : `${first}${NBSP}${smalls}${NBSP}${small.name}`;
}
