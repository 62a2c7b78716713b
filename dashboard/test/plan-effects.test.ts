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
const DEFAULTS = { kill_switch: false, user_daily_budget_usd: null, max_concurrent_runs: 3 };
const CONFIGURED = { kill_switch: true, user_daily_budget_usd: 0.5, max_concurrent_runs: 20 };
const KILL_SWITCH = 'Turn the kill switch off';
const USER_BUDGET = 'Remove the budget per user';

describe('a change of plan', () => {
  test.each([
    { to: BASIC, workspace: DEFAULTS, runs: 10, confirmations: [], effects: 0 },
    { to: SCALE, workspace: CONFIGURED, runs: 90_000, confirmations: [], effects: 0 },
    { to: PRO, workspace: CONFIGURED, runs: 10, confirmations: [KILL_SWITCH], effects: 1 },
    { to: BASIC, workspace: CONFIGURED, runs: 10, confirmations: [KILL_SWITCH, USER_BUDGET], effects: 3 },
    { to: BASIC, workspace: CONFIGURED, runs: 1_000, confirmations: [KILL_SWITCH, USER_BUDGET], effects: 4 },
    { to: PRO, workspace: { ...CONFIGURED, kill_switch: false }, runs: 10, confirmations: [], effects: 0 },
    {
      to: BASIC,
      workspace: { ...DEFAULTS, user_daily_budget_usd: 0 },
      runs: 0,
      confirmations: [USER_BUDGET],
      effects: 1,
    },
  ])(
    'to $to.name with $effects effects requires the confirmations $confirmations',
    ({ to, workspace, runs, confirmations, effects }) => {
      const found = planEffects({ plan: to, billing: { monthly_run_count: runs }, workspace });
      expect(found).toHaveLength(effects);
      expect(found.flatMap(({ confirmation }) => confirmation ?? [])).toEqual(confirmations);
    },
  );

  test('names the value of each removed setting', () => {
    const found = planEffects({ plan: BASIC, billing: { monthly_run_count: 1_234 }, workspace: CONFIGURED });
    expect(found.map(({ text }) => text)).toEqual([
      'The kill switch is on. Changing to Basic turns it off, and agents can resume.',
      'The budget of $0.50 per user per day is removed.',
      'At most 3 concurrent runs instead of 20.',
      '1,234 runs were started this month; Basic allows 1,000. New runs are denied.',
    ]);
  });
});
