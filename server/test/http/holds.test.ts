/** Holds: a step takes what it may cost from the budgets until it is reported, or charged when its run ends. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endRun, setPrice, startRun } from '../support/agent.js';
import type { ApiClient } from '../support/api-client.js';
import { expectExactCounters } from '../support/exact-counters.js';
import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const BEFORE_MIDNIGHT = '2026-03-14T23:59:50.000Z';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(() => service.clock.set(NOON));
afterAll(async () => {
  await expectExactCounters(service);
  await service.stop();
});

/** A prompt token of gpt costs $0.1. */
async function register(settings: object = {}): Promise<TestTenant> {
  const tenant = await service.register({ plan: 'scale' });
  await setPrice(tenant.machine, { input: 0.1 });
  expectStatus(await tenant.machine.patch('/v1/workspace/', { max_concurrent_runs: 100, ...settings }), 200);
  return tenant;
}

async function ask(machine: ApiClient, runId: string, step: object = {}) {
  const body = { type: 'MODEL_CALL', sequence: 1, model: 'gpt', ...step };
  return expectStatus(await machine.post(`/v1/runs/${runId}/steps`, body), 201).body;
}

const hold = (machine: ApiClient, runId: string, usd: number) =>
  ask(machine, runId, { estimated_cost_usd: usd });

async function report(machine: ApiClient, runId: string, stepId: string, body: object) {
  const path = `/v1/runs/${runId}/steps/${stepId}`;
  expectStatus(await machine.patch(path, { status: 'COMPLETED', ...body }), 200);
}

async function getRun(machine: ApiClient, runId: string) {
  return expectStatus(await machine.get(`/v1/runs/${runId}`), 200).body;
}

async function spent(client: ApiClient) {
  const { body } = await client.get('/v1/usage/summary');
  return { today: body.today.total_usd, held: body.held_usd };
}

async function spentByDay(client: ApiClient, days: number): Promise<number[]> {
  const { body } = await client.get(`/v1/usage/daily?days=${days}`);
  return body.map(({ total_usd }: { total_usd: number }) => total_usd);
}

describe('a hold', () => {
  test('is taken from the budget, and the response tells what is left', async () => {
    const { machine } = await register({ daily_budget_usd: 1 });
    const { id: runId } = await startRun(machine);
    expect(await hold(machine, runId, 0.75)).toMatchObject({ hold_usd: 0.75, remaining_usd: 0.25 });
    const denied = await hold(machine, runId, 0.5);
    expect(denied).toMatchObject({
      status: 'BLOCKED',
      decision: { reason: 'WORKSPACE_DAILY_BUDGET_EXCEEDED' },
      hold_usd: 0.5,
      remaining_usd: 0.25,
    });
    expect(await hold(machine, runId, 0.25)).toMatchObject({ status: 'ALLOWED', remaining_usd: 0 });
    expect((await ask(machine, runId)).decision.reason).toBe('WORKSPACE_DAILY_BUDGET_EXCEEDED');
    expect((await startRun(machine)).decision.reason).toBe('WORKSPACE_DAILY_BUDGET_EXCEEDED');
    expect(await spent(machine)).toEqual({ today: 0, held: 1 });
    expect(await getRun(machine, runId)).toMatchObject({ held_usd: 1, total_cost_usd: 0 });
  });

  test('is explained with what is spent, held and requested', async () => {
    const { machine } = await register({ daily_budget_usd: 1 });
    const { id: runId } = await startRun(machine);
    const { id } = await hold(machine, runId, 0.3);
    await report(machine, runId, id, { prompt_tokens: 2 });
    await hold(machine, runId, 0.4);
    await hold(machine, runId, 0.5);
    const { body } = await machine.get(`/v1/runs/${runId}/decisions`);
    expect(body.at(-1).rules.at(-1)).toMatchObject({
      rule: 'workspace_daily_budget',
      result: 'DENY',
      limit: 1,
      value: 0.2,
      held: 0.4,
      requested: 0.5,
    });
    expect(body[0].rules[2]).not.toHaveProperty('held');
  });

  test('of tokens is priced with the price of the model; without a price there is none', async () => {
    const { machine } = await register();
    const { id: runId } = await startRun(machine);
    const tokens = { estimated_prompt_tokens: 7, max_completion_tokens: 5 };
    expect(await ask(machine, runId, tokens)).toMatchObject({ hold_usd: 0.7, remaining_usd: null });
    expect(await ask(machine, runId, { ...tokens, model: 'unpriced' })).toMatchObject({ hold_usd: null });
  });

  test('counts against the user and the limit of the run; the smallest rest is told', async () => {
    const { machine } = await register({ daily_budget_usd: 9, user_daily_budget_usd: 2 });
    const body = { user_id: 'ada', limits: { max_cost_usd: 0.5 } };
    const { id } = expectStatus(await machine.post('/v1/runs/', body), 201).body;
    expect(await hold(machine, id, 0.2)).toMatchObject({ remaining_usd: 0.3 });
    expect((await hold(machine, id, 0.4)).decision.reason).toBe('RUN_COST_LIMIT_EXCEEDED');
    const other = await startRun(machine);
    expect(await hold(machine, other.id, 1.7)).toMatchObject({ remaining_usd: 0.1 });
    expect((await hold(machine, other.id, 0.2)).decision.reason).toBe('USER_DAILY_BUDGET_EXCEEDED');
    const bobs = await startRun(machine, 'bob');
    expect(await hold(machine, bobs.id, 0.2)).toMatchObject({ status: 'ALLOWED', remaining_usd: 1.8 });
  });

  test('is not in the response of a step without an estimate', async () => {
    const { machine } = await register();
    const { id: runId } = await startRun(machine);
    expect(Object.keys(await ask(machine, runId))).toEqual(['id', 'status', 'decision']);
  });

  test.each([
    [
      { estimated_prompt_tokens: 5 },
      'body must have both or none of estimated_prompt_tokens and max_completion_tokens',
    ],
    [
      { max_completion_tokens: 5 },
      'body must have both or none of estimated_prompt_tokens and max_completion_tokens',
    ],
    [
      { estimated_cost_usd: 1, estimated_prompt_tokens: 5, max_completion_tokens: 5 },
      'body must have either estimated_cost_usd or estimated_prompt_tokens',
    ],
    [{ estimated_cost_usd: -1 }, 'body/estimated_cost_usd must be >= 0'],
    [{ estimated_cost_usd: 1e-13 }, 'body/estimated_cost_usd must have at most 12 decimal places'],
  ])('with %o is refused', async (estimate, detail) => {
    const { machine } = await register();
    const { id: runId } = await startRun(machine);
    const body = { type: 'MODEL_CALL', sequence: 1, model: 'gpt', ...estimate };
    const reply = await machine.post(`/v1/runs/${runId}/steps`, body);
    expect([reply.status, reply.body.detail]).toEqual([422, detail]);
    expect(await getRun(machine, runId)).toMatchObject({ steps: [], held_usd: 0 });
  });
});

describe('a report settles the hold', () => {
  test.each([
    ['with the true cost below it', { prompt_tokens: 2 }, { cost_usd: 0.2, cost_source: 'price' }, 0.2],
    ['with the true cost above it', { prompt_tokens: 9 }, { cost_usd: 0.9, cost_source: 'price' }, 0.9],
    [
      'with nothing, if the step failed without tokens',
      { status: 'FAILED' },
      { cost_usd: null, cost_source: null },
      0,
    ],
    [
      'with the hold, if the step completed without tokens',
      {},
      { cost_usd: 0.5, cost_source: 'estimated' },
      0.5,
    ],
  ])('%s', async (_, body, step, total) => {
    const { machine } = await register();
    const { id: runId } = await startRun(machine);
    const { id } = await hold(machine, runId, 0.5);
    await report(machine, runId, id, body);
    await report(machine, runId, id, body);
    expect(await spent(machine)).toEqual({ today: total, held: 0 });
    expect((await getRun(machine, runId)).steps).toMatchObject([{ ...step, hold_usd: 0.5 }]);
    await endRun(machine, runId);
    expect(await spent(machine)).toEqual({ today: total, held: 0 });
  });
});

describe('the end of a run charges open holds', () => {
  const ENDS = [
    ['end', (machine: ApiClient, runId: string) => endRun(machine, runId)],
    ['stop', (machine: ApiClient, runId: string) => machine.post(`/v1/runs/${runId}/stop`)],
    ['expiry', async () => service.clock.advance(86_400_000)],
  ] as const;

  test.each(ENDS)('by %s, and a later report replaces the charge', async (_, end) => {
    const { machine } = await register();
    const { id: runId } = await startRun(machine);
    const { id: open } = await hold(machine, runId, 0.5);
    const { id: reported } = await hold(machine, runId, 0.5);
    await report(machine, runId, reported, { prompt_tokens: 1 });
    await end(machine, runId);
    const run = await getRun(machine, runId);
    expect(run).toMatchObject({ total_cost_usd: 0.6, held_usd: 0 });
    expect(run.steps).toMatchObject([
      { id: open, status: 'ALLOWED', cost_usd: 0.5, cost_source: 'estimated', hold_usd: 0.5 },
      { id: reported, cost_usd: 0.1, cost_source: 'price' },
    ]);
    await report(machine, runId, open, { prompt_tokens: 3 });
    const replaced = await getRun(machine, runId);
    expect(replaced).toMatchObject({ total_cost_usd: 0.4, total_tokens: 4 });
    expect(replaced.steps).toMatchObject([{ cost_usd: 0.3, cost_source: 'price' }, {}]);
  });

  test('and a failed report without tokens takes the charge back', async () => {
    const { machine } = await register();
    const { id: runId } = await startRun(machine);
    const { id } = await hold(machine, runId, 0.5);
    await endRun(machine, runId);
    expect(await spent(machine)).toEqual({ today: 0.5, held: 0 });
    await report(machine, runId, id, { status: 'FAILED' });
    expect(await spent(machine)).toEqual({ today: 0, held: 0 });
    expect((await getRun(machine, runId)).steps).toMatchObject([{ status: 'FAILED', cost_usd: null }]);
  });

  test('on the day of the end; a report on a later day replaces it on that day', async () => {
    const { machine } = await register();
    const { id: runId } = await startRun(machine);
    const { id } = await hold(machine, runId, 0.5);
    await endRun(machine, runId);
    service.clock.set('2026-03-16T09:00:00.000Z');
    expect(await spentByDay(machine, 3)).toEqual([0.5, 0, 0]);
    await machine.get('/v1/usage/summary');
    await report(machine, runId, id, { prompt_tokens: 2 });
    expect(await spentByDay(machine, 3)).toEqual([0.2, 0, 0]);
    const { body } = await machine.get('/v1/usage/summary');
    expect(body.by_user).toMatchObject([{ user_id: 'ada', total_usd: 0.2 }]);
    expect(body.last_30_days.total_usd).toBe(0.2);
  });

  test('of an expired run on the day on which its lease ended, however late it is noticed', async () => {
    service.clock.set('2026-03-14T23:59:45.000Z');
    const { machine } = await register({ daily_budget_usd: 1 });
    const leased = await machine.post('/v1/runs/', { user_id: 'ada', lease_seconds: 10 });
    await hold(machine, leased.body.id, 0.9);
    const { id: runId } = await startRun(machine);
    service.clock.set('2026-03-14T23:59:54.999Z');
    expect(await hold(machine, runId, 0.5)).toMatchObject({ status: 'BLOCKED', remaining_usd: 0.1 });
    service.clock.set('2026-03-15T00:00:05.000Z');
    expect(await hold(machine, runId, 0.5)).toMatchObject({ status: 'ALLOWED', remaining_usd: 0.5 });
    expect(await spentByDay(machine, 2)).toEqual([0.9, 0]);
  });

  test('midnight frees nothing that is still held', async () => {
    service.clock.set(BEFORE_MIDNIGHT);
    const { machine } = await register({ daily_budget_usd: 1 });
    const { id: runId } = await startRun(machine);
    await hold(machine, runId, 0.9);
    service.clock.set('2026-03-15T00:00:10.000Z');
    expect((await hold(machine, runId, 0.2)).decision.reason).toBe('WORKSPACE_DAILY_BUDGET_EXCEEDED');
  });
});

describe('require_holds', () => {
  const TOKENS = { estimated_prompt_tokens: 1, max_completion_tokens: 1 };

  test.each([
    ['a model call without an estimate', {}, 'HOLD_REQUIRED'],
    ['a model call whose model has no price', { ...TOKENS, model: 'unpriced' }, 'HOLD_REQUIRED'],
    ['an amount for a model without a price', { estimated_cost_usd: 1, model: 'unpriced' }, 'HOLD_REQUIRED'],
    ['a model call with an estimate', TOKENS, null],
    ['a tool call', { type: 'TOOL_CALL', model: null, tool_name: 'search' }, null],
  ])('%s: %o', async (_, step, reason) => {
    const { machine } = await register({ require_holds: true });
    const { id: runId } = await startRun(machine);
    expect((await ask(machine, runId, step)).decision.reason).toBe(reason);
  });
});

test('tokens of a model without a price cost what was held', async () => {
  const { machine } = await register({ daily_budget_usd: 1 });
  const { id: runId } = await startRun(machine);
  const { id } = await ask(machine, runId, { model: 'unpriced', estimated_cost_usd: 0.9 });
  await report(machine, runId, id, { prompt_tokens: 5 });
  expect(await spent(machine)).toEqual({ today: 0.9, held: 0 });
  const { steps } = await getRun(machine, runId);
  expect(steps).toMatchObject([{ cost_usd: 0.9, cost_source: 'estimated', prompt_tokens: 5 }]);
});

test('a report that leaves no room for what is held is refused: every hold can be charged', async () => {
  const { machine } = await register();
  await setPrice(machine, { model: 'dear', input: 1_000_000 });
  const { id: runId } = await startRun(machine);
  await hold(machine, runId, 9_000_000);
  const { id } = await ask(machine, runId, { model: 'dear' });
  const body = { status: 'COMPLETED', prompt_tokens: 9 };
  const refused = await machine.patch(`/v1/runs/${runId}/steps/${id}`, body);
  expect(refused.status).toBe(422);
  await endRun(machine, runId);
  expect(await spent(machine)).toEqual({ today: 9_000_000, held: 0 });
  const other = await startRun(machine);
  const large = { type: 'MODEL_CALL', sequence: 1, estimated_cost_usd: 300_000 };
  expect((await machine.post(`/v1/runs/${other.id}/steps`, large)).status).toBe(422);
});

test('50 steps at once with holds never take more than the budget, and without holds all of them pass', async () => {
  const { machine } = await register({ daily_budget_usd: 1 });
  const { id: runId } = await startRun(machine);
  const held = await Promise.all(Array.from({ length: 50 }, () => hold(machine, runId, 0.1)));
  expect(held.filter(({ status }) => status === 'ALLOWED')).toHaveLength(10);
  for (const { id, status } of held)
    if (status === 'ALLOWED') await report(machine, runId, id, { prompt_tokens: 1 });
  expect(await spent(machine)).toEqual({ today: 1, held: 0 });
  const other = await register({ daily_budget_usd: 1 });
  const run = await startRun(other.machine);
  const free = await Promise.all(Array.from({ length: 50 }, () => ask(other.machine, run.id)));
  expect(free.filter(({ status }) => status === 'ALLOWED')).toHaveLength(50);
});

test('report, end, stop and expiry at once settle each hold once', async () => {
  const { machine, person } = await register();
  const { id: runId } = await startRun(machine);
  const steps = await Promise.all(Array.from({ length: 20 }, () => hold(machine, runId, 0.5)));
  await Promise.all([
    ...steps.map(({ id }) =>
      machine.patch(`/v1/runs/${runId}/steps/${id}`, { status: 'COMPLETED', prompt_tokens: 1 }),
    ),
    machine.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED' }),
    person.post(`/v1/runs/${runId}/stop`),
    machine.post(`/v1/runs/${runId}/heartbeat`),
  ]);
  expect(await spent(machine)).toEqual({ today: 2, held: 0 });
});

test('a run has at most 1,000 open holds', async () => {
  const { machine } = await register();
  const { id: runId } = await startRun(machine);
  const asked = Array.from({ length: 1_001 }, () =>
    machine.post(`/v1/runs/${runId}/steps`, { type: 'MODEL_CALL', sequence: 1, estimated_cost_usd: 0.001 }),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1_000);
  expect(statuses.filter((status) => status === 400)).toHaveLength(1);
  await endRun(machine, runId);
  expect(await spent(machine)).toEqual({ today: 1, held: 0 });
});
