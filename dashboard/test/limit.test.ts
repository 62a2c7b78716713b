import { describe, expect, test } from 'vitest';
import { describeLimit, parseLimit } from '../src/pages/guardrails/limit.ts';

describe('a limit in words', () => {
  test.each([
    ['daily_budget_usd', 0.02, '$0.02 per day'],
    ['daily_budget_usd', 1250, '$1,250.00 per day'],
    ['daily_budget_usd', 0, '$0.00 per day: every run and step is denied'],
    ['daily_budget_usd', null, 'no limit'],
    ['user_daily_budget_usd', 0.000000000001, '$0.000000000001 per user and day'],
    ['max_concurrent_runs', 1, '1 run at the same time'],
    ['max_concurrent_runs', 1000, '1,000 runs at the same time'],
  ] as const)('of %s %d is "%s"', (field, limit, words) => {
    expect(describeLimit(field, limit)).toBe(words);
  });
});

test('an empty budget is no limit; an empty number of runs is refused', () => {
  expect(parseLimit('daily_budget_usd', ' ')).toEqual({ value: null, problem: null });
  expect(parseLimit('max_concurrent_runs', '').problem).not.toBeNull();
});
