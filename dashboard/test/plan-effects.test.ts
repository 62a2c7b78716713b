import { describe, expect, test } from 'vitest';
import { type Plan, planEffects } from '../src/pages/settings/plan-effects.ts';

const BASIC: Plan = { plan: 'basic', name: 'Basic', monthly_run_limit: 1_000, features: [] };
const PRO: Plan = {
  plan: 'pro',
  name: 'Pro',
  monthly_run_limit: 50_000,
  features: ['user_daily_budget', 'max_concurrent_runs'],
};
const SCALE: Plan = {
  plan: 'scale',
  name: 'Scale',
  monthly_run_limit: null,
  features: ['user_daily_budget', 'max_concurrent_runs', 'kill_switch'],
};
const QUIET = { kill_switch: false, user_daily_budget_usd: null, max_concurrent_runs: 3 };
const BUSY = { kill_switch: true, user_daily_budget_usd: 0.5, max_concurrent_runs: 20 };
const KILL_SWITCH = 'Turn the kill switch off';
const USER_BUDGET = 'Remove the budget per user';

describe('a change of plan', () => {
  test.each([
    { to: BASIC, workspace: QUIET, runs: 10, ticks: [], effects: 0 },
    { to: SCALE, workspace: BUSY, runs: 90_000, ticks: [], effects: 0 },
    { to: PRO, workspace: BUSY, runs: 10, ticks: [KILL_SWITCH], effects: 1 },
    { to: BASIC, workspace: BUSY, runs: 10, ticks: [KILL_SWITCH, USER_BUDGET], effects: 3 },
    { to: BASIC, workspace: BUSY, runs: 1_000, ticks: [KILL_SWITCH, USER_BUDGET], effects: 4 },
    { to: PRO, workspace: { ...BUSY, kill_switch: false }, runs: 10, ticks: [], effects: 0 },
    {
      to: BASIC,
      workspace: { ...QUIET, user_daily_budget_usd: 0 },
      runs: 0,
      ticks: [USER_BUDGET],
      effects: 1,
    },
  ])(
    'to $to.name with $effects effects needs the ticks $ticks',
    ({ to, workspace, runs, ticks, effects }) => {
      const found = planEffects({ plan: to, billing: { monthly_run_count: runs }, workspace });
      expect(found).toHaveLength(effects);
      expect(found.flatMap(({ tick }) => tick ?? [])).toEqual(ticks);
    },
  );

  test('names each loss with its value', () => {
    const found = planEffects({ plan: BASIC, billing: { monthly_run_count: 1_234 }, workspace: BUSY });
    expect(found.map(({ text }) => text)).toEqual([
      'The kill switch is on. Changing to Basic turns it off and lets agents work again.',
      'The budget of $0.50 per user and day is removed.',
      'At most 3 runs at the same time instead of 20.',
      '1,234 runs were started this month; Basic allows 1,000. The next start is denied.',
    ]);
  });
});
