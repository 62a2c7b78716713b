import { describe, expect, test } from 'vitest';
import { describeLimit, limitIn, parseLimit, toPatch } from '../src/format/limits.ts';

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
    ['max_cost_usd', 0.5, '$0.50 per run'],
    ['max_cost_usd', 0, '$0.00 per run: all steps are denied'],
    ['max_steps', 1, '1 step per run'],
    ['max_duration_seconds', 3600, '1 hour per run'],
    ['max_repeats', 3, '3 equal steps among the last 20 of a run'],
    ['max_repeats', null, 'no limit'],
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

describe('a limit of runs', () => {
  test('has the bounds of the service', () => {
    expect(parseLimit('max_cost_usd', '0.000000000001').value).toBe(0.000000000001);
    expect(parseLimit('max_cost_usd', '9223373').problem).toBe('Enter at most 9223372');
    expect(parseLimit('max_steps', '2147483647').value).toBe(2_147_483_647);
    expect(parseLimit('max_duration_seconds', '0').problem).toBe('Enter a whole number from 1 to 2147483647');
    expect(parseLimit('max_repeats', '20').value).toBe(20);
    expect(parseLimit('max_repeats', '21').problem).toBe('Enter a whole number from 1 to 20');
    for (const field of ['max_cost_usd', 'max_steps', 'max_duration_seconds', 'max_repeats'] as const) {
      expect(parseLimit(field, '')).toEqual({ value: null, problem: null });
    }
  });

  test('is read and saved within run_limits, without the others', () => {
    const run_limits = {
      max_cost_usd: 1,
      max_steps: 2,
      max_duration_seconds: 3,
      max_repeats: 4,
      repeat_exempt_tools: [],
    };
    const workspace = {
      id: '',
      name: '',
      slug: '',
      kill_switch: false,
      daily_budget_usd: 5,
      user_daily_budget_usd: null,
      max_concurrent_runs: 6,
      run_lease_seconds: null,
      require_holds: false,
      deny_unpriced_models: false,
      run_limits,
    };
    expect(limitIn(workspace, 'max_steps')).toBe(2);
    expect(limitIn(workspace, 'daily_budget_usd')).toBe(5);
    expect(toPatch('max_steps', null)).toEqual({ run_limits: { max_steps: null } });
    expect(toPatch('daily_budget_usd', 1)).toEqual({ daily_budget_usd: 1 });
  });
});
