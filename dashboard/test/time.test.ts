import { describe, expect, test } from 'vitest';
import {
  formatAgo,
  formatClock,
  formatCountdown,
  formatDuration,
  formatDurationTo,
  formatExactDateTime,
  formatMoment,
  formatReset,
  formatSeconds,
  formatUntil,
  formatUtc,
  formatUtcDay,
  nextUtcDay,
  nextUtcMonth,
} from '../src/format/time.ts';

const NOW = Date.parse('2026-03-14T20:48:00Z');
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('a duration', () => {
  test.each([
    [0, '0 ms'],
    [840, '840 ms'],
    [1_000, '1.0 s'],
    [4_260, '4.2 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [192_000, '3 min 12 s'],
    [11_520_000, '3 h 12 min'],
    [86_400_000, '1 d'],
    [187_200_000, '2 d 4 h'],
  ])('of %d ms is %s', (ms, text) => {
    expect(plain(formatDuration(ms))).toBe(text);
  });

  test('never breaks between a number and its unit', () => {
    expect(formatDuration(11_520_000)).not.toContain(' ');
  });
});

describe('a duration with all its units', () => {
  test.each([
    [0, 0, '0 s'],
    [3_630_500, 0, '1 h 30 s'],
    [3_630_500, 1, '1 h 30.5 s'],
    [90_061_004, 3, '1 d 1 h 1 min 1.004 s'],
    [59_999, 0, '59 s'],
  ])('of %d ms to %d places is %s', (ms, decimals, text) => {
    expect(plain(formatDurationTo(ms, decimals))).toBe(text);
  });
});

describe('the time of a reset', () => {
  test('is in UTC, with the year when it is not this one', () => {
    expect(formatReset(Date.parse('2026-03-15T00:00:00Z'), NOW)).toBe('15 Mar, 00:00 UTC');
    expect(formatReset(Date.parse('2027-01-01T00:00:00Z'), NOW)).toBe('1 Jan 2027, 00:00 UTC');
  });
});

describe('a time in details', () => {
  test('has seconds, the time zone, and the year when it is not this one', () => {
    expect(formatExactDateTime('2026-03-14T12:05:09Z', NOW)).toMatch(/^14 Mar, \d\d:\d\d:09 \S+$/);
    expect(formatExactDateTime('2025-03-14T12:05:09Z', NOW)).toMatch(/^14 Mar 2025, \d\d:\d\d:09 \S+$/);
  });
});

describe('a countdown', () => {
  test.each([
    [42_000, '42 s'],
    [41_001, '42 s'],
    [9_400, '10 s'],
    [1, '1 s'],
    [0, '0 s'],
    [-5_000, '0 s'],
    [59_001, '1 min'],
    [65_000, '1 min 5 s'],
    [86_399_000, '23 h 59 min'],
    [86_400_000, '1 d'],
  ])('of %d ms shows %s', (ms, text) => {
    expect(plain(formatCountdown(ms))).toBe(text);
  });
});

describe('a number of seconds', () => {
  test.each([
    [1, '1 second'],
    [60, '60 seconds'],
    [90, '90 seconds'],
    [119, '119 seconds'],
    [120, '2 minutes'],
    [150, '2 minutes 30 seconds'],
    [3_600, '1 hour'],
    [5_400, '1 hour 30 minutes'],
    [86_400, '1 day'],
    [86_401, '1 day 1 second'],
    [100_000, '1 day 3 hours 46 minutes 40 seconds'],
    [604_800, '7 days'],
  ])('%d is exactly %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });
});

describe('a reset', () => {
  test('is at the next midnight UTC', () => {
    expect(plain(formatUntil(nextUtcDay(NOW), NOW))).toBe('in 3 h 12 min');
  });

  test('is never announced too early', () => {
    expect(plain(formatUntil(NOW + 60_001, NOW))).toBe('in 2 min');
    expect(formatUntil(NOW + 1, NOW)).toBe('in less than a minute');
  });

  test('of a month is on the first day of the next one, including in December', () => {
    expect(new Date(nextUtcMonth(NOW)).toISOString()).toBe('2026-04-01T00:00:00.000Z');
    expect(new Date(nextUtcMonth(Date.parse('2026-12-31T23:59:59Z'))).toISOString()).toBe(
      '2027-01-01T00:00:00.000Z',
    );
  });
});

test('a UTC time is marked as UTC', () => {
  expect(formatUtc('2026-03-14T12:05:09.123Z')).toBe('2026-03-14 12:05:09 UTC');
});

test('a UTC day is the same day in every time zone', () => {
  expect(formatUtcDay('2026-03-14')).toBe('14 Mar');
});

describe('a relative time', () => {
  test.each([
    ['2026-03-14T20:47:30Z', 'just now'],
    ['2026-03-14T20:36:00Z', '12 min ago'],
    ['2026-03-14T17:40:00Z', '3 h ago'],
  ])('of %s is %s', (iso, text) => {
    expect(formatAgo(iso, NOW)).toBe(text);
  });
});

describe('the time of the last response', () => {
  const at = new Date(2026, 2, 14, 14, 20, 5).getTime();

  test('is local, with seconds', () => {
    expect(formatClock(at, at + 60_000)).toBe('14:20:05');
  });

  test('includes the date on another day', () => {
    expect(formatClock(at, new Date(2026, 2, 15, 0, 0, 1).getTime())).toBe('14 Mar, 14:20:05');
  });
});

test('a moment of today has no date', () => {
  const at = new Date(2026, 2, 14, 14, 20, 5);
  expect(formatMoment(at.toISOString(), at.getTime() + 60_000)).toBe('14:20 today');
  expect(formatMoment(at.toISOString(), new Date(2026, 2, 15).getTime())).toBe('14 Mar, 14:20');
});
