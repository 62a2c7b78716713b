/** Reports with the parts of the tokens, costs that the report states, outputs, errors and estimates. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createStep,
  endRun,
  type Report,
  setPrice,
  startRun,
  updateStep,
  useModel,
} from '../support/agent.js';
import type { ApiClient } from '../support/api-client.js';
import { expectExactCounters } from '../support/exact-counters.js';
import { expectStatus, startTestService, type TestService } from '../support/test-service.js';

const CACHED = { input: 0.000_003, output: 0.000_015, cacheRead: 0.000_000_3, cacheWrite: 0.000_003_75 };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function runningRun(): Promise<{ machine: ApiClient; runId: string }> {
  const { machine } = await service.register();
  return { machine, runId: (await startRun(machine)).id };
}

async function onlyStep(machine: ApiClient, runId: string) {
  const { steps } = expectStatus(await machine.get(`/v1/runs/${runId}`), 200).body;
  expect(steps).toHaveLength(1);
  return steps[0];
}

async function holdingStep(machine: ApiClient, runId: string): Promise<string> {
  const body = { type: 'MODEL_CALL', sequence: 1, model: 'gpt', estimated_cost_usd: 2 };
  return expectStatus(await machine.post(`/v1/runs/${runId}/steps`, body), 201).body.id;
}

describe('parts of the tokens', () => {
  test('cached tokens are priced with the prices of the cache, and the cost is shown in its parts', async () => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, CACHED);
    await useModel(machine, runId, {
      prompt_tokens: 1_000,
      completion_tokens: 100,
      cache_read_tokens: 700,
      cache_write_tokens: 200,
      reasoning_tokens: 40,
    });
    expect(await onlyStep(machine, runId)).toMatchObject({
      prompt_tokens: 1_000,
      completion_tokens: 100,
      cache_read_tokens: 700,
      cache_write_tokens: 200,
      reasoning_tokens: 40,
      cost_usd: 0.002_76,
      cost_source: 'price',
      cost_parts: {
        input_usd: 0.000_3,
        cache_read_usd: 0.000_21,
        cache_write_usd: 0.000_75,
        output_usd: 0.001_5,
      },
    });
    const parts = {
      cache_read_tokens: 700,
      cache_write_tokens: 200,
      reasoning_tokens: 40,
      cache_saved_usd: 0.001_74,
    };
    const summary = (await machine.get('/v1/usage/summary')).body;
    expect(summary.by_model).toMatchObject([{ model: 'gpt', total_usd: 0.002_76, ...parts }]);
    const [day] = (await machine.get('/v1/usage/daily?days=1')).body;
    expect(day.by_model).toMatchObject([{ model: 'gpt', total_usd: 0.002_76, ...parts }]);
  });

  test('without a price of the cache its tokens cost as much as others, and nothing is saved', async () => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, { input: 0.01 });
    await useModel(machine, runId, { prompt_tokens: 10, cache_read_tokens: 4, cache_write_tokens: 6 });
    expect(await onlyStep(machine, runId)).toMatchObject({
      cost_usd: 0.1,
      cost_parts: { input_usd: 0, cache_read_usd: 0.04, cache_write_usd: 0.06, output_usd: 0 },
    });
    expect((await machine.get('/v1/usage/summary')).body.by_model[0].cache_saved_usd).toBe(0);
  });

  test('writing to the cache may cost more than it saves', async () => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, { input: 1, cacheWrite: 1.25 });
    await useModel(machine, runId, { prompt_tokens: 4, cache_write_tokens: 4 });
    expect((await machine.get('/v1/usage/summary')).body.by_model[0]).toMatchObject({
      total_usd: 5,
      cache_saved_usd: -1,
    });
  });

  test('all parts are summed before the rounding, and are shown with all their digits', async () => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, { input: 3e-13, output: 1e-13, cacheRead: 4e-13, cacheWrite: 3e-13 });
    const tokens = { prompt_tokens: 3, cache_read_tokens: 1, cache_write_tokens: 1, completion_tokens: 5 };
    await useModel(machine, runId, tokens);
    const { text, body } = await machine.get(`/v1/runs/${runId}`);
    expect(body.steps[0].cost_usd).toBe(2e-12);
    expect(text).toContain(
      '"cost_parts":{"input_usd":0.0000000000003,"cache_read_usd":0.0000000000004,' +
        '"cache_write_usd":0.0000000000003,"output_usd":0.0000000000005}',
    );
  });

  test('a price set later changes neither the cost nor its parts', async () => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, { input: 1, cacheRead: 0.5 });
    await useModel(machine, runId, { prompt_tokens: 2, cache_read_tokens: 1 });
    await setPrice(machine, { input: 100, cacheRead: 100 });
    await setPrice(machine, { input: 100, cacheRead: 100, isActive: false });
    expect(await onlyStep(machine, runId)).toMatchObject({
      cost_usd: 1.5,
      cost_parts: { input_usd: 1, cache_read_usd: 0.5, cache_write_usd: 0, output_usd: 0 },
    });
  });

  test('tokens without a price are counted in their parts and have no cost', async () => {
    const { machine, runId } = await runningRun();
    await useModel(machine, runId, { prompt_tokens: 5, cache_read_tokens: 5 });
    expect(await onlyStep(machine, runId)).toMatchObject({ cost_usd: null, cost_parts: null });
    expect((await machine.get('/v1/usage/summary')).body.by_model[0]).toMatchObject({
      cache_read_tokens: 5,
      cache_saved_usd: 0,
    });
  });

  test.each([
    ['all of the prompt', { prompt_tokens: 5, cache_read_tokens: 3, cache_write_tokens: 2 }, [5, 0]],
    ['nothing of nothing', { cache_read_tokens: 0 }, [0, 0]],
    ['nulls', { cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null }, [null, null]],
    ['all of the completion', { completion_tokens: 7, reasoning_tokens: 7 }, [0, 7]],
  ])('are accepted: %s', async (_, report, [prompt_tokens, completion_tokens]) => {
    const { machine, runId } = await runningRun();
    await useModel(machine, runId, report);
    expect(await onlyStep(machine, runId)).toMatchObject({ prompt_tokens, completion_tokens });
  });

  const CACHE_DETAIL = 'cache_read_tokens and cache_write_tokens must not exceed prompt_tokens together';
  const MAX = Number.MAX_SAFE_INTEGER;
  test.each([
    ['more read than the prompt', { prompt_tokens: 5, cache_read_tokens: 6 }, CACHE_DETAIL],
    ['more written than the prompt', { prompt_tokens: 5, cache_write_tokens: 6 }, CACHE_DETAIL],
    ['more together', { prompt_tokens: 5, cache_read_tokens: 3, cache_write_tokens: 3 }, CACHE_DETAIL],
    [
      'more together by one beyond 2⁵³',
      { prompt_tokens: MAX, cache_read_tokens: MAX, cache_write_tokens: 1 },
      CACHE_DETAIL,
    ],
    ['a part without its whole', { cache_read_tokens: 1 }, CACHE_DETAIL],
    [
      'more reasoning than the completion',
      { completion_tokens: 1, reasoning_tokens: 2 },
      'reasoning_tokens must not exceed completion_tokens',
    ],
    ['a negative part', { cache_read_tokens: -1 }, 'body/cache_read_tokens must be >= 0'],
    ['an error without FAILED', { error: 'x' }, 'error is only accepted with status FAILED'],
    [
      'a long error',
      { status: 'FAILED', error: 'x'.repeat(2_001) },
      'body/error must NOT have more than 2000 characters',
    ],
    ['a negative cost', { cost_usd: -1 }, 'body/cost_usd must be >= 0'],
    ['a cost of 13 places', { cost_usd: 1e-13 }, 'body/cost_usd must have at most 12 decimal places'],
    ['an output that is a list', { output_data: [] }, 'body/output_data must be object,null'],
    ['estimated as text', { estimated: 'yes' }, 'body/estimated must be boolean,null'],
  ])('are refused with 422, in a request of their own and with another one: %s', async (_, given, detail) => {
    const { machine, runId } = await runningRun();
    const { id } = await createStep(machine, runId);
    const report = { status: 'COMPLETED', ...given };
    const reply = await machine.patch(`/v1/runs/${runId}/steps/${id}`, report);
    expect([reply.status, reply.body]).toEqual([422, { detail }]);
    const together = await machine.post(`/v1/runs/${runId}/end`, {
      status: 'COMPLETED',
      reports: [{ step_id: id, ...report }],
    });
    expect([together.status, together.body.detail]).toEqual([
      422,
      expect.stringContaining(detail.replace(/^body\//, '')),
    ]);
    expect(together.body.detail).toMatch(/^body\/reports\/0[:/]/);
    expect(await onlyStep(machine, runId)).toMatchObject({ status: 'ALLOWED', prompt_tokens: null });
  });
});

describe('a cost that the report states', () => {
  test('wins over the price; the tokens and their parts are counted', async () => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, CACHED);
    const report = { prompt_tokens: 10, cache_read_tokens: 4, completion_tokens: 5, cost_usd: 0.25 };
    await useModel(machine, runId, report);
    expect(await onlyStep(machine, runId)).toMatchObject({
      ...report,
      cost_source: 'reported',
      cost_parts: null,
    });
    expect((await machine.get('/v1/usage/summary')).body.by_model[0]).toMatchObject({
      total_usd: 0.25,
      prompt_tokens: 10,
      cache_read_tokens: 4,
      cache_saved_usd: 0,
    });
    const [day] = (await machine.get('/v1/usage/daily?days=1')).body;
    expect(day.unpriced_tokens).toBe(0);
  });

  test('of a tool, without tokens, counts against the budgets', async () => {
    const { machine, runId } = await runningRun();
    await machine.patch('/v1/workspace/', { daily_budget_usd: 0.5 });
    const { id: stepId } = await createStep(machine, runId, { type: 'TOOL_CALL', model: null });
    await updateStep(machine, { runId, stepId }, { cost_usd: 0.5 });
    expect(await onlyStep(machine, runId)).toMatchObject({
      prompt_tokens: null,
      cost_usd: 0.5,
      cost_source: 'reported',
    });
    expect((await machine.get('/v1/usage/summary')).body.today).toMatchObject({
      total_usd: 0.5,
      total_tokens: 0,
    });
    expect((await createStep(machine, runId)).decision.reason).toBe('WORKSPACE_DAILY_BUDGET_EXCEEDED');
  });

  test.each([
    ['COMPLETED', { cost_usd: 0.75 }, [0.75, 'reported']],
    ['FAILED', { cost_usd: 0.75 }, [0.75, 'reported']],
    ['FAILED', { cost_usd: 0 }, [0, 'reported']],
    ['FAILED', {}, [null, null]],
    ['COMPLETED', {}, [2, 'estimated']],
  ])('settles the hold of a step: %s with %j', async (status, given, [cost, source]) => {
    const { machine, runId } = await runningRun();
    const stepId = await holdingStep(machine, runId);
    await updateStep(machine, { runId, stepId }, { status, ...given });
    expect(await onlyStep(machine, runId)).toMatchObject({ cost_usd: cost, cost_source: source });
    expect((await machine.get('/v1/usage/summary')).body).toMatchObject({
      held_usd: 0,
      today: { total_usd: cost ?? 0 },
    });
  });

  test('replaces the charge of a hold', async () => {
    const { machine, runId } = await runningRun();
    const stepId = await holdingStep(machine, runId);
    await endRun(machine, runId);
    expect((await onlyStep(machine, runId)).cost_usd).toBe(2);
    await updateStep(machine, { runId, stepId }, { status: 'FAILED', cost_usd: 0.5, error: 'late' });
    expect(await onlyStep(machine, runId)).toMatchObject({ cost_usd: 0.5, cost_source: 'reported' });
    expect((await machine.get('/v1/usage/summary')).body.today.total_usd).toBe(0.5);
  });
});

describe('estimated tokens', () => {
  test('are priced, and the cost is marked as estimated', async () => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, { input: 1, output: 2 });
    await useModel(machine, runId, {
      status: 'FAILED',
      completion_tokens: 3,
      estimated: true,
      error: 'Aborted',
    });
    expect(await onlyStep(machine, runId)).toMatchObject({
      cost_usd: 6,
      cost_source: 'estimated',
      cost_parts: { input_usd: 0, cache_read_usd: 0, cache_write_usd: 0, output_usd: 6 },
      error: 'Aborted',
    });
  });

  test('do not change a cost that the report states', async () => {
    const { machine, runId } = await runningRun();
    await useModel(machine, runId, { completion_tokens: 3, estimated: true, cost_usd: 1 });
    expect(await onlyStep(machine, runId)).toMatchObject({ cost_usd: 1, cost_source: 'reported' });
  });
});

describe('outputs and errors', () => {
  test('are kept and shown', async () => {
    const { machine, runId } = await runningRun();
    const report = {
      status: 'FAILED',
      error: '429 Too Many Requests 😀',
      output_data: { a: [1.5e-7, null] },
    };
    await useModel(machine, runId, report);
    expect(await onlyStep(machine, runId)).toMatchObject(report);
  });

  test('a large output survives, in a request of its own and with another one', async () => {
    const { machine, runId } = await runningRun();
    const output = (name: string) => ({ name, text: 'é"\\\n'.repeat(40_000), nested: [{ list: [null] }] });
    const steps: string[] = [];
    for (let count = 0; count < 3; count += 1) steps.push((await createStep(machine, runId)).id);
    const [first = '', second = '', third = ''] = steps;
    await updateStep(machine, { runId, stepId: first }, { prompt_tokens: 1, output_data: output('first') });
    const reports = [second, third].map((id) => ({
      step_id: id,
      status: 'COMPLETED',
      cost_usd: 0.1,
      output_data: output(id),
    }));
    expectStatus(await machine.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED', reports }), 200);
    const run = expectStatus(await machine.get(`/v1/runs/${runId}`), 200).body;
    expect(run.steps.map(({ output_data }: { output_data: unknown }) => output_data)).toEqual([
      output('first'),
      output(second),
      output(third),
    ]);
    expect(run.total_cost_usd).toBe(0.2);
  });
});

describe('a repeated report', () => {
  const FULL: Report = {
    status: 'FAILED',
    prompt_tokens: 9,
    completion_tokens: 9,
    cache_read_tokens: 1,
    cache_write_tokens: 2,
    reasoning_tokens: 3,
    cost_usd: 0.5,
    output_data: { a: 1, b: { c: [], d: 2 } },
    error: 'failed',
    estimated: true,
  };

  test('returns the first answer, whatever the order of the keys of its output', async () => {
    const { machine, runId } = await runningRun();
    const { id } = await createStep(machine, runId);
    const path = `/v1/runs/${runId}/steps/${id}`;
    const first = await machine.patch(path, FULL);
    const again = await machine.patch(path, { ...FULL, output_data: { b: { d: 2, c: [] }, a: 1 } });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await machine.get('/v1/usage/summary')).body.today.total_usd).toBe(0.5);
  });

  test.each([
    { cache_read_tokens: 0 },
    { cache_read_tokens: null },
    { cache_write_tokens: 3 },
    { reasoning_tokens: 4 },
    { cost_usd: 0.500_000_000_001 },
    { cost_usd: null },
    { output_data: { a: 1, b: { c: [], d: 3 } } },
    { output_data: null },
    { error: 'failed ' },
    { error: null },
    { estimated: false },
  ])('with another value is a 400 and changes nothing: %j', async (other) => {
    const { machine, runId } = await runningRun();
    const { id } = await createStep(machine, runId);
    const path = `/v1/runs/${runId}/steps/${id}`;
    expectStatus(await machine.patch(path, FULL), 200);
    const before = (await machine.get(`/v1/runs/${runId}`)).body;
    const reply = await machine.patch(path, { ...FULL, ...other });
    expect([reply.status, reply.body]).toEqual([
      400,
      { detail: 'The step was already updated with status FAILED and other values' },
    ]);
    expect((await machine.get(`/v1/runs/${runId}`)).body).toEqual(before);
  });

  test('nulls and false are the same as nothing', async () => {
    const { machine, runId } = await runningRun();
    const { id } = await createStep(machine, runId);
    const path = `/v1/runs/${runId}/steps/${id}`;
    expectStatus(await machine.patch(path, { status: 'COMPLETED', prompt_tokens: 1 }), 200);
    const nothing = {
      cache_read_tokens: null,
      cost_usd: null,
      output_data: null,
      error: null,
      estimated: false,
    };
    expectStatus(await machine.patch(path, { status: 'COMPLETED', prompt_tokens: 1, ...nothing }), 200);
  });
});

describe('savings', () => {
  test('that no counter can hold are refused with 422, and leave the step open', async () => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, { input: 1_000_000, cacheRead: 0 });
    const cached = (tokens: number) => ({ prompt_tokens: tokens, cache_read_tokens: tokens });
    await useModel(machine, runId, cached(9));
    const { id } = await createStep(machine, runId);
    const path = `/v1/runs/${runId}/steps/${id}`;
    const tooMany = await machine.patch(path, { status: 'COMPLETED', ...cached(1) });
    expect([tooMany.status, tooMany.body.detail]).toEqual([
      422,
      'The savings counted with this step are larger than can be represented',
    ]);
    const tooMuch = await machine.patch(path, { status: 'COMPLETED', ...cached(10) });
    expect([tooMuch.status, tooMuch.body.detail]).toEqual([
      422,
      'The cost of this step is larger than can be represented',
    ]);
    expectStatus(await machine.patch(path, { status: 'COMPLETED', prompt_tokens: 0 }), 200);
  });
});

describe('deny_unpriced_models', () => {
  test.each([
    ['a model without a price', { model: 'unpriced' }, 'MODEL_NOT_PRICED'],
    ['a model whose price is inactive', { model: 'retired' }, 'MODEL_NOT_PRICED'],
    ['a model call without a model', { model: null }, 'MODEL_NOT_PRICED'],
    ['a model with a price', { model: 'gpt' }, null],
    ['a tool', { type: 'TOOL_CALL', model: null }, null],
    ['another step that names a model', { type: 'REASONING', model: 'unpriced' }, null],
  ])('%s', async (_, step, reason) => {
    const { machine } = await service.register();
    expect((await machine.patch('/v1/workspace/', { deny_unpriced_models: true })).body).toMatchObject({
      deny_unpriced_models: true,
    });
    await setPrice(machine, { model: 'gpt' });
    await setPrice(machine, { model: 'retired', isActive: false });
    const { id: runId } = await startRun(machine);
    const { id, decision } = await createStep(machine, runId, step);
    expect(decision.reason).toBe(reason);
    const decisions = (await machine.get(`/v1/runs/${runId}/decisions`)).body;
    const rules = decisions.find(({ step_id }: { step_id: string }) => step_id === id).rules;
    const isAsked = !('type' in step);
    const rule = { limit: null, value: reason !== null, resets_at: null };
    expect(rules.slice(4)).toEqual(
      isAsked ? [{ rule: 'model_price', result: reason === null ? 'PASS' : 'DENY', ...rule }] : [],
    );
    const [day] = (await machine.get('/v1/usage/daily?days=1')).body;
    expect(day.denials).toEqual(reason === null ? [] : [{ reason, count: 1 }]);
  });

  test('is off by default, and comes after every other rule', async () => {
    const { machine, runId } = await runningRun();
    expect((await createStep(machine, runId, { model: 'unpriced' })).decision.reason).toBeNull();
    await machine.patch('/v1/workspace/', { deny_unpriced_models: true, require_holds: true });
    expect((await createStep(machine, runId, { model: 'unpriced' })).decision.reason).toBe('HOLD_REQUIRED');
    await machine.patch('/v1/workspace/', { daily_budget_usd: 0 });
    expect((await createStep(machine, runId, { model: 'unpriced' })).decision.reason).toBe(
      'WORKSPACE_DAILY_BUDGET_EXCEEDED',
    );
  });

  test('a price that was set a moment ago counts at once', async () => {
    const { machine, runId } = await runningRun();
    await machine.patch('/v1/workspace/', { deny_unpriced_models: true });
    expect((await createStep(machine, runId)).decision.reason).toBe('MODEL_NOT_PRICED');
    await setPrice(machine, { input: 1 });
    expect((await createStep(machine, runId)).decision.reason).toBeNull();
    await setPrice(machine, { input: 1, isActive: false });
    expect((await createStep(machine, runId)).decision.reason).toBe('MODEL_NOT_PRICED');
  });
});

test('after all of this every counter and every cost can be computed again', async () => {
  await expectExactCounters(service);
});
