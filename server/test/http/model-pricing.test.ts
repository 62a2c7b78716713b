import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPrice, startRun, useModel } from '../support/agent.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

let service: TestService;
/** For refused requests, which change nothing. */
let refused: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  refused = await service.register();
});
afterAll(() => service.stop());

const PRICE = { input_cost_per_token: 0.000_002_5, output_cost_per_token: 0.000_01 };

describe('putting a price', () => {
  test('creates the entry, active by default, and returns it', async () => {
    const { machine } = await service.register();
    const reply = await machine.put('/v1/model-pricing/gpt-4o', PRICE);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      id: expect.any(String),
      model: 'gpt-4o',
      ...PRICE,
      is_active: true,
      cache_read_cost_per_token: null,
      cache_write_cost_per_token: null,
    });
    expect((await machine.get('/v1/model-pricing/')).body).toEqual([reply.body]);
  });

  test('updates the entry under the same id; the next report uses the new price', async () => {
    const { machine, person } = await service.register();
    const first = await machine.put('/v1/model-pricing/gpt', PRICE);
    const second = await person.put('/v1/model-pricing/gpt', {
      input_cost_per_token: 1,
      output_cost_per_token: 0,
    });
    expect(second.body).toEqual({
      ...first.body,
      input_cost_per_token: 1,
      output_cost_per_token: 0,
    });
    const { id } = await startRun(machine);
    await useModel(machine, id, { model: 'gpt', prompt_tokens: 3, completion_tokens: 100 });
    expect((await machine.get(`/v1/runs/${id}`)).body.total_cost_usd).toBe(3);
  });

  test('cache prices are stored and returned; without them the entry has none again', async () => {
    const { machine } = await service.register();
    const cache = { cache_read_cost_per_token: 0.000_000_25, cache_write_cost_per_token: 1e-18 };
    const reply = await machine.put('/v1/model-pricing/gpt', { ...PRICE, ...cache });
    expect(reply.body).toMatchObject({ ...PRICE, ...cache });
    expect((await machine.get('/v1/model-pricing/')).body).toEqual([reply.body]);
    const none = { cache_read_cost_per_token: null, cache_write_cost_per_token: null };
    expect((await machine.put('/v1/model-pricing/gpt', PRICE)).body).toEqual({ ...reply.body, ...none });
  });

  test('an inactive price is returned, but neither listed nor used; it can be activated again', async () => {
    const { machine } = await service.register();
    const reply = await machine.put('/v1/model-pricing/gpt', { ...PRICE, is_active: false });
    expect(reply.body).toMatchObject({ model: 'gpt', is_active: false });
    expect((await machine.get('/v1/model-pricing/')).body).toEqual([]);
    const { id } = await startRun(machine);
    await useModel(machine, id, { prompt_tokens: 3 });
    expect((await machine.get(`/v1/runs/${id}`)).body.steps[0].cost_usd).toBeNull();
    expect((await machine.put('/v1/model-pricing/gpt', PRICE)).body).toEqual({
      ...reply.body,
      is_active: true,
    });
    expect((await machine.get('/v1/model-pricing/')).body).toHaveLength(1);
  });

  test.each([
    ['meta-llama/Llama-3', 'meta-llama/Llama-3'],
    ['meta-llama%2FLlama-3', 'meta-llama/Llama-3'],
    ['a/b/c/', 'a/b/c'],
    ['gpt%204o', 'gpt 4o'],
    ['gpt+4o', 'gpt+4o'],
    ['50%25', '50%'],
    ['50%2525', '50%25'],
    ['what%3F%23', 'what?#'],
    [encodeURIComponent('a/../b'), 'a/../b'],
    [encodeURIComponent('../..'), '../..'],
    ['mod%C3%A8le-%F0%9F%8E%89', 'modèle-🎉'],
    ['model:v1@2026;x=1,y', 'model:v1@2026;x=1,y'],
    [encodeURIComponent('🎉'.repeat(255)), '🎉'.repeat(255)],
  ])('the model is everything after the last fixed slash: %s', async (path, model) => {
    const { machine } = await service.register();
    const reply = await machine.put(`/v1/model-pricing/${path}`, {
      input_cost_per_token: 2,
      output_cost_per_token: 0,
    });
    expect([reply.status, reply.body.model]).toEqual([200, model]);
    const { id } = await startRun(machine);
    await useModel(machine, id, { model, prompt_tokens: 1 });
    expect((await machine.get(`/v1/runs/${id}`)).body.total_cost_usd).toBe(2);
  });

  test('a percent-encoded slash at the end belongs to the name', async () => {
    const { machine } = await service.register();
    expect((await machine.put('/v1/model-pricing/vendor%2F', PRICE)).body.model).toBe('vendor/');
  });

  test.each([
    ['no input cost', { output_cost_per_token: 1 }],
    ['no output cost', { input_cost_per_token: 1 }],
    ['a negative cost', { ...PRICE, input_cost_per_token: -0.1 }],
    ['a cost as text', { ...PRICE, input_cost_per_token: '0.1' }],
    ['a cost of null', { ...PRICE, output_cost_per_token: null }],
    ['more than 18 decimal places', { ...PRICE, input_cost_per_token: 1e-19 }],
    ['more than a million dollars', { ...PRICE, input_cost_per_token: 1_000_001 }],
    ['a negative cache price', { ...PRICE, cache_read_cost_per_token: -1 }],
    ['a cache price as text', { ...PRICE, cache_write_cost_per_token: '0' }],
    ['a cache price of more than 18 places', { ...PRICE, cache_read_cost_per_token: 1e-19 }],
    ['is_active a number', { ...PRICE, is_active: 1 }],
    ['is_active null', { ...PRICE, is_active: null }],
  ])('is refused with 422, and nothing is stored: %s', async (_, body) => {
    const { machine } = refused;
    const reply = await machine.put('/v1/model-pricing/gpt', body);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ detail: expect.stringMatching(/^body/) });
    expect((await machine.get('/v1/model-pricing/')).body).toEqual([]);
  });

  test.each([
    ['256 characters', 'x'.repeat(256)],
    ['a NUL', 'gpt%00'],
  ])('a model name is refused with 422: %s', async (_, model) => {
    const { machine } = refused;
    const reply = await machine.put(`/v1/model-pricing/${model}`, PRICE);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ detail: expect.stringMatching(/^params\/model must/) });
  });
});

test('prices are listed by model', async () => {
  const { machine, person } = await service.register();
  for (const model of ['zeta', 'alpha', 'mid']) await setPrice(machine, { model });
  const listed = (await person.get('/v1/model-pricing/')).body;
  expect(listed.map(({ model }: { model: string }) => model)).toEqual(['alpha', 'mid', 'zeta']);
});

describe('cost is exact', () => {
  test.each([
    ['0.1 + 0.2 is 0.3', { input: 0.1, output: 0.2 }, [1, 1], 0.3],
    ['ten thousand times 0.0000001', { input: 1e-7 }, [10_000, 0], 0.001],
    ['a price of 10⁻¹⁸ times 10¹² tokens', { input: 1e-18 }, [1e12, 0], 0.000_001],
    ['half a pico-dollar rounds to even, down', { input: 5e-13 }, [1, 0], 0],
    ['one and a half pico-dollars round to even, up', { input: 5e-13 }, [3, 0], 2e-12],
    ['two and a half pico-dollars round to even, down', { input: 5e-13 }, [5, 0], 2e-12],
    ['both products are summed before the rounding', { input: 4e-13, output: 4e-13 }, [1, 1], 1e-12],
    ['nothing costs nothing', { input: 0, output: 0 }, [1_000, 1_000], 0],
    ['millions of dollars keep their cents', { input: 0.01 }, [123_456_789, 0], 1_234_567.89],
  ] as const)('%s', async (_, price, [prompt_tokens, completion_tokens], expected) => {
    const { machine } = await service.register();
    await setPrice(machine, price);
    const { id } = await startRun(machine);
    await useModel(machine, id, { prompt_tokens, completion_tokens });
    const run = (await machine.get(`/v1/runs/${id}`)).body;
    expect([run.steps[0].cost_usd, run.total_cost_usd]).toEqual([expected, expected]);
    expect((await machine.get('/v1/usage/summary')).body.today.total_usd).toBe(expected);
  });

  test('a hundred times 0.1 is 10, not 9.99999', async () => {
    const { machine } = await service.register();
    await setPrice(machine, { input: 0.1 });
    const { id } = await startRun(machine);
    await Promise.all(Array.from({ length: 100 }, () => useModel(machine, id, { prompt_tokens: 1 })));
    expect((await machine.get(`/v1/runs/${id}`)).body.total_cost_usd).toBe(10);
    expect((await machine.get('/v1/usage/summary')).body.today.total_usd).toBe(10);
  });
});
