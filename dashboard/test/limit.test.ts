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
  ] as const)('of %s %d is "%s"', (field, limit, words) => {
    expect(describeLimit(field, limit)).toBe(words);
  });
});

test('an empty budget means no limit; an empty number of runs is rejected', () => {
  expect(parseLimit('daily_budget_usd', ' ')).toEqual({ value: null, problem: null });
  expect(parseLimit('max_concurrent_runs', '').problem).not.toBeNull();
});
