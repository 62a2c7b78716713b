import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRun } from '../support/agent.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

let service: TestService;
/** For refused requests, which change nothing. */
let refused: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  refused = await service.register();
});
afterAll(() => service.stop());

const PLANS = [
  { plan: 'basic', name: 'Basic', monthly_run_limit: 1_000, features: [] },
  {
    plan: 'pro',
    name: 'Pro',
    monthly_run_limit: 50_000,
    features: ['user_daily_budget', 'max_concurrent_runs'],
  },
  {
    plan: 'scale',
    name: 'Scale',
    monthly_run_limit: null,
    features: ['user_daily_budget', 'max_concurrent_runs', 'kill_switch'],
  },
  {
    plan: 'enterprise',
    name: 'Enterprise',
    monthly_run_limit: null,
    features: ['user_daily_budget', 'max_concurrent_runs', 'kill_switch'],
  },
];

const SETTINGS = { daily_budget_usd: 50, user_daily_budget_usd: 5, max_concurrent_runs: 20 };

async function scaleWorkspaceWithEverythingSet() {
  const tenant = await service.register({ plan: 'scale' });
  await tenant.machine.patch('/v1/workspace/', SETTINGS);
  await tenant.machine.post('/v1/workspace/kill-switch', { active: true });
  return tenant;
}

const workspaceOf = async (client: ApiClient) => (await client.get('/v1/workspace/')).body;

test('shows the plan, its usage, and every plan from the lowest', async () => {
  const { person, machine } = await service.register();
  await startRun(machine);
  const reply = await person.get('/v1/billing/');
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    plan: 'basic',
    monthly_run_limit: 1_000,
    monthly_run_count: 1,
    max_concurrent_runs: 3,
    features: [],
    plans: PLANS,
    plan_changes: 'self-service',
  });
});

describe('changing the plan', () => {
  test.each(PLANS.map((terms) => [terms.name, terms] as const))(
    'to %s returns its limit and features',
    async (_, terms) => {
      const { person } = await service.register();
      const reply = await person.put('/v1/billing/plan', { plan: terms.plan });
      expect(reply.status).toBe(200);
      const { plan, monthly_run_limit, features } = terms;
      expect(reply.body).toEqual({
        plan,
        monthly_run_limit,
        features,
        monthly_run_count: 0,
        max_concurrent_runs: 3,
        plans: PLANS,
        plan_changes: 'self-service',
      });
      expect((await person.get('/v1/billing/')).body).toEqual(reply.body);
      expect((await person.get('/v1/auth/me')).body.plan).toBe(terms.plan);
    },
  );

  test('an upgrade takes effect at once and keeps every setting', async () => {
    const { person, machine } = await service.register({ plan: 'pro' });
    await machine.patch('/v1/workspace/', SETTINGS);
    const before = await workspaceOf(machine);
    await person.put('/v1/billing/plan', { plan: 'scale' });
    expect(await workspaceOf(machine)).toEqual(before);
    expect((await machine.post('/v1/workspace/kill-switch', { active: true })).status).toBe(200);
    await person.put('/v1/billing/plan', { plan: 'enterprise' });
    expect(await workspaceOf(machine)).toEqual({ ...before, kill_switch: true });
  });

  test('from Scale to Pro turns the kill switch off and keeps the rest', async () => {
    const { person, machine } = await scaleWorkspaceWithEverythingSet();
    expect((await startRun(machine)).decision.reason).toBe('KILL_SWITCH_ACTIVE');
    await person.put('/v1/billing/plan', { plan: 'pro' });
    expect(await workspaceOf(machine)).toMatchObject({ ...SETTINGS, kill_switch: false });
    expect((await startRun(machine)).decision.reason).toBeNull();
  });

  test('from Scale to Basic also clears the per-user budget and sets the concurrency to three', async () => {
    const { person, machine } = await scaleWorkspaceWithEverythingSet();
    const reply = await person.put('/v1/billing/plan', { plan: 'basic' });
    expect(reply.body.max_concurrent_runs).toBe(3);
    const reset = {
      kill_switch: false,
      daily_budget_usd: 50,
      user_daily_budget_usd: null,
      max_concurrent_runs: 3,
    };
    expect(await workspaceOf(machine)).toMatchObject(reset);
    await person.put('/v1/billing/plan', { plan: 'enterprise' });
    expect(await workspaceOf(machine)).toMatchObject(reset);
  });

  test.each([{}, { plan: null }, { plan: 'Pro' }, { plan: 'free' }, { plan: 1 }])(
    'to anything else is a 422 that names the plans: %j',
    async (body) => {
      const { person } = refused;
      const reply = await person.put('/v1/billing/plan', body);
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual({ detail: expect.stringMatching(/^body/) });
      expect((await person.get('/v1/billing/')).body.plan).toBe('basic');
    },
  );
});

describe('where the operator changes plans', () => {
  let operated: TestService;
  beforeAll(async () => {
    operated = await startTestService({ PLAN_CHANGES: 'operator', DEFAULT_PLAN: 'pro' });
  });
  afterAll(() => operated.stop());

  test('a new workspace has the default plan, and the endpoint answers 403 for every plan', async () => {
    const { person } = await operated.register();
    expect((await person.get('/v1/billing/')).body).toMatchObject({ plan: 'pro', plan_changes: 'operator' });
    for (const { plan } of PLANS) {
      const reply = await person.put('/v1/billing/plan', { plan });
      expect([reply.status, reply.body]).toEqual([
        403,
        { detail: 'Plans are changed by the operator of this service (guarded-runs set-plan)' },
      ]);
    }
    expect((await person.get('/v1/billing/')).body.plan).toBe('pro');
  });
});
