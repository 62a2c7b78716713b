import { describe, expect, test } from 'vitest';
import { describeLimit, parseLimit } from '../src/format/guardrails.ts';

describe('the description of a limit', () => {
  test.each([
    ['daily_budget_usd', 0.02, '$0.02 per day'],
    ['daily_budget_usd', 1250, '$1,250.00 per day'],
    ['daily_budget_usd', 0, '$0.00 per day: all runs and steps are denied'],
    ['daily_budget_usd', null, 'no limit'],
    ['user_daily_budget_usd', 0.000000000001, '$0.000000000001 per user per day'],
    ['max_concurrent_runs', 1, '1 concurrent run'],
    ['max_concurrent_runs', 1000, '1,000 concurrent runs'],
    ['run_lease_seconds', 90, '90 seconds'],
    ['run_lease_seconds', 86_400, '1 day'],
    ['run_lease_seconds', null, 'never: runs never end by themselves'],
  ] as const)('of %s %d is "%s"', (field, limit, words) => {
    expect(describeLimit(field, limit)).toBe(words);
  });
});

test('an empty budget means no limit; an empty number of runs is rejected', () => {
  expect(parseLimit('daily_budget_usd', ' ')).toEqual({ value: null, problem: null });
  expect(parseLimit('max_concurrent_runs', '').problem).not.toBeNull();
});

describe('a lease', () => {
  test('is a whole number of seconds within the bounds of the service', () => {
    expect(parseLimit('run_lease_seconds', '10')).toEqual({ value: 10, problem: null });
    expect(parseLimit('run_lease_seconds', ' 604800 ')).toEqual({ value: 604_800, problem: null });
    for (const text of ['0', '9', '604801', '60.5', '1,000', '1 day', '-60', '9'.repeat(400)]) {
      expect(parseLimit('run_lease_seconds', text)).toEqual({
        value: null,
        problem: 'Enter a whole number from 10 to 604800',
      });
    }
  });

  test('may be empty: runs then never end by themselves', () => {
    expect(parseLimit('run_lease_seconds', '')).toEqual({ value: null, problem: null });
  });
});
