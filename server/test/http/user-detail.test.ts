import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createStep, endRun, setPrice, startRun, updateStep, useModel } from '../support/agent.js';
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

test('has spend by day, models and denials of one user, and nothing of others', async () => {
  const { machine, person, email } = await service.register({ plan: 'enterprise' });
  await setPrice(machine, { model: 'dime', input: 0.1 });
  const ada = await startRun(machine, 'ada');
  const bob = await startRun(machine, 'bob');
  await useModel(machine, ada.id, { model: 'dime', prompt_tokens: 2, completion_tokens: 5 });
  await useModel(machine, bob.id, { model: 'dime', prompt_tokens: 9 });
  service.clock.advance(PAST_MIDNIGHT_MS);
  await useModel(machine, ada.id, { model: 'dime', prompt_tokens: 1 });
  await useModel(machine, ada.id, { model: 'house', prompt_tokens: 30, completion_tokens: 12 });
  await useModel(machine, ada.id, { model: null, cost_usd: 0.05 });
  await person.post('/v1/users/ada/block', { note: 'Ticket 7' });
  await startRun(machine, 'ada');
  await createStep(machine, ada.id);
  await createStep(machine, ada.id);
  await person.post('/v1/users/bob/block');
  await startRun(machine, 'bob');

  const { status, body } = await person.get('/v1/users/ada?days=2');
  expect(status).toBe(200);
  expect(body).toEqual({
    user_id: 'ada',
    blocked: true,
    run_count: 1,
    spend_today_usd: 0.15,
    last_seen_at: '2026-03-15T01:00:00.000Z',
    held_usd: 0,
    unpriced_tokens_today: 42,
    spend_30d_usd: 0.35,
    block_note: 'Ticket 7',
    blocked_at: '2026-03-15T01:00:00.000Z',
    blocked_by: email,
    total_usd: 0.35,
    total_tokens: 50,
    unpriced_tokens: 42,
    by_day: [
      { day: '2026-03-14', total_usd: 0.2, total_tokens: 7, unpriced_tokens: 0, run_count: 1 },
      { day: '2026-03-15', total_usd: 0.15, total_tokens: 43, unpriced_tokens: 42, run_count: 0 },
    ],
    by_model: [
      {
        model: 'dime',
        total_usd: 0.3,
        prompt_tokens: 3,
        completion_tokens: 5,
        unpriced_tokens: 0,
        call_count: 2,
      },
      {
        model: 'house',
        total_usd: 0,
        prompt_tokens: 30,
        completion_tokens: 12,
        unpriced_tokens: 42,
        call_count: 1,
      },
    ],
    denials: [{ reason: 'USER_BLOCKED', count: 3 }],
  });
  const today = (await machine.get('/v1/users/ada?days=1')).body;
  expect(today).toMatchObject({ total_usd: 0.15, by_day: [{ day: '2026-03-15' }] });
  expect((await machine.get('/v1/users/ada')).body.by_day).toHaveLength(30);
  expect((await service.app.store.maintenance.verify()).differences).toEqual([]);
});

test('a report that replaces a charge changes the day and the model of the charge', async () => {
  const { machine } = await service.register();
  await setPrice(machine, { model: 'dime', input: 0.1 });
  const run = await startRun(machine, 'ada');
  const path = `/v1/runs/${run.id}/steps`;
  const step = { type: 'MODEL_CALL', sequence: 1, model: 'dime', estimated_cost_usd: 5 };
  const { id: stepId } = (await machine.post(path, step)).body;
  await endRun(machine, run.id);
  const models = async () => (await machine.get('/v1/users/ada?days=2')).body.by_model;
  expect(await models()).toMatchObject([{ model: 'dime', total_usd: 5, prompt_tokens: 0, call_count: 1 }]);
  service.clock.advance(PAST_MIDNIGHT_MS);
  await updateStep(machine, { runId: run.id, stepId }, { prompt_tokens: 2, duration_ms: 5 });
  expect(await models()).toMatchObject([{ model: 'dime', total_usd: 0.2, prompt_tokens: 2, call_count: 1 }]);
  const days = (await machine.get('/v1/models/dime?days=2')).body.by_day;
  expect(days).toMatchObject([
    { total_usd: 0.2, completed_count: 1, p50_duration_ms: 5 },
    { total_usd: 0, completed_count: 0, p50_duration_ms: null },
  ]);
  expect((await service.app.store.maintenance.verify()).differences).toEqual([]);
});

test('a user who was never seen has used nothing', async () => {
  const { person } = await service.register();
  const { status, body } = await person.get('/v1/users/nemo?days=1');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    user_id: 'nemo',
    blocked: false,
    last_seen_at: null,
    by_day: [{ day: '2026-03-14', total_usd: 0, run_count: 0 }],
    by_model: [],
    denials: [],
  });
  expect((await person.get('/v1/users/')).body.total).toBe(0);
});

test.each(['.', '..', 'a/../b', 'team/ada', '100%', '🎉 ?#&=', '-', 'block'])(
  'a user named %j is read with the parameter',
  async (userId) => {
    const { machine, person } = await service.register();
    await startRun(machine, userId);
    const reply = await person.get(`/v1/users/-?name=${encodeURIComponent(userId)}`);
    expect(reply.body).toMatchObject({ user_id: userId, run_count: 1 });
    if (userId === '.' || userId === '..') return;
    const byPath = await person.get(`/v1/users/${encodeURIComponent(userId)}`);
    expect(byPath.body).toEqual(reply.body);
  },
);

test('the sum of models that are not listed completes the total', async () => {
  const { machine } = await service.register({ plan: 'enterprise' });
  const run = await startRun(machine, 'ada');
  for (let index = 0; index < 103; index += 1)
    await useModel(machine, run.id, { model: `model-${index}`, cost_usd: index + 1, prompt_tokens: 1 });
  const { by_model, other_models, total_usd } = (await machine.get('/v1/users/ada')).body;
  expect(by_model).toHaveLength(100);
  expect(by_model[0].model).toBe('model-102');
  expect(other_models).toEqual({
    model_count: 3,
    total_usd: 6,
    prompt_tokens: 3,
    completion_tokens: 0,
    unpriced_tokens: 0,
    call_count: 3,
  });
  expect(total_usd).toBe((103 * 104) / 2);
});

test.each(['?days=0', '?days=367', '?days=x', '?name=', '?name=a%00', `?name=${'x'.repeat(256)}`])(
  'refuses an invalid query with 422: %s',
  async (query) => {
    const { machine } = await service.register();
    expect((await machine.get(`/v1/users/ada${query}`)).status).toBe(422);
    expect((await machine.get(`/v1/models/gpt${query}`)).status).toBe(422);
  },
);
