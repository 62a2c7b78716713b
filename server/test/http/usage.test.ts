import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStep, endRun, setPrice, startRun, updateStep, useModel } from '../support/agent.js';
import type { ApiClient } from '../support/api-client.js';
import { expectExactCounters } from '../support/exact-counters.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const NO_PARTS = { cache_read_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0, cache_saved_usd: 0 };
const NOTHING = { total_usd: 0, total_tokens: 0, run_count: 0 };

let service: TestService;
/** For refused requests, which change nothing. */
let refused: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  refused = await service.register();
});
beforeEach(() => service.clock.set(NOON));
afterAll(() => service.stop());

const summary = async (client: ApiClient) => (await client.get('/v1/usage/summary')).body;

/** One complete run with one model call at one dollar per prompt token and ten per completion token. */
async function runOn(machine: ApiClient, day: string, dollars: number, userId = 'ada'): Promise<void> {
  service.clock.set(`${day}T12:00:00.000Z`);
  await setPrice(machine, { input: 1, output: 10 });
  const { id } = await startRun(machine, userId);
  await useModel(machine, id, { prompt_tokens: dollars });
  await endRun(machine, id);
}

describe('the summary', () => {
  test('of a new workspace is all zeros with the limit of its plan', async () => {
    const { person } = await service.register();
    const reply = await person.get('/v1/usage/summary');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      today: NOTHING,
      last_7_days: NOTHING,
      last_30_days: NOTHING,
      by_model: [],
      by_user: [],
      monthly_run_count: 0,
      monthly_run_limit: 1_000,
      held_usd: 0,
    });
  });

  test.each([
    ['basic', 1_000],
    ['pro', 50_000],
    ['scale', null],
    ['enterprise', null],
  ])('on %s has the monthly limit %s', async (plan, limit) => {
    const { machine } = await service.register({ plan });
    expect((await summary(machine)).monthly_run_limit).toBe(limit);
  });

  test('windows are 1, 7 and 30 UTC days including today', async () => {
    const { machine } = await service.register();
    for (const [day, dollars] of [
      ['2026-02-12', 10_000],
      ['2026-02-13', 1_000],
      ['2026-03-07', 100],
      ['2026-03-08', 10],
      ['2026-03-14', 1],
    ] as const) {
      await runOn(machine, day, dollars);
    }
    const windows = async () => {
      const { today, last_7_days, last_30_days } = await summary(machine);
      expect(today.total_tokens).toBe(today.total_usd);
      return [today, last_7_days, last_30_days].map((window) => [window.total_usd, window.run_count]);
    };
    expect(await windows()).toEqual([
      [1, 1],
      [11, 2],
      [1_111, 4],
    ]);
    service.clock.set('2026-03-14T23:59:59.999Z');
    expect((await windows())[0]).toEqual([1, 1]);
    service.clock.set('2026-03-15T00:00:00.000Z');
    expect(await windows()).toEqual([
      [0, 0],
      [1, 1],
      [111, 3],
    ]);
  });

  test('by_model and by_user cover 30 days, the most expensive first', async () => {
    const { machine } = await service.register();
    await setPrice(machine, { model: 'dear', input: 10, output: 1 });
    await setPrice(machine, { model: 'cheap', input: 0.1 });
    await setPrice(machine, { model: 'forgotten', input: 1_000 });
    const use = async (userId: string, model: string | null, promptTokens: number) => {
      const { id } = await startRun(machine, userId);
      await useModel(machine, id, { model, prompt_tokens: promptTokens, completion_tokens: 1 });
      await endRun(machine, id);
    };
    service.clock.set('2026-02-12T23:59:59.999Z');
    await use('gone', 'forgotten', 1);
    service.clock.set('2026-02-13T00:00:00.000Z');
    await use('ada', 'cheap', 10);
    service.clock.set(NOON);
    await use('bob', 'dear', 2);
    await use('ada', 'cheap', 20);
    await use('carl', 'unpriced', 999);
    await use('carl', null, 5);
    const { by_model, by_user } = await summary(machine);
    expect(by_model).toEqual([
      { model: 'dear', total_usd: 21, prompt_tokens: 2, completion_tokens: 1, ...NO_PARTS },
      { model: 'cheap', total_usd: 3, prompt_tokens: 30, completion_tokens: 2, ...NO_PARTS },
      { model: 'unpriced', total_usd: 0, prompt_tokens: 999, completion_tokens: 1, ...NO_PARTS },
    ]);
    expect(by_user).toEqual([
      { user_id: 'bob', total_usd: 21, run_count: 1 },
      { user_id: 'ada', total_usd: 3, run_count: 2 },
      { user_id: 'carl', total_usd: 0, run_count: 2 },
    ]);
  });

  test('BLOCKED runs are not counted, and their users do not appear', async () => {
    const { machine } = await service.register();
    await runOn(machine, '2026-03-14', 1);
    const before = await summary(machine);
    await machine.post('/v1/users/mallory/block');
    for (let count = 0; count < 3; count += 1) await startRun(machine, 'mallory');
    expect(await summary(machine)).toEqual(before);
  });

  test('spend belongs to the day it was reported, the run to the day it started', async () => {
    const { machine } = await service.register();
    await setPrice(machine, { input: 1 });
    service.clock.set('2026-03-13T23:59:59.999Z');
    const { id: runId } = await startRun(machine);
    const { id: stepId } = await createStep(machine, runId);
    service.clock.set('2026-03-14T00:00:00.000Z');
    await updateStep(machine, { runId, stepId }, { prompt_tokens: 5 });
    const { today, last_7_days } = await summary(machine);
    expect(today).toEqual({ total_usd: 5, total_tokens: 5, run_count: 0 });
    expect(last_7_days).toEqual({ total_usd: 5, total_tokens: 5, run_count: 1 });
  });

  test('a step that failed after using tokens still has a cost', async () => {
    const { machine } = await service.register();
    await setPrice(machine, { input: 1 });
    const { id } = await startRun(machine);
    await useModel(machine, id, { status: 'FAILED', prompt_tokens: 2 });
    expect((await summary(machine)).today).toEqual({ total_usd: 2, total_tokens: 2, run_count: 1 });
  });

  test('monthly_run_count counts the runs of the calendar month and resets with the next', async () => {
    const { machine } = await service.register();
    await runOn(machine, '2026-02-28', 1);
    await runOn(machine, '2026-03-01', 1);
    await runOn(machine, '2026-03-31', 1);
    expect((await summary(machine)).monthly_run_count).toBe(2);
    service.clock.set('2026-04-01T00:00:00.000Z');
    expect((await summary(machine)).monthly_run_count).toBe(0);
  });

  test('budgets and usage read the same figures', async () => {
    const { machine } = await service.register();
    await runOn(machine, '2026-03-14', 5);
    const { total_usd } = (await summary(machine)).today;
    await machine.patch('/v1/workspace/', { daily_budget_usd: total_usd });
    expect((await startRun(machine)).decision.reason).toBe('WORKSPACE_DAILY_BUDGET_EXCEEDED');
    await machine.patch('/v1/workspace/', { daily_budget_usd: total_usd + 0.000_000_000_001 });
    expect((await startRun(machine)).decision.reason).toBeNull();
  });
});

describe('day by day', () => {
  test('every day is listed, oldest first and today last, with models, unpriced tokens and denials', async () => {
    const { machine, person } = await service.register();
    await runOn(machine, '2026-03-12', 2);
    service.clock.set(NOON);
    await setPrice(machine, { input: 1, output: 10 });
    const { id } = await startRun(machine);
    await useModel(machine, id, { prompt_tokens: 1, completion_tokens: 2 });
    await useModel(machine, id, { model: 'unpriced', prompt_tokens: 7 });
    await useModel(machine, id, { model: null, prompt_tokens: 4 });
    await machine.post('/v1/users/ada/block');
    await startRun(machine);
    await createStep(machine, id);
    await endRun(machine, id);
    await createStep(machine, id);

    const reply = await person.get('/v1/usage/daily?days=3');
    expect(reply.status).toBe(200);
    const gpt = { model: 'gpt', unpriced_tokens: 0, ...NO_PARTS };
    expect(reply.body).toEqual([
      {
        day: '2026-03-12',
        total_usd: 2,
        total_tokens: 2,
        unpriced_tokens: 0,
        run_count: 1,
        by_model: [{ ...gpt, total_usd: 2, prompt_tokens: 2, completion_tokens: 0 }],
        denials: [],
      },
      { day: '2026-03-13', ...NOTHING, unpriced_tokens: 0, by_model: [], denials: [] },
      {
        day: '2026-03-14',
        total_usd: 21,
        total_tokens: 14,
        unpriced_tokens: 11,
        run_count: 1,
        by_model: [
          { ...gpt, total_usd: 21, prompt_tokens: 1, completion_tokens: 2 },
          {
            model: 'unpriced',
            total_usd: 0,
            prompt_tokens: 7,
            completion_tokens: 0,
            unpriced_tokens: 7,
            ...NO_PARTS,
          },
        ],
        denials: expect.arrayContaining([
          { reason: 'USER_BLOCKED', count: 2 },
          { reason: 'RUN_ALREADY_ENDED', count: 1 },
        ]),
      },
    ]);
  });

  test.each([
    ['', 30, '2026-02-13'],
    ['?days=1', 1, '2026-03-14'],
    ['?days=366', 366, '2025-03-14'],
  ])('%s shows %d days from %s', async (query, count, first) => {
    const { machine } = await service.register();
    const { body } = await machine.get(`/v1/usage/daily${query}`);
    expect([body.length, body[0].day, body.at(-1).day]).toEqual([count, first, '2026-03-14']);
  });

  test.each(['?days=0', '?days=367', '?days=-1', '?days=week', '?days=1.5'])(
    'refuses %s with 422',
    async (query) => {
      const { machine } = refused;
      const reply = await machine.get(`/v1/usage/daily${query}`);
      expect([reply.status, reply.body]).toEqual([
        422,
        { detail: expect.stringMatching(/^querystring\/days/) },
      ]);
    },
  );
});

test('after all of this every counter equals the sum of the runs and steps', async () => {
  await expectExactCounters(service);
});
