import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createStep, setPrice, startRun, useModel } from '../support/agent.js';
import { startTestService, type TestService } from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
/** From noon to the next day, while dashboard tokens are valid. */
const PAST_MIDNIGHT_MS = 13 * 3_600_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(() => service.clock.set(NOON));
afterAll(() => service.stop());

test('has spend, tokens in parts, failures and durations, by day and together', async () => {
  const { machine, person } = await service.register();
  await setPrice(machine, { model: 'dime', input: 0.1, output: 0.2, cacheRead: 0.05 });
  const run = await startRun(machine, 'ada');
  const call = (report: Parameters<typeof useModel>[2]) =>
    useModel(machine, run.id, { model: 'dime', ...report });
  await call({ prompt_tokens: 10, cache_read_tokens: 4, cache_write_tokens: 1, duration_ms: 5 });
  await call({ prompt_tokens: 1, completion_tokens: 3, reasoning_tokens: 2, duration_ms: 1_000 });
  service.clock.advance(PAST_MIDNIGHT_MS);
  await call({ status: 'FAILED', duration_ms: 1, error: 'Timeout' });
  await call({ status: 'FAILED', prompt_tokens: 1 });
  await call({ duration_ms: 7 });
  await call({});
  await useModel(machine, run.id, { model: 'other', prompt_tokens: 1_000 });
  await createStep(machine, run.id, { model: 'dime' });

  const { status, body } = await person.get('/v1/models/dime?days=2');
  expect(status).toBe(200);
  expect(body).toEqual({
    model: 'dime',
    total_usd: 1.6,
    prompt_tokens: 12,
    completion_tokens: 3,
    unpriced_tokens: 0,
    cache_read_tokens: 4,
    cache_write_tokens: 1,
    reasoning_tokens: 2,
    cache_saved_usd: 0.2,
    completed_count: 4,
    failed_count: 2,
    error_rate: 2 / 6,
    p50_duration_ms: 7,
    // The middle of 896 to 1023 ms.
    p95_duration_ms: 959,
    by_day: [
      {
        day: '2026-03-14',
        total_usd: 1.5,
        prompt_tokens: 11,
        completion_tokens: 3,
        unpriced_tokens: 0,
        cache_read_tokens: 4,
        cache_write_tokens: 1,
        reasoning_tokens: 2,
        cache_saved_usd: 0.2,
        completed_count: 2,
        failed_count: 0,
        error_rate: 0,
        p50_duration_ms: 5,
        p95_duration_ms: 959,
      },
      {
        day: '2026-03-15',
        total_usd: 0.1,
        prompt_tokens: 1,
        completion_tokens: 0,
        unpriced_tokens: 0,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        reasoning_tokens: 0,
        cache_saved_usd: 0,
        completed_count: 2,
        failed_count: 2,
        error_rate: 0.5,
        p50_duration_ms: 7,
        p95_duration_ms: 7,
      },
    ],
  });
  expect((await service.app.store.maintenance.verify()).differences).toEqual([]);
});

test('shows tokens without a price apart from the spend', async () => {
  const { machine } = await service.register();
  const run = await startRun(machine, 'ada');
  await useModel(machine, run.id, { model: 'house', prompt_tokens: 40, completion_tokens: 2 });
  expect((await machine.get('/v1/models/house')).body).toMatchObject({ total_usd: 0, unpriced_tokens: 42 });
});

test('a report that is repeated is counted once', async () => {
  const { machine } = await service.register();
  const run = await startRun(machine, 'ada');
  const { id } = await createStep(machine, run.id, { model: 'gpt' });
  const report = { status: 'COMPLETED', duration_ms: 3 };
  for (let count = 0; count < 2; count += 1)
    expect((await machine.patch(`/v1/runs/${run.id}/steps/${id}`, report)).status).toBe(200);
  expect((await machine.get('/v1/models/gpt')).body).toMatchObject({ completed_count: 1, failed_count: 0 });
});

test('reports of a refused request are not counted', async () => {
  const { machine } = await service.register();
  const run = await startRun(machine, 'ada');
  const { id } = await createStep(machine, run.id, { model: 'gpt' });
  const refused = await machine.post(`/v1/runs/${run.id}/end`, {
    status: 'COMPLETED',
    reports: [
      { step_id: id, status: 'COMPLETED', duration_ms: 3 },
      { step_id: run.id, status: 'COMPLETED' },
    ],
  });
  expect(refused.status).toBe(404);
  expect((await machine.get('/v1/models/gpt')).body).toMatchObject({ completed_count: 0 });
  expect((await service.app.store.maintenance.verify()).differences).toEqual([]);
});

test.each(['meta-llama/Llama-3', 'a/../b', '🎉 ?#&=', '..'])('reads a model named %j', async (model) => {
  const { machine } = await service.register();
  const run = await startRun(machine, 'ada');
  await useModel(machine, run.id, { model, prompt_tokens: 1 });
  const named = await machine.get(`/v1/models/-?name=${encodeURIComponent(model)}`);
  expect(named.body).toMatchObject({ model, prompt_tokens: 1 });
  if (model !== '..')
    expect((await machine.get(`/v1/models/${encodeURIComponent(model)}`)).body).toEqual(named.body);
});

test('a model that was never called has used nothing, and no days are missing', async () => {
  const { machine } = await service.register();
  const { body } = await machine.get('/v1/models/unknown?days=366');
  expect(body).toMatchObject({ completed_count: 0, error_rate: null, p50_duration_ms: null });
  expect(body.by_day).toHaveLength(366);
});
