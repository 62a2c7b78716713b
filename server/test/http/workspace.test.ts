import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../support/api-client.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

let service: TestService;
/** For refused requests, which change nothing. */
let refused: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  refused = await service.register({ plan: 'enterprise' });
});
afterAll(() => service.stop());

const read = async (client: ApiClient) => (await client.get('/v1/workspace/')).body;

test('a new workspace has no budgets, the kill switch off and three concurrent runs', async () => {
  const { machine, person, workspaceId, slug } = await service.register({ email: 'grace@example.com' });
  const reply = await machine.get('/v1/workspace/');
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    id: workspaceId,
    name: "grace's workspace",
    slug,
    kill_switch: false,
    daily_budget_usd: null,
    user_daily_budget_usd: null,
    max_concurrent_runs: 3,
    run_lease_seconds: 86_400,
    run_limits: {
      max_cost_usd: null,
      max_steps: null,
      max_duration_seconds: null,
      max_repeats: null,
      repeat_exempt_tools: [],
    },
    require_holds: false,
    deny_unpriced_models: false,
  });
  expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(await read(person)).toEqual(reply.body);
});

describe('changing settings', () => {
  test('only the fields present are changed, and the whole workspace is returned', async () => {
    const { machine, person } = await service.register({ plan: 'pro' });
    const before = await read(machine);
    const named = await person.patch('/v1/workspace/', { name: 'Research 🔬' });
    expect([named.status, named.body]).toEqual([200, { ...before, name: 'Research 🔬' }]);
    const limits = { daily_budget_usd: 100.25, user_daily_budget_usd: 5, max_concurrent_runs: 10 };
    expect((await machine.patch('/v1/workspace/', limits)).body).toEqual({ ...named.body, ...limits });
    expect(await read(machine)).toEqual({ ...named.body, ...limits });
    expect((await machine.patch('/v1/workspace/', {})).body).toEqual({ ...named.body, ...limits });
  });

  test('null removes a budget, and changes neither the name nor the concurrency', async () => {
    const { machine } = await service.register({ plan: 'pro' });
    const limits = { daily_budget_usd: 1, user_daily_budget_usd: 2, max_concurrent_runs: 7 };
    const before = (await machine.patch('/v1/workspace/', { name: 'Kept', ...limits })).body;
    const nulls = {
      name: null,
      daily_budget_usd: null,
      user_daily_budget_usd: null,
      max_concurrent_runs: null,
    };
    expect((await machine.patch('/v1/workspace/', nulls)).body).toEqual({
      ...before,
      daily_budget_usd: null,
      user_daily_budget_usd: null,
    });
  });

  test.each([0, 0.000_000_000_001, 0.1, 0.8, 1_234_567.89, 9_223_372])(
    'a budget of %d reads back exactly',
    async (budget) => {
      const { machine } = await service.register();
      expect((await machine.patch('/v1/workspace/', { daily_budget_usd: budget })).status).toBe(200);
      expect((await read(machine)).daily_budget_usd).toBe(budget);
    },
  );

  test('the refusal of a budget that is too large names the largest one, which is accepted', async () => {
    const { machine } = await service.register({ plan: 'pro' });
    for (const field of ['daily_budget_usd', 'user_daily_budget_usd']) {
      const { status, body } = await machine.patch('/v1/workspace/', { [field]: 1e9 });
      const [, largest] = /must be <= ([\d.]+)$/.exec(body.detail) ?? [];
      expect([status, largest]).toEqual([422, '9223372']);
      expect((await machine.patch('/v1/workspace/', `{"${field}":${largest}}`)).body[field]).toBe(9_223_372);
    }
  });

  test.each([
    ['an empty name', { name: '' }],
    ['a long name', { name: 'x'.repeat(256) }],
    ['a name that is a number', { name: 5 }],
    ['a negative budget', { daily_budget_usd: -0.01 }],
    ['a negative per-user budget', { user_daily_budget_usd: -1 }],
    ['a budget as text', { daily_budget_usd: '10' }],
    ['more than 12 decimal places', { daily_budget_usd: 1e-13 }],
    ['a budget too large to be exact', { daily_budget_usd: 1e18 }],
    ['no concurrency', { max_concurrent_runs: 0 }],
    ['a broken concurrency', { max_concurrent_runs: 1.5 }],
    ['a concurrency over 32 bits', { max_concurrent_runs: 2 ** 31 }],
    ['one good and one bad field', { name: 'New', max_concurrent_runs: -1 }],
  ])('is refused with 422 and changes nothing: %s', async (_, body) => {
    const { machine } = refused;
    const before = await read(machine);
    const reply = await machine.patch('/v1/workspace/', body);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ detail: expect.stringMatching(/^body\//) });
    expect(await read(machine)).toEqual(before);
  });

  test('validation comes before the plan', async () => {
    const { machine } = await service.register();
    expect((await machine.patch('/v1/workspace/', { max_concurrent_runs: 0 })).status).toBe(422);
    expect((await machine.post('/v1/workspace/kill-switch', { active: 'yes' })).status).toBe(422);
  });
});

describe('what the plan lacks', () => {
  const USER_BUDGET = 'Per-user daily budget is not available on the basic plan. Upgrade to Pro or Scale.';
  const CONCURRENCY = 'Configurable concurrency is not available on the basic plan. Upgrade to Pro or Scale.';

  test.each([
    ['the per-user budget', { user_daily_budget_usd: 5 }, USER_BUDGET],
    ['a per-user budget of 0', { user_daily_budget_usd: 0 }, USER_BUDGET],
    ['the concurrency', { max_concurrent_runs: 5 }, CONCURRENCY],
    ['the concurrency it has anyway', { max_concurrent_runs: 3 }, CONCURRENCY],
    [
      'one gated field among others',
      { name: 'New', daily_budget_usd: 1, max_concurrent_runs: 5 },
      CONCURRENCY,
    ],
  ])('on Basic setting %s is a 403 that names the plans, and nothing is changed', async (_, body, detail) => {
    const { machine } = await service.register();
    const before = await read(machine);
    const reply = await machine.patch('/v1/workspace/', body);
    expect([reply.status, reply.body]).toEqual([403, { detail }]);
    expect(await read(machine)).toEqual(before);
  });

  test('on Basic the daily budget can be set, and clearing what cannot be set is never refused', async () => {
    const { machine } = await service.register();
    const reply = await machine.patch('/v1/workspace/', {
      daily_budget_usd: 10,
      user_daily_budget_usd: null,
      max_concurrent_runs: null,
    });
    expect([reply.status, reply.body.daily_budget_usd]).toEqual([200, 10]);
    const off = await machine.post('/v1/workspace/kill-switch', { active: false });
    expect([off.status, off.body.kill_switch]).toEqual([200, false]);
  });

  test.each(['basic', 'pro'])('on %s turning the kill switch on is a 403', async (plan) => {
    const { machine } = await service.register({ plan });
    const reply = await machine.post('/v1/workspace/kill-switch', { active: true });
    expect([reply.status, reply.body]).toEqual([
      403,
      { detail: `Kill switch is not available on the ${plan} plan. Upgrade to Scale or Enterprise.` },
    ]);
    expect((await read(machine)).kill_switch).toBe(false);
  });

  test.each(['scale', 'enterprise'])('on %s everything can be set', async (plan) => {
    const { machine } = await service.register({ plan });
    const limits = { user_daily_budget_usd: 5, max_concurrent_runs: 1_000 };
    expect((await machine.patch('/v1/workspace/', limits)).body).toMatchObject(limits);
    expect((await machine.post('/v1/workspace/kill-switch', { active: true })).status).toBe(200);
  });
});

describe('the kill switch', () => {
  test('returns the whole workspace with its new state, and setting it twice is the same', async () => {
    const { machine, person } = await service.register({ plan: 'scale' });
    const before = await read(machine);
    for (const client of [machine, person]) {
      const on = await client.post('/v1/workspace/kill-switch', { active: true });
      expect([on.status, on.body]).toEqual([200, { ...before, kill_switch: true }]);
    }
    expect((await person.post('/v1/workspace/kill-switch', { active: false })).body).toEqual(before);
  });

  test.each([{}, { active: null }, { active: 1 }, { active: 'true' }, { kill_switch: true }])(
    'accepts only a boolean: %j',
    async (body) => {
      const { machine } = refused;
      expect((await machine.post('/v1/workspace/kill-switch', body)).status).toBe(422);
      expect((await read(machine)).kill_switch).toBe(false);
    },
  );
});
