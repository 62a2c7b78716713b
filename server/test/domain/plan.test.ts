import { expect, test } from 'vitest';
import { PLANS, planRefusal } from '../../src/domain/plan.js';
import { changePlan, changeSettings, newWorkspace, type Workspace } from '../../src/domain/workspace.js';

const workspaceOn = (plan: Workspace['plan'], change: Partial<Workspace> = {}): Workspace => ({
  ...newWorkspace({ id: '00000000-0000-7000-8000-00000000abcd', name: 'Ünïcode & Co', plan, now: 0 }),
  ...change,
});

test('a refusal names the plan in lower case and the two lowest plans that have the feature', () => {
  expect(planRefusal('kill_switch', 'pro').message).toBe(
    'Kill switch is not available on the pro plan. Upgrade to Scale or Enterprise.',
  );
  expect(planRefusal('user_daily_budget', 'basic').message).toBe(
    'Per-user daily budget is not available on the basic plan. Upgrade to Pro or Scale.',
  );
});

test('one refused setting refuses them all', () => {
  expect(() => changeSettings(workspaceOn('basic'), { name: 'New', maxConcurrentRuns: 10 })).toThrow(
    'not available on the basic plan',
  );
});

test('clearing a setting that the plan lacks is never refused', () => {
  const cleared = changeSettings(workspaceOn('basic', { userDailyBudgetPicoUsd: 5n, killSwitch: true }), {
    userDailyBudgetPicoUsd: null,
    killSwitch: false,
  });
  expect(cleared).toMatchObject({ userDailyBudgetPicoUsd: null, killSwitch: false });
});

test('a downgrade resets what the new plan lacks and nothing else', () => {
  const full = workspaceOn('enterprise', {
    killSwitch: true,
    userDailyBudgetPicoUsd: 5n,
    dailyBudgetPicoUsd: 9n,
    maxConcurrentRuns: 50,
  });
  expect(changePlan(full, 'scale')).toEqual({ ...full, plan: 'scale' });
  expect(changePlan(full, 'pro')).toEqual({ ...full, plan: 'pro', killSwitch: false });
  expect(changePlan(full, 'basic')).toEqual({
    ...full,
    plan: 'basic',
    killSwitch: false,
    userDailyBudgetPicoUsd: null,
    maxConcurrentRuns: 3,
  });
});

test('an upgrade keeps every setting', () => {
  const small = workspaceOn('basic', { dailyBudgetPicoUsd: 9n });
  for (const plan of PLANS) expect(changePlan(small, plan)).toEqual({ ...small, plan });
});

test('a slug is URL-safe and ends with the end of the id', () => {
  expect(workspaceOn('basic').slug).toBe('unicode-co-0000abcd');
  expect(
    newWorkspace({ id: '00000000-0000-7000-8000-00000000abcd', name: '安全', plan: 'basic', now: 0 }).slug,
  ).toBe('workspace-0000abcd');
});
