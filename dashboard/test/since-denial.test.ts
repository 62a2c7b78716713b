import { describe, expect, test } from 'vitest';
import {
  blockSince,
  budgetSince,
  budgetUseOf,
  describeBudgetUse,
  fitsBudget,
  killSwitchSince,
  monthSince,
  priceSettingSince,
  slotsSince,
} from '../src/format/since-denial.ts';

const NOW = Date.parse('2026-03-14T12:00:00Z');
const RULE = {
  rule: 'user_daily_budget',
  result: 'DENY',
  value: 1.5,
  limit: 1,
  resets_at: '2026-03-15T00:00:00Z',
} as const;
const use = (spentUsd: number, heldUsd = 0) => ({ spentUsd, heldUsd, isThen: false });

test('nothing has changed while the same request would be denied again', () => {
  expect(killSwitchSince({ kill_switch: true })).toBeNull();
  expect(blockSince(true)).toBeNull();
  expect(monthSince({ monthly_run_count: 100, monthly_run_limit: 100 })).toBeNull();
  expect(slotsSince({ running: 3, limit: 3 })).toBeNull();
  expect(slotsSince({ running: 5, limit: 3 })).toBeNull();
  const required = { require_holds: true, deny_unpriced_models: true };
  expect(priceSettingSince(required, 'require_holds')).toBeNull();
  expect(budgetSince('daily_budget_usd', { limit: 1, use: use(1), requested: null })).toBeNull();
});

test('what has changed is told from the present state', () => {
  expect(killSwitchSince({ kill_switch: false })).toBe('The kill switch is off now.');
  expect(blockSince(false)).toBe('This user is not blocked any more.');
  expect(monthSince({ monthly_run_count: 7, monthly_run_limit: 100 })).toBe(
    '7 of 100 runs are used this month.',
  );
  expect(monthSince({ monthly_run_count: 7, monthly_run_limit: null })).toBe(
    'The plan has no monthly run limit any more.',
  );
  expect(slotsSince({ running: 2, limit: 3 })).toBe('1 of 3 slots is free now.');
  expect(slotsSince({ running: 0, limit: 1 })).toBe('1 of 1 slot is free now.');
  expect(slotsSince({ running: 1, limit: 3 })).toBe('2 of 3 slots are free now.');
  const optional = { require_holds: false, deny_unpriced_models: false };
  expect(priceSettingSince(optional, 'require_holds')).toBe('Holds are not required any more.');
  expect(priceSettingSince(optional, 'deny_unpriced_models')).toBe(
    'Models without a price are not denied any more.',
  );
});

describe('a budget', () => {
  test.each([
    { limit: 1, spent: 0.99, held: 0, requested: null, fits: true },
    { limit: 1, spent: 1, held: 0, requested: null, fits: false },
    { limit: 1, spent: 0.6, held: 0.4, requested: null, fits: false },
    { limit: 1, spent: 0.6, held: 0, requested: 0.4, fits: true },
    { limit: 1, spent: 0.6, held: 0, requested: 0.400000000001, fits: false },
    // As doubles, 0.1 + 0.2 is more than 0.3.
    { limit: 0.3, spent: 0.1, held: 0, requested: 0.2, fits: true },
  ])('of $limit with $spent spent, $held held and $requested requested', (row) => {
    const { limit, spent, held, requested, fits } = row;
    expect(fitsBudget({ limit, use: use(spent, held), requested })).toBe(fits);
  });

  test('that was raised or removed says so, with what counts now', () => {
    expect(budgetSince('daily_budget_usd', { limit: 5, use: use(1.5), requested: null })).toBe(
      'The daily budget is $5.00 now. The workspace has spent $1.50 today.',
    );
    expect(budgetSince('user_daily_budget_usd', { limit: 5, use: use(1.5, 0.2), requested: 1 })).toBe(
      'The daily budget per user is $5.00 now. This user has spent $1.50 today, and holds $0.20.',
    );
    expect(budgetSince('user_daily_budget_usd', { limit: null, use: null, requested: null })).toBe(
      'There is no daily budget per user any more.',
    );
  });

  test('is compared with the denial on the same day if the present spend is not known', () => {
    const then = budgetUseOf(RULE, { spend: undefined, now: NOW });
    expect(then).toEqual({ spentUsd: 1.5, heldUsd: 0, isThen: true });
    expect(then && describeBudgetUse('user_daily_budget_usd', { limit: 1, use: then })).toBe(
      'This user had spent $1.50 at the time of the denial.',
    );
    const spend = { spentUsd: 2, heldUsd: 0 };
    expect(budgetUseOf(RULE, { spend, now: NOW })).toEqual({ ...spend, isThen: false });
  });

  test('has reset if the day of the denial is over', () => {
    const late = budgetUseOf(RULE, { spend: undefined, now: Date.parse(RULE.resets_at) });
    expect(late).toBeNull();
    expect(budgetSince('user_daily_budget_usd', { limit: 1, use: late, requested: null })).toBe(
      'The daily budget per user has reset since.',
    );
  });
});
