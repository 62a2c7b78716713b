/** What limits would have changed, from the runs of the last days. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStep, endRun, setPrice, startRun } from '../support/agent.js';
import { repeated, seedRuns, seedService } from '../support/seed.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

const PATH = '/v1/usage/guardrail-effects';
const DAY_MS = 86_400_000;

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await service.register({ plan: 'pro' });
  const { machine } = tenant;
  await machine.patch('/v1/workspace/', { max_concurrent_runs: 100, run_lease_seconds: 604_800 });
  await setPrice(machine, { input: 0.1, output: 0.1 });
  // Before the days that are looked at.
  await endRun(machine, (await startRun(machine)).id, 'COMPLETED');
  service.clock.advance(7 * DAY_MS);

  const long = await startRun(machine);
  for (const [sequence, estimate] of [
    [1, { estimated_cost_usd: 0.2 }],
    [2, {}],
  ] as const) {
    const step = { type: 'MODEL_CALL', sequence, model: 'gpt', ...estimate };
    const { body } = await machine.post(`/v1/runs/${long.id}/steps`, step);
    await machine.patch(`/v1/runs/${long.id}/steps/${body.id}`, { status: 'COMPLETED', prompt_tokens: 2 });
  }
  await machine.post('/v1/runs/', { user_id: 'ada', lease_seconds: 10 });
  service.clock.advance(60_000);
  await endRun(machine, long.id, 'COMPLETED');

  const short = await startRun(machine);
  await createStep(machine, short.id, { type: 'TOOL_CALL', model: null });
  await endRun(machine, short.id, 'FAILED');
  await startRun(machine, 'silent');
  await machine.post('/v1/users/mallory/block');
  await startRun(machine, 'mallory');
  service.clock.advance(30_000);
});
afterAll(() => service.stop());

const effects = async (query = '') => (await tenant.machine.get(`${PATH}?${query}`)).body;

test('without limits it counts runs, expired ones, and model calls without a hold', async () => {
  expect(await effects()).toEqual({
    runs: 4,
    has_more_runs: false,
    runs_at_max_cost: null,
    runs_over_max_steps: null,
    runs_at_max_duration: null,
    expired_runs: 1,
    silent_runs: null,
    model_calls: 2,
    model_calls_without_hold: 1,
    has_more_steps: false,
  });
  expect(await effects('days=8')).toMatchObject({ runs: 5 });
});

describe.each([
  ['max_cost_usd', 'runs_at_max_cost', { 0: 4, 0.4: 1, 0.400000000001: 0, 9223372: 0 }],
  ['max_steps', 'runs_over_max_steps', { 1: 1, 2: 0, 2147483647: 0 }],
  ['max_duration_seconds', 'runs_at_max_duration', { 10: 3, 30: 2, 31: 1, 60: 1, 61: 0, 2147483647: 0 }],
  ['run_lease_seconds', 'silent_runs', { 10: 1, 30: 1, 31: 0, 604800: 0 }],
])('%s', (parameter, field, expected) => {
  test.each(Object.entries(expected))(`of %s: ${field} is %i`, async (value, count) => {
    expect(await effects(`${parameter}=${value}`)).toMatchObject({ [field]: count });
  });
});

test('only the newest 10,000 runs and 10,000 steps are counted, and the response says so', async () => {
  const { machine, apiKey } = await service.register({ plan: 'enterprise' });
  await machine.patch('/v1/workspace/', { max_concurrent_runs: 20_000 });
  const steps = repeated(102, { model: 'gpt' });
  await seedService(service, apiKey, (target) =>
    seedRuns(target, [...repeated(100, { steps }), ...repeated(9_901, { endStatus: 'COMPLETED' as const })]),
  );
  expect((await machine.get(`${PATH}?max_steps=100`)).body).toMatchObject({
    runs: 10_000,
    has_more_runs: true,
    runs_over_max_steps: 99,
    // As many whole runs as have 10,000 steps at most.
    model_calls: 9_996,
    model_calls_without_hold: 9_996,
    has_more_steps: true,
  });
  await createStep(machine, (await startRun(machine)).id, { model: 'gpt' });
  expect((await machine.get(PATH)).body).toMatchObject({
    runs: 10_000,
    model_calls: 9_997,
    has_more_steps: false,
  });
}, 120_000);

test('another workspace sees nothing of it', async () => {
  const { machine } = await service.register();
  expect((await machine.get(`${PATH}?max_cost_usd=0`)).body).toMatchObject({
    runs: 0,
    runs_at_max_cost: 0,
    model_calls: 0,
  });
});

test.each([
  'days=0',
  'days=31',
  'max_cost_usd=-1',
  'max_cost_usd=1e-13',
  'max_cost_usd=',
  'max_steps=0',
  'max_steps=1.5',
  'max_duration_seconds=2147483648',
  'run_lease_seconds=9',
])('refuses a bad value with 422: %s', async (query) => {
  const reply = await tenant.machine.get(`${PATH}?${query}`);
  expect([reply.status, reply.body]).toEqual([422, { detail: expect.stringMatching(/^querystring/) }]);
});
