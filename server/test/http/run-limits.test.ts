/** The limits of a run: which apply, when they deny, and what a repeat is. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setPrice } from '../support/agent.js';
import type { ApiClient } from '../support/api-client.js';
import { expectExactCounters } from '../support/exact-counters.js';
import { expectStatus, startTestService, type TestService } from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const NO_LIMITS = { max_cost_usd: null, max_steps: null, max_duration_seconds: null, max_repeats: null };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(() => service.clock.set(NOON));
afterAll(async () => {
  await expectExactCounters(service);
  await service.stop();
});

async function start(machine: ApiClient, limits?: object): Promise<string> {
  return expectStatus(await machine.post('/v1/runs/', { user_id: 'ada', limits }), 201).body.id;
}

async function setLimits(client: ApiClient, run_limits: object) {
  return expectStatus(await client.patch('/v1/workspace/', { run_limits }), 200).body.run_limits;
}

async function limitsOf(machine: ApiClient, runId: string) {
  return expectStatus(await machine.get(`/v1/runs/${runId}`), 200).body.limits;
}

/** The reason of the decision about a new step. */
async function ask(machine: ApiClient, runId: string, step: object = {}): Promise<string | null> {
  const body = { type: 'TOOL_CALL', sequence: 1, tool_name: 'search', ...step };
  return expectStatus(await machine.post(`/v1/runs/${runId}/steps`, body), 201).body.decision.reason;
}

async function lastRules(machine: ApiClient, runId: string) {
  return (await machine.get(`/v1/runs/${runId}/decisions`)).body.at(-1).rules.slice(4);
}

describe('the limits of a run', () => {
  test('are none by default, and no rule of theirs is evaluated', async () => {
    const { machine } = await service.register();
    const runId = await start(machine);
    expect(await limitsOf(machine, runId)).toEqual(NO_LIMITS);
    expect(await ask(machine, runId)).toBeNull();
    expect(await lastRules(machine, runId)).toEqual([]);
  });

  test('are the smaller ones of the workspace and of the request: an agent can only tighten', async () => {
    const { machine } = await service.register();
    await setLimits(machine, { max_cost_usd: 2, max_steps: 10, max_repeats: 3 });
    const runId = await start(machine, { max_cost_usd: 5, max_steps: 4, max_duration_seconds: 60 });
    expect(await limitsOf(machine, runId)).toEqual({
      max_cost_usd: 2,
      max_steps: 4,
      max_duration_seconds: 60,
      max_repeats: 3,
    });
  });

  test('of the workspace change only in the fields that are present; null removes one', async () => {
    const { machine } = await service.register();
    await setLimits(machine, { max_cost_usd: 2, max_steps: 10, repeat_exempt_tools: ['poll'] });
    expect(await setLimits(machine, { max_cost_usd: null, max_repeats: 5 })).toEqual({
      max_cost_usd: null,
      max_steps: 10,
      max_duration_seconds: null,
      max_repeats: 5,
      repeat_exempt_tools: ['poll'],
    });
    const { body } = await machine.get('/v1/workspace/');
    expect(body.run_limits).toMatchObject({ max_steps: 10, max_repeats: 5, repeat_exempt_tools: ['poll'] });
  });

  test('are fixed when the run starts', async () => {
    const { machine } = await service.register();
    const runId = await start(machine);
    await setLimits(machine, { max_steps: 1 });
    expect([await ask(machine, runId), await ask(machine, runId)]).toEqual([null, null]);
    expect(await limitsOf(machine, runId)).toEqual(NO_LIMITS);
  });
});

describe('a limit', () => {
  test('of the cost denies when it is reached', async () => {
    const { machine } = await service.register();
    await setPrice(machine, { model: 'gpt', input: 0.1 });
    const runId = await start(machine, { max_cost_usd: 0.2 });
    for (const expected of [null, null, 'RUN_COST_LIMIT_EXCEEDED']) {
      const body = { type: 'MODEL_CALL', sequence: 1, model: 'gpt' };
      const { body: step } = await machine.post(`/v1/runs/${runId}/steps`, body);
      expect(step.decision.reason).toBe(expected);
      if (expected !== null) continue;
      const report = { status: 'COMPLETED', prompt_tokens: 1 };
      expectStatus(await machine.patch(`/v1/runs/${runId}/steps/${step.id}`, report), 200);
    }
    expect(await lastRules(machine, runId)).toEqual([
      { rule: 'run_cost_limit', result: 'DENY', limit: 0.2, value: 0.2, resets_at: null },
    ]);
  });

  test('of the steps does not count denied ones, and leaves the run running', async () => {
    const { machine, person } = await service.register({ plan: 'scale' });
    const runId = await start(machine, { max_steps: 2 });
    expect(await ask(machine, runId)).toBeNull();
    await person.post('/v1/workspace/kill-switch', { active: true });
    expect(await ask(machine, runId)).toBe('KILL_SWITCH_ACTIVE');
    await person.post('/v1/workspace/kill-switch', { active: false });
    expect(await ask(machine, runId)).toBeNull();
    expect(await ask(machine, runId)).toBe('RUN_STEP_LIMIT_EXCEEDED');
    expect((await machine.get(`/v1/runs/${runId}`)).body.status).toBe('RUNNING');
  });

  test('of the duration denies at its moment', async () => {
    const { machine } = await service.register();
    const runId = await start(machine, { max_duration_seconds: 60 });
    service.clock.advance(59_999);
    expect(await ask(machine, runId)).toBeNull();
    service.clock.advance(1);
    expect(await ask(machine, runId)).toBe('RUN_DURATION_LIMIT_EXCEEDED');
    const { body } = await machine.post(`/v1/runs/${runId}/heartbeat`);
    expect(body.decision.reason).toBe('RUN_DURATION_LIMIT_EXCEEDED');
  });
});

describe('a repeat', () => {
  const LOOP = { input_data: { query: 'x', page: { from: 1, to: 2 } } };

  test('is number N + 1 of equal steps', async () => {
    const { machine } = await service.register();
    const runId = await start(machine, { max_repeats: 2 });
    expect([await ask(machine, runId, LOOP), await ask(machine, runId, LOOP)]).toEqual([null, null]);
    expect(await ask(machine, runId, LOOP)).toBe('LOOP_DETECTED');
    expect(await lastRules(machine, runId)).toEqual([
      { rule: 'run_repeat_limit', result: 'DENY', limit: 2, value: 2, resets_at: null },
    ]);
    expect(await ask(machine, runId, { input_data: { query: 'y' } })).toBeNull();
  });

  test('is equal whatever the order of its keys', async () => {
    const { machine } = await service.register();
    const runId = await start(machine, { max_repeats: 1 });
    expect(await ask(machine, runId, LOOP)).toBeNull();
    const turned = { input_data: { page: { to: 2, from: 1.0 }, query: 'x' } };
    expect(await ask(machine, runId, turned)).toBe('LOOP_DETECTED');
  });

  test('is also seen in a large input, which is parsed elsewhere', async () => {
    const { machine } = await service.register();
    const runId = await start(machine, { max_repeats: 1 });
    const text = 'x'.repeat(100_000);
    expect(await ask(machine, runId, { input_data: { a: { b: 1, c: 2 }, text } })).toBeNull();
    expect(await ask(machine, runId, { input_data: { text, a: { c: 2, b: 1 } } })).toBe('LOOP_DETECTED');
    expect(await ask(machine, runId, { input_data: { text: `${text}y`, a: { b: 1, c: 2 } } })).toBeNull();
  });

  test.each([
    ['another type', { ...LOOP, type: 'SYSTEM' }],
    ['another tool', { ...LOOP, tool_name: 'fetch' }],
    ['another model', { ...LOOP, model: 'gpt' }],
    ['another input', { input_data: { query: 'x', page: { from: 1, to: 3 } } }],
    ['no input', {}],
  ])('is not a step with %s', async (_, other) => {
    const { machine } = await service.register();
    const runId = await start(machine, { max_repeats: 1 });
    expect([await ask(machine, runId, LOOP), await ask(machine, runId, other)]).toEqual([null, null]);
  });

  test('never is a step without input, or of a tool that is exempt', async () => {
    const { machine } = await service.register();
    await setLimits(machine, { max_repeats: 1, repeat_exempt_tools: ['poll'] });
    const runId = await start(machine);
    for (let again = 0; again < 3; again += 1) {
      expect(await ask(machine, runId)).toBeNull();
      expect(await ask(machine, runId, { ...LOOP, tool_name: 'poll' })).toBeNull();
    }
  });

  test('is looked for among the last 20 steps', async () => {
    const { machine } = await service.register();
    const runId = await start(machine, { max_repeats: 1 });
    expect(await ask(machine, runId, LOOP)).toBeNull();
    for (let other = 0; other < 19; other += 1) await ask(machine, runId, { input_data: { other } });
    expect(await ask(machine, runId, LOOP)).toBe('LOOP_DETECTED');
    for (let other = 0; other < 20; other += 1) await ask(machine, runId, { input_data: { other, b: 1 } });
    expect(await ask(machine, runId, LOOP)).toBeNull();
  });
});

test('reports and limits in a large body are as those in a small one', async () => {
  const { machine } = await service.register();
  const text = 'x'.repeat(100_000);
  const limits = { max_steps: 3, max_cost_usd: 0.5, unknown: 'ignored' };
  const large = await machine.post('/v1/runs/', { user_id: 'ada', metadata: { text }, limits });
  const { id: runId } = expectStatus(large, 201).body;
  expect(await limitsOf(machine, runId)).toMatchObject({ max_steps: 3, max_cost_usd: 0.5 });
  const step = { type: 'MODEL_CALL', sequence: 1, model: 'gpt', input_data: { text } };
  const { body: first } = await machine.post(`/v1/runs/${runId}/steps`, step);
  const report = { step_id: first.id, status: 'COMPLETED', prompt_tokens: 7 };
  const next = await machine.post(`/v1/runs/${runId}/steps`, { ...step, reports: [report] });
  expect(expectStatus(next, 201).body.reported).toEqual([{ id: first.id, status: 'COMPLETED' }]);
  const many = Array.from({ length: 102 }, () => report);
  const refused = await machine.post(`/v1/runs/${runId}/steps`, { ...step, reports: many });
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    'body/reports must NOT have more than 100 items',
  ]);
  const wrong = await machine.post(`/v1/runs/${runId}/steps`, {
    ...step,
    reports: [{ ...report, status: [] }],
  });
  expect([wrong.status, wrong.body.detail]).toEqual([422, 'body/reports/0/status must be string']);
});
