import { expect, test } from 'vitest';
import {
  dayOf,
  firstDayOfLast,
  firstDayOfMonth,
  lastDays,
  nextDayStart,
  nextMonthStart,
} from '../../src/domain/period.js';

const at = (timestamp: string) => Date.parse(timestamp);

test.each([
  ['2026-02-28T23:59:59.999Z', '2026-02-28', '2026-03-01T00:00:00.000Z'],
  ['2028-02-28T23:59:59.999Z', '2028-02-28', '2028-02-29T00:00:00.000Z'],
  ['2028-02-29T00:00:00.000Z', '2028-02-29', '2028-03-01T00:00:00.000Z'],
  ['2026-12-31T12:00:00.000Z', '2026-12-31', '2027-01-01T00:00:00.000Z'],
])('%s belongs to the UTC day %s, which ends at %s', (time, day, end) => {
  expect(dayOf(at(time))).toBe(day);
  expect(nextDayStart(at(time))).toBe(at(end));
});

test('the month resets on the first of the next month, across years and leap days', () => {
  expect(firstDayOfMonth(at('2028-02-29T10:00:00Z'))).toBe('2028-02-01');
  expect(nextMonthStart(at('2028-02-29T10:00:00Z'))).toBe(at('2028-03-01T00:00:00Z'));
  expect(nextMonthStart(at('2026-12-31T23:59:59.999Z'))).toBe(at('2027-01-01T00:00:00Z'));
});

test('a window of days includes today', () => {
  expect(firstDayOfLast(1, at('2026-03-01T00:00:00Z'))).toBe('2026-03-01');
  expect(firstDayOfLast(7, at('2026-03-01T00:00:00Z'))).toBe('2026-02-23');
  expect(lastDays(3, at('2028-03-01T05:00:00Z'))).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
});
