import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStep, endRun, setPrice, startRun, useModel } from '../support/agent.js';
import { expectExactCounters } from '../support/exact-counters.js';
import { repeated, seedRuns, seedService } from '../support/seed.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const NEXT_NOON = '2026-03-15T12:00:00.000Z';
const NO_LIMITS = { max_cost_usd: null, max_steps: null, max_duration_seconds: null, max_repeats: null };
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let service: TestService;
/** For refused requests, which change nothing. */
let refused: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  refused = await service.register();
});
beforeEach(() => service.clock.set(NOON));
afterAll(() => service.stop());

describe('starting a run', () => {
  test('a start that passes every rule answers 201 RUNNING with ALLOW and a UUIDv7', async () => {
    const { machine } = await service.register();
    const reply = await machine.post('/v1/runs/', { user_id: 'ada', metadata: { source: 'test' } });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.stringMatching(UUID_V7),
      status: 'RUNNING',
      decision: { outcome: 'ALLOW', reason: null },
    });
  });

  test('a denied start answers 201 BLOCKED and is stored with ended_at null and no duration', async () => {
    const { machine } = await service.register();
    await machine.post('/v1/users/mallory/block');
    const reply = await machine.post('/v1/runs/', { user_id: 'mallory', metadata: { try: 1 } });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.stringMatching(UUID_V7),
      status: 'BLOCKED',
      decision: { outcome: 'DENY', reason: 'USER_BLOCKED' },
    });
    service.clock.advance(5_000);
    expect((await machine.get(`/v1/runs/${reply.body.id}`)).body).toEqual({
      id: reply.body.id,
      user_id: 'mallory',
      status: 'BLOCKED',
      metadata: { try: 1 },
      started_at: NOON,
      ended_at: null,
      total_tokens: 0,
      total_cost_usd: 0,
      duration_ms: 0,
      end_reason: null,
      lease_expires_at: null,
      limits: NO_LIMITS,
      held_usd: 0,
      steps: [],
    });
  });

  test.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['null', null],
    ['two kinds of values', { text: 'ä🎉', nested: { list: [1, 0.1, -2e-7, true, null, ''] } }],
    ['names that JavaScript knows', '{"__proto__":{"a":1},"constructor":{"prototype":2},"toJSON":3}'],
  ])('metadata comes back as it was sent: %s', async (_, metadata) => {
    const { machine } = await service.register();
    const text = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
    const started = await machine.post(
      '/v1/runs/',
      text === undefined ? { user_id: 'ada' } : `{"user_id":"ada","metadata":${text}}`,
    );
    const detail = await machine.get(`/v1/runs/${started.body.id}`);
    expect(detail.text).toContain(`"metadata":${text ?? 'null'},`);
  });

  test.each([
    ['no user_id', {}, "body must have required property 'user_id'"],
    ['user_id null', { user_id: null }, 'body/user_id must be string'],
    ['user_id a number', { user_id: 7 }, 'body/user_id must be string'],
    ['user_id empty', { user_id: '' }, 'body/user_id must NOT have fewer than 1 characters'],
    ['user_id too long', { user_id: 'x'.repeat(256) }, 'body/user_id must NOT have more than 255 characters'],
    ['metadata an array', { user_id: 'ada', metadata: [] }, 'body/metadata must be object,null'],
    ['metadata text', { user_id: 'ada', metadata: '{}' }, 'body/metadata must be object,null'],
    ['an array', [{ user_id: 'ada' }], 'body must be object'],
    ['null', 'null', 'body must be object'],
  ])('is refused with 422 that says where: %s', async (_, body, detail) => {
    const { machine } = refused;
    const reply = await machine.post('/v1/runs/', body);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ detail });
    expect((await machine.get('/v1/runs/')).body.total).toBe(0);
  });

  test('a user_id may have 255 characters, each of them any letter or symbol', async () => {
    const { machine } = await service.register();
    const userId = '🎉'.repeat(255);
    const { id } = await startRun(machine, userId);
    expect((await machine.get(`/v1/runs/${id}`)).body.user_id).toBe(userId);
  });

  test('unknown fields are ignored', async () => {
    const { machine } = await service.register();
    const reply = await machine.post('/v1/runs/', { user_id: 'ada', id: 'mine', status: 'COMPLETED' });
    expect(reply.status).toBe(201);
    expect(reply.body.id).not.toBe('mine');
    expect(reply.body.status).toBe('RUNNING');
  });
});

describe('ending a run', () => {
  test.each(['COMPLETED', 'FAILED'])('answers with status %s and the time of the end', async (status) => {
    const { machine } = await service.register();
    const { id } = await startRun(machine);
    service.clock.advance(1_500);
    const reply = await machine.post(`/v1/runs/${id}/end`, { status });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ id, status, ended_at: '2026-03-14T12:00:01.500Z' });
  });

  test('repeating it with the same status returns the first answer; with another status it is a 400', async () => {
    const { machine } = await service.register();
    const { id } = await startRun(machine);
    const first = await machine.post(`/v1/runs/${id}/end`, { status: 'COMPLETED' });
    service.clock.advance(60_000);
    const second = await machine.post(`/v1/runs/${id}/end`, { status: 'COMPLETED' });
    expect([second.status, second.body]).toEqual([200, first.body]);
    const other = await machine.post(`/v1/runs/${id}/end`, { status: 'FAILED' });
    expect(other.status).toBe(400);
    expect(other.body).toEqual({ detail: 'The run has already ended with status COMPLETED' });
    expect((await machine.get(`/v1/runs/${id}`)).body.status).toBe('COMPLETED');
  });

  test('a run that was blocked at its start cannot be ended: 400', async () => {
    const { machine } = await service.register();
    await machine.post('/v1/users/mallory/block');
    const { id } = await startRun(machine, 'mallory');
    const reply = await machine.post(`/v1/runs/${id}/end`, { status: 'COMPLETED' });
    expect(reply.status).toBe(400);
    expect((await machine.get(`/v1/runs/${id}`)).body).toMatchObject({ status: 'BLOCKED', ended_at: null });
  });

  test.each([{}, { status: null }, { status: 'RUNNING' }, { status: 'BLOCKED' }, { status: 'completed' }])(
    'accepts no status other than COMPLETED and FAILED: %j',
    async (body) => {
      const { machine } = await service.register();
      const { id } = await startRun(machine);
      expect((await machine.post(`/v1/runs/${id}/end`, body)).status).toBe(422);
      expect((await machine.get(`/v1/runs/${id}`)).body.status).toBe('RUNNING');
    },
  );
});

describe('reading a run', () => {
  test('shows every field of the run and of its steps', async () => {
    const { machine, person } = await service.register();
    await setPrice(machine, { model: 'gpt', input: 0.01, output: 0.02 });
    const { id } = await startRun(machine);
    const stepId = await useModel(machine, id, {
      prompt_tokens: 10,
      completion_tokens: 5,
      duration_ms: 42,
    });
    service.clock.advance(2_000);
    await endRun(machine, id, 'FAILED');
    service.clock.advance(60_000);
    const reply = await person.get(`/v1/runs/${id}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      id,
      user_id: 'ada',
      status: 'FAILED',
      metadata: null,
      started_at: NOON,
      ended_at: '2026-03-14T12:00:02.000Z',
      total_tokens: 15,
      total_cost_usd: 0.2,
      duration_ms: 2_000,
      end_reason: null,
      lease_expires_at: null,
      limits: NO_LIMITS,
      held_usd: 0,
      steps: [
        {
          id: stepId,
          type: 'MODEL_CALL',
          status: 'COMPLETED',
          sequence: 1,
          model: 'gpt',
          tool_name: null,
          prompt_tokens: 10,
          completion_tokens: 5,
          cost_usd: 0.2,
          duration_ms: 42,
          input_data: null,
          output_data: null,
          decision: { outcome: 'ALLOW', reason: null },
          created_at: NOON,
          hold_usd: null,
          cost_source: 'price',
          cache_read_tokens: null,
          cache_write_tokens: null,
          reasoning_tokens: null,
          cost_parts: { input_usd: 0.1, cache_read_usd: 0, cache_write_usd: 0, output_usd: 0.1 },
          error: null,
        },
      ],
    });
  });

  test('duration_ms of a running run is the time since its start', async () => {
    const { machine } = await service.register();
    const { id } = await startRun(machine);
    service.clock.advance(1_234);
    expect((await machine.get(`/v1/runs/${id}`)).body).toMatchObject({ duration_ms: 1_234, ended_at: null });
  });

  test('steps are ordered by sequence, equal ones by their creation', async () => {
    const { machine } = await service.register();
    const { id } = await startRun(machine);
    const created: string[] = [];
    for (const sequence of [3, 1, 2, 1]) created.push((await createStep(machine, id, { sequence })).id);
    const [third, first, second, firstAgain] = created;
    const { steps } = (await machine.get(`/v1/runs/${id}`)).body;
    expect(steps.map((step: { id: string }) => step.id)).toEqual([first, firstAgain, second, third]);
  });

  test('an id is case-insensitive', async () => {
    const { machine } = await service.register();
    const { id } = await startRun(machine);
    expect((await machine.get(`/v1/runs/${id.toUpperCase()}`)).body.id).toBe(id);
  });
});

describe('listing runs', () => {
  test('shows the newest run first, with exactly the fields of a list item', async () => {
    const { machine, person } = await service.register();
    await setPrice(machine, { input: 0.5 });
    const older = await startRun(machine, 'ada');
    await useModel(machine, older.id, { prompt_tokens: 3 });
    await createStep(machine, older.id, { sequence: 2 });
    await endRun(machine, older.id);
    const newer = await startRun(machine, 'bob');
    const reply = await person.get('/v1/runs/');
    expect(reply.status).toBe(200);
    const common = { started_at: NOON, deny_reason: null, denied_step_count: 0 };
    expect(reply.body).toEqual({
      items: [
        {
          ...common,
          id: newer.id,
          user_id: 'bob',
          status: 'RUNNING',
          ended_at: null,
          step_count: 0,
          total_tokens: 0,
          total_cost_usd: 0,
          end_reason: null,
          lease_expires_at: NEXT_NOON,
        },
        {
          ...common,
          id: older.id,
          user_id: 'ada',
          status: 'COMPLETED',
          ended_at: NOON,
          step_count: 2,
          total_tokens: 3,
          total_cost_usd: 1.5,
          end_reason: null,
          lease_expires_at: null,
        },
      ],
      total: 2,
      page: 1,
      per_page: 50,
    });
  });

  test('filters by status and user, and total counts what the filter matches', async () => {
    const { machine } = await service.register({ plan: 'pro' });
    await machine.patch('/v1/workspace/', { max_concurrent_runs: 100 });
    await machine.post('/v1/users/carl/block');
    for (const userId of ['ada', 'ada', 'bob']) await startRun(machine, userId);
    await endRun(machine, (await startRun(machine, 'ada')).id, 'FAILED');
    await endRun(machine, (await startRun(machine, 'bob')).id, 'COMPLETED');
    await startRun(machine, 'carl');
    const found = async (query: string) => {
      const { items, total } = (await machine.get(`/v1/runs/?${query}`)).body;
      return [items.map((run: { user_id: string; status: string }) => `${run.user_id} ${run.status}`), total];
    };
    expect(await found('status=RUNNING')).toEqual([['bob RUNNING', 'ada RUNNING', 'ada RUNNING'], 3]);
    expect(await found('status=FAILED')).toEqual([['ada FAILED'], 1]);
    expect(await found('status=BLOCKED')).toEqual([['carl BLOCKED'], 1]);
    expect(await found('user_id=bob')).toEqual([['bob COMPLETED', 'bob RUNNING'], 2]);
    expect(await found('user_id=ada&status=RUNNING&per_page=1')).toEqual([['ada RUNNING'], 2]);
    expect(await found('user_id=nobody')).toEqual([[], 0]);
    expect(await found('user_id=Ada')).toEqual([[], 0]);
  });

  test('filters by the reason of the end and by idleness', async () => {
    const { machine, person } = await service.register({ plan: 'pro' });
    await machine.patch('/v1/workspace/', { max_concurrent_runs: 100, run_lease_seconds: 3600 });
    const silent = await startRun(machine, 'ada');
    const expired = (await machine.post('/v1/runs/', { user_id: 'ada', lease_seconds: 10 })).body;
    const stopped = await startRun(machine, 'bob');
    const active = await startRun(machine, 'bob');
    await person.post(`/v1/runs/${stopped.id}/stop`);
    service.clock.advance(299_999);
    await machine.post(`/v1/runs/${active.id}/heartbeat`);
    const found = async (query: string) => {
      const { items, total } = (await person.get(`/v1/runs/?${query}`)).body;
      return [items.map(({ id }: { id: string }) => id), total];
    };
    expect(await found('idle=true')).toEqual([[], 0]);
    service.clock.advance(1);
    expect(await found('idle=true')).toEqual([[silent.id], 1]);
    expect(await found('idle=true&user_id=bob')).toEqual([[], 0]);
    expect(await found('idle=true&status=COMPLETED')).toEqual([[], 0]);
    expect(await found('end_reason=LEASE_EXPIRED')).toEqual([[expired.id], 1]);
    expect(await found('end_reason=STOPPED')).toEqual([[stopped.id], 1]);
    expect(await found('end_reason=STOPPED&user_id=ada')).toEqual([[], 0]);
    // An agent that was merely slow ends the run itself.
    await endRun(machine, expired.id, 'COMPLETED');
    expect(await found('end_reason=LEASE_EXPIRED')).toEqual([[], 0]);
  });

  test('pages have 50 runs by default, at most 100, without gap or overlap', async () => {
    const { machine, apiKey } = await service.register({ plan: 'pro' });
    await machine.patch('/v1/workspace/', { max_concurrent_runs: 1_000 });
    await seedService(service, apiKey, (target) => seedRuns(target, repeated(120, {})));
    const page = async (query: string) => (await machine.get(`/v1/runs/?${query}`)).body;
    const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

    const whole = [...ids(await page('per_page=100')), ...ids(await page('per_page=100&page=2'))];
    expect(new Set(whole).size).toBe(120);
    const second = await page('page=2');
    expect(second).toMatchObject({ total: 120, page: 2, per_page: 50 });
    expect(ids(second)).toEqual(whole.slice(50, 100));
    expect(await page('page=4')).toEqual({ items: [], total: 120, page: 4, per_page: 50 });
    expect(ids(await page('page=2147483647&per_page=100'))).toEqual([]);
  });

  test.each([
    'per_page=1e400',
    'per_page=101',
    'per_page=0',
    'per_page=-1',
    'per_page=ten',
    'per_page=1.5',
    'per_page=',
    'page=0',
    'page=99999999999999999999',
    'page=1&page=2',
    'status=running',
    'status=',
    'status=RUNNING&status=FAILED',
    'end_reason=DIED',
    'end_reason=',
    'idle=false',
    'idle=yes',
    'user_id=',
    `user_id=${'x'.repeat(256)}`,
    'user_id=a%00b',
  ])('refuses a bad filter with 422: %s', async (query) => {
    const { machine } = refused;
    const reply = await machine.get(`/v1/runs/?${query}`);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ detail: expect.stringMatching(/^querystring/) });
  });
});

test('after all of this every counter equals the sum of the runs and steps', async () => {
  await expectExactCounters(service);
});
