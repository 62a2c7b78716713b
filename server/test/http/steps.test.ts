import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStep, endRun, setPrice, startRun, updateStep, useModel } from '../support/agent.js';
import type { ApiClient } from '../support/api-client.js';
import { expectExactCounters } from '../support/exact-counters.js';
import { startTestService, type TestService } from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const MAX_TOKENS = Number.MAX_SAFE_INTEGER;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(() => service.clock.set(NOON));
afterAll(() => service.stop());

async function runningRun(): Promise<{ machine: ApiClient; runId: string }> {
  const { machine } = await service.register();
  return { machine, runId: (await startRun(machine)).id };
}

async function onlyStep(machine: ApiClient, runId: string) {
  const { steps } = (await machine.get(`/v1/runs/${runId}`)).body;
  expect(steps).toHaveLength(1);
  return steps[0];
}

describe('creating a step', () => {
  test.each(['INPUT', 'MODEL_CALL', 'TOOL_CALL', 'OUTPUT', 'REASONING', 'SYSTEM'])(
    'a %s step that passes the rules answers 201 ALLOWED',
    async (type) => {
      const { machine, runId } = await runningRun();
      const reply = await machine.post(`/v1/runs/${runId}/steps`, { type, sequence: 1 });
      expect(reply.status).toBe(201);
      expect(reply.body).toEqual({
        id: expect.any(String),
        status: 'ALLOWED',
        decision: { outcome: 'ALLOW', reason: null },
      });
      expect(await onlyStep(machine, runId)).toEqual({
        id: reply.body.id,
        type,
        status: 'ALLOWED',
        sequence: 1,
        model: null,
        tool_name: null,
        prompt_tokens: null,
        completion_tokens: null,
        cost_usd: null,
        duration_ms: null,
        input_data: null,
        output_data: null,
        decision: { outcome: 'ALLOW', reason: null },
        created_at: NOON,
        hold_usd: null,
        cost_source: null,
        cache_read_tokens: null,
        cache_write_tokens: null,
        reasoning_tokens: null,
        cost_parts: null,
        error: null,
      });
    },
  );

  test('stores model, tool_name and input_data for audit and ignores output_data', async () => {
    const { machine, runId } = await runningRun();
    const given = {
      type: 'TOOL_CALL',
      sequence: 2_147_483_647,
      model: 'meta-llama/Llama-3',
      tool_name: 'search 🔎',
      input_data: { query: 'x', nested: { list: [1, 0.5, null] } },
    };
    await machine.post(`/v1/runs/${runId}/steps`, { ...given, output_data: { smuggled: true } });
    expect(await onlyStep(machine, runId)).toMatchObject({ ...given, output_data: null });
  });

  test('a denied step answers 201 BLOCKED and is shown in the run, which continues', async () => {
    const { machine, runId } = await runningRun();
    await machine.post('/v1/users/ada/block');
    const reply = await machine.post(`/v1/runs/${runId}/steps`, { type: 'INPUT', sequence: 1 });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.any(String),
      status: 'BLOCKED',
      decision: { outcome: 'DENY', reason: 'USER_BLOCKED' },
    });
    expect(await onlyStep(machine, runId)).toMatchObject(reply.body);
    expect((await machine.get(`/v1/runs/${runId}`)).body.status).toBe('RUNNING');

    await machine.post('/v1/users/ada/unblock');
    expect((await createStep(machine, runId)).status).toBe('ALLOWED');
  });

  test.each(['COMPLETED', 'FAILED'])(
    'in a run that ended as %s it is BLOCKED with RUN_ALREADY_ENDED before any rule but the kill switch',
    async (status) => {
      const { machine, runId } = await runningRun();
      await endRun(machine, runId, status);
      await machine.post('/v1/users/ada/block');
      expect(await createStep(machine, runId)).toMatchObject({
        status: 'BLOCKED',
        decision: { outcome: 'DENY', reason: 'RUN_ALREADY_ENDED' },
      });
    },
  );

  test.each(['COMPLETED', 'FAILED', 'BLOCKED'])(
    'with the kill switch on it is denied with KILL_SWITCH_ACTIVE in a run that is %s, too',
    async (status) => {
      const { machine } = await service.register({ plan: 'scale' });
      if (status === 'BLOCKED') await machine.post('/v1/users/ada/block');
      const { id: runId } = await startRun(machine);
      if (status !== 'BLOCKED') await endRun(machine, runId, status);
      await machine.post('/v1/workspace/kill-switch', { active: true });
      const { id, ...step } = await createStep(machine, runId);
      expect(step).toEqual({
        status: 'BLOCKED',
        decision: { outcome: 'DENY', reason: 'KILL_SWITCH_ACTIVE' },
      });
      const { body: decisions } = await machine.get(`/v1/runs/${runId}/decisions`);
      expect(decisions.at(-1)).toMatchObject({
        step_id: id,
        reason: 'KILL_SWITCH_ACTIVE',
        evaluated_rules: { kill_switch: 'DENY' },
        rules: [{ rule: 'kill_switch', result: 'DENY', limit: null, value: true, resets_at: null }],
      });
      await machine.post('/v1/workspace/kill-switch', { active: false });
      expect((await createStep(machine, runId)).decision.reason).toBe('RUN_ALREADY_ENDED');
    },
  );

  test('in a run that was blocked at its start it is BLOCKED with RUN_ALREADY_ENDED', async () => {
    const { machine } = await service.register();
    await machine.post('/v1/users/mallory/block');
    const { id } = await startRun(machine, 'mallory');
    expect((await createStep(machine, id)).decision).toEqual({
      outcome: 'DENY',
      reason: 'RUN_ALREADY_ENDED',
    });
  });

  test('the same sequence twice is accepted', async () => {
    const { machine, runId } = await runningRun();
    const first = await createStep(machine, runId, { sequence: 1 });
    const second = await createStep(machine, runId, { sequence: 1 });
    expect(second.status).toBe('ALLOWED');
    expect(second.id).not.toBe(first.id);
  });

  const step = { type: 'INPUT', sequence: 1 };
  test.each([
    ['no type', { sequence: 1 }, "body must have required property 'type'"],
    [
      'an unknown type',
      { ...step, type: 'input' },
      'body/type must be one of INPUT, MODEL_CALL, TOOL_CALL, OUTPUT, REASONING, SYSTEM',
    ],
    ['no sequence', { type: 'INPUT' }, "body must have required property 'sequence'"],
    ['sequence 0', { ...step, sequence: 0 }, 'body/sequence must be >= 1'],
    ['sequence as text', { ...step, sequence: '1' }, 'body/sequence must be integer'],
    ['a broken sequence', { ...step, sequence: 1.5 }, 'body/sequence must be integer'],
    ['a sequence over 32 bits', { ...step, sequence: 2 ** 31 }, 'body/sequence must be <= 2147483647'],
    ['an empty model', { ...step, model: '' }, 'body/model must NOT have fewer than 1 characters'],
    [
      'a long model',
      { ...step, model: 'x'.repeat(256) },
      'body/model must NOT have more than 255 characters',
    ],
    ['an empty tool', { ...step, tool_name: '' }, 'body/tool_name must NOT have fewer than 1 characters'],
    ['input_data a list', { ...step, input_data: [] }, 'body/input_data must be object,null'],
  ])('is refused with 422 that says where: %s', async (_, body, detail) => {
    const { machine, runId } = await runningRun();
    const reply = await machine.post(`/v1/runs/${runId}/steps`, body);
    expect([reply.status, reply.body]).toEqual([422, { detail }]);
    expect((await machine.get(`/v1/runs/${runId}`)).body.steps).toEqual([]);
  });
});

describe('updating a step', () => {
  test.each(['COMPLETED', 'FAILED'])('returns its id and status %s; tokens are priced', async (status) => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, { input: 0.000_002_5, output: 0.000_01 });
    const { id } = await createStep(machine, runId);
    const reply = await machine.patch(`/v1/runs/${runId}/steps/${id}`, {
      status,
      duration_ms: 1_200,
      prompt_tokens: 1_000,
      completion_tokens: 500,
    });
    expect([reply.status, reply.body]).toEqual([200, { id, status }]);
    expect(await onlyStep(machine, runId)).toMatchObject({
      status,
      duration_ms: 1_200,
      prompt_tokens: 1_000,
      completion_tokens: 500,
      cost_usd: 0.0075,
    });
    expect((await machine.get(`/v1/runs/${runId}`)).body).toMatchObject({
      total_tokens: 1_500,
      total_cost_usd: 0.0075,
    });
  });

  test.each([
    ['both', { prompt_tokens: 3, completion_tokens: 4 }, [3, 4, 0.11]],
    ['only prompt tokens', { prompt_tokens: 3 }, [3, 0, 0.03]],
    ['only completion tokens', { prompt_tokens: null, completion_tokens: 4 }, [0, 4, 0.08]],
    ['zeros', { prompt_tokens: 0, completion_tokens: 0 }, [0, 0, 0]],
    ['none', {}, [null, null, null]],
    ['nulls', { duration_ms: null, prompt_tokens: null, completion_tokens: null }, [null, null, null]],
  ])('counts that are not given: %s', async (_, report, expected) => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, { input: 0.01, output: 0.02 });
    await useModel(machine, runId, report);
    const { prompt_tokens, completion_tokens, cost_usd } = await onlyStep(machine, runId);
    expect([prompt_tokens, completion_tokens, cost_usd]).toEqual(expected);
  });

  test.each([
    ['without a model', null],
    ['with a model that has no price', 'unknown'],
    ['with a model whose price is inactive', 'retired'],
    ['with a model that differs only in case', 'GPT'],
  ])('tokens %s are counted, and cost_usd stays null', async (_, model) => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, { model: 'gpt', input: 1 });
    await setPrice(machine, { model: 'retired', input: 1, isActive: false });
    await useModel(machine, runId, { model, prompt_tokens: 7 });
    expect(await onlyStep(machine, runId)).toMatchObject({ prompt_tokens: 7, cost_usd: null });
    expect((await machine.get(`/v1/runs/${runId}`)).body).toMatchObject({
      total_tokens: 7,
      total_cost_usd: 0,
    });
    expect((await machine.get('/v1/usage/summary')).body.today).toEqual({
      total_usd: 0,
      total_tokens: 7,
      run_count: 1,
    });
  });

  test('a price set later does not change a recorded cost', async () => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, { input: 1 });
    await useModel(machine, runId, { prompt_tokens: 2 });
    await setPrice(machine, { input: 100 });
    expect(await onlyStep(machine, runId)).toMatchObject({ cost_usd: 2 });
  });

  test('repeating the same update returns the first answer and counts nothing twice', async () => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, { input: 0.1 });
    const { id } = await createStep(machine, runId);
    const path = `/v1/runs/${runId}/steps/${id}`;
    const first = await machine.patch(path, { status: 'COMPLETED', prompt_tokens: 5 });
    await setPrice(machine, { input: 0.9 });
    const again = await machine.patch(path, {
      status: 'COMPLETED',
      prompt_tokens: 5,
      completion_tokens: 0,
      duration_ms: null,
    });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const racing = await Promise.all(
      Array.from({ length: 8 }, () => machine.patch(path, { status: 'COMPLETED', prompt_tokens: 5 })),
    );
    expect(new Set(racing.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await machine.get('/v1/usage/summary')).body.today).toMatchObject({
      total_usd: 0.5,
      total_tokens: 5,
    });
  });

  test.each([
    { status: 'FAILED', prompt_tokens: 5 },
    { status: 'COMPLETED', prompt_tokens: 6 },
    { status: 'COMPLETED', prompt_tokens: 5, completion_tokens: 1 },
    { status: 'COMPLETED', prompt_tokens: 5, duration_ms: 1 },
    { status: 'COMPLETED' },
  ])('a different update of an updated step is a 400 and changes nothing: %j', async (other) => {
    const { machine, runId } = await runningRun();
    const { id } = await createStep(machine, runId);
    await updateStep(machine, { runId, stepId: id }, { prompt_tokens: 5 });
    const before = (await machine.get(`/v1/runs/${runId}`)).body;
    const reply = await machine.patch(`/v1/runs/${runId}/steps/${id}`, other);
    expect([reply.status, reply.body]).toEqual([
      400,
      { detail: 'The step was already updated with status COMPLETED and other values' },
    ]);
    expect((await machine.get(`/v1/runs/${runId}`)).body).toEqual(before);
  });

  test('a BLOCKED step cannot be updated: 400, and nothing is counted', async () => {
    const { machine, runId } = await runningRun();
    await machine.post('/v1/users/ada/block');
    const { id } = await createStep(machine, runId);
    const reply = await machine.patch(`/v1/runs/${runId}/steps/${id}`, {
      status: 'COMPLETED',
      prompt_tokens: 5,
    });
    expect([reply.status, reply.body]).toEqual([
      400,
      { detail: 'The step was denied and cannot be updated' },
    ]);
    expect((await machine.get('/v1/usage/summary')).body.today.total_tokens).toBe(0);
  });

  test('is accepted after the run has ended and under any guardrail, so that no cost is lost', async () => {
    const { machine } = await service.register({ plan: 'scale' });
    await setPrice(machine, { input: 0.1 });
    const { id: runId } = await startRun(machine);
    const { id: stepId } = await createStep(machine, runId);
    await endRun(machine, runId);
    await machine.post('/v1/workspace/kill-switch', { active: true });
    await machine.post('/v1/users/ada/block');
    await updateStep(machine, { runId, stepId }, { prompt_tokens: 3 });
    expect((await machine.get(`/v1/runs/${runId}`)).body).toMatchObject({
      status: 'COMPLETED',
      total_tokens: 3,
      total_cost_usd: 0.3,
    });
  });

  test.each([
    ['no status', {}],
    ['an unknown status', { status: 'ALLOWED' }],
    ['negative tokens', { status: 'COMPLETED', prompt_tokens: -1 }],
    ['broken tokens', { status: 'COMPLETED', completion_tokens: 0.5 }],
    ['tokens as text', { status: 'COMPLETED', prompt_tokens: '5' }],
    ['tokens beyond 2⁵³−1', { status: 'COMPLETED', prompt_tokens: MAX_TOKENS + 1 }],
    ['a negative duration', { status: 'COMPLETED', duration_ms: -1 }],
    ['a duration beyond 2⁵³−1', { status: 'COMPLETED', duration_ms: MAX_TOKENS + 1 }],
  ])('is refused with 422: %s', async (_, body) => {
    const { machine, runId } = await runningRun();
    const { id } = await createStep(machine, runId);
    const reply = await machine.patch(`/v1/runs/${runId}/steps/${id}`, body);
    expect(reply.status).toBe(422);
    expect(await onlyStep(machine, runId)).toMatchObject({ status: 'ALLOWED', prompt_tokens: null });
  });

  test('sums beyond 2⁵³ are exact to the last token', async () => {
    const { machine, runId } = await runningRun();
    for (let count = 0; count < 3; count += 1) {
      await useModel(machine, runId, { prompt_tokens: MAX_TOKENS, duration_ms: MAX_TOKENS });
    }
    const exactly = `"total_tokens":${3n * BigInt(MAX_TOKENS)}`;
    expect((await machine.get(`/v1/runs/${runId}`)).text).toContain(exactly);
    expect((await machine.get('/v1/usage/summary')).text).toContain(exactly);
  });

  test('a cost that cannot be represented is refused with 422 and leaves the step open', async () => {
    const { machine, runId } = await runningRun();
    await setPrice(machine, { input: 1_000_000 });
    const { id } = await createStep(machine, runId);
    const path = `/v1/runs/${runId}/steps/${id}`;
    const reply = await machine.patch(path, { status: 'COMPLETED', prompt_tokens: MAX_TOKENS });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ detail: expect.stringContaining('larger than can be represented') });
    expect(await onlyStep(machine, runId)).toMatchObject({ status: 'ALLOWED' });
    expect((await machine.patch(path, { status: 'COMPLETED', prompt_tokens: 1 })).status).toBe(200);
  });
});

test('after all of this every counter equals the sum of the runs and steps', async () => {
  await expectExactCounters(service);
});
