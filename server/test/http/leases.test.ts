/** A run ends when its lease does, at that moment and once; a heartbeat keeps it alive; an operator can stop it. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStep, endRun, startRun, updateStep } from '../support/agent.js';
import type { ApiClient } from '../support/api-client.js';
import { expectExactCounters } from '../support/exact-counters.js';
import { repeated, seedRuns, seedService } from '../support/seed.js';
import { expectStatus, startTestService, type TestService } from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const DAY_SECONDS = 86_400;
/** The Basic plan. */
const SLOTS = 3;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(() => service.clock.set(NOON));
afterAll(async () => {
  await expectExactCounters(service);
  await service.stop();
});

const after = (milliseconds: number) => new Date(Date.parse(NOON) + milliseconds).toISOString();

async function startLeased(machine: ApiClient, leaseSeconds: number | null = 60) {
  const body = { user_id: 'ada', lease_seconds: leaseSeconds };
  return expectStatus(await machine.post('/v1/runs/', body), 201).body;
}

async function getRun(client: ApiClient, runId: string) {
  return expectStatus(await client.get(`/v1/runs/${runId}`), 200).body;
}

const reasonToStart = async (machine: ApiClient) => (await startRun(machine)).decision.reason;

describe('the lease of a run', () => {
  test('is a day by default, and is not in the response unless it was asked for', async () => {
    const { machine } = await service.register();
    const started = await startRun(machine);
    expect(Object.keys(started)).toEqual(['id', 'status', 'decision']);
    expect(await getRun(machine, started.id)).toMatchObject({
      end_reason: null,
      lease_expires_at: after(DAY_SECONDS * 1000),
    });
  });

  test('is what the request asks for, else what the workspace has set', async () => {
    const { machine } = await service.register();
    expectStatus(await machine.patch('/v1/workspace/', { run_lease_seconds: 600 }), 200);
    expect(await startLeased(machine, 60)).toMatchObject({ lease_expires_at: after(60_000) });
    const started = await startLeased(machine, null);
    expect(started).not.toHaveProperty('lease_expires_at');
    expect(await getRun(machine, started.id)).toMatchObject({ lease_expires_at: after(600_000) });
  });

  test('is never over when the workspace has set none', async () => {
    const { machine } = await service.register();
    expectStatus(await machine.patch('/v1/workspace/', { run_lease_seconds: null }), 200);
    const { id } = await startRun(machine);
    service.clock.set('2036-01-01T00:00:00.000Z');
    expect(await getRun(machine, id)).toMatchObject({ status: 'RUNNING', lease_expires_at: null });
  });

  test.each([
    ['a step', (machine: ApiClient, runId: string) => createStep(machine, runId)],
    [
      'a report without tokens',
      async (machine: ApiClient, runId: string) => {
        const { id: stepId } = await createStep(machine, runId);
        service.clock.advance(1_000);
        await updateStep(machine, { runId, stepId }, {});
      },
    ],
    ['a heartbeat', (machine: ApiClient, runId: string) => machine.post(`/v1/runs/${runId}/heartbeat`)],
  ])('is renewed by %s', async (_, write) => {
    const { machine } = await service.register();
    const { id } = await startLeased(machine, 60);
    service.clock.advance(59_999);
    await write(machine, id);
    const { lease_expires_at } = await getRun(machine, id);
    expect(lease_expires_at).toBe(new Date(service.clock.now() + 60_000).toISOString());
  });

  test('ends the run at its moment, not before', async () => {
    const { machine } = await service.register();
    const { id } = await startLeased(machine, 60);
    service.clock.set(after(59_999));
    expect(await getRun(machine, id)).toMatchObject({ status: 'RUNNING', ended_at: null });
    service.clock.set(after(60_000));
    expect(await getRun(machine, id)).toMatchObject({
      status: 'FAILED',
      end_reason: 'LEASE_EXPIRED',
      ended_at: after(60_000),
      duration_ms: 60_000,
    });
  });

  test('ends the run at that moment, however late it is noticed', async () => {
    const { machine } = await service.register();
    const { id } = await startLeased(machine, 60);
    service.clock.set('2026-05-01T00:00:00.000Z');
    const { body: list } = await machine.get('/v1/runs/?status=FAILED');
    expect(list).toMatchObject({ total: 1, items: [{ id, ended_at: after(60_000) }] });
    expect((await machine.get('/v1/runs/?status=RUNNING')).body.total).toBe(0);
  });

  test('frees the slot of an agent that died, at that moment', async () => {
    const { machine } = await service.register();
    for (let slot = 0; slot < SLOTS; slot += 1) await startLeased(machine, 60);
    service.clock.set(after(59_999));
    expect(await reasonToStart(machine)).toBe('MAX_CONCURRENT_RUNS_EXCEEDED');
    service.clock.set(after(60_000));
    expect(await reasonToStart(machine)).toBeNull();
  });

  test('keeps the slot of an agent that sends heartbeats', async () => {
    const { machine } = await service.register();
    const runs = [];
    for (let slot = 0; slot < SLOTS; slot += 1) runs.push((await startLeased(machine, 60)).id);
    for (let minute = 0; minute < 5; minute += 1) {
      service.clock.advance(50_000);
      for (const id of runs) await machine.post(`/v1/runs/${id}/heartbeat`);
      expect(await reasonToStart(machine)).toBe('MAX_CONCURRENT_RUNS_EXCEEDED');
    }
  });
});

describe('after its lease has ended, a run', () => {
  test('gets no more steps, and its reports are still counted', async () => {
    const { machine } = await service.register();
    const { id: runId } = await startLeased(machine, 60);
    const { id: stepId } = await createStep(machine, runId);
    service.clock.advance(60_000);
    expect((await createStep(machine, runId)).decision.reason).toBe('RUN_ALREADY_ENDED');
    await updateStep(machine, { runId, stepId }, { prompt_tokens: 5, completion_tokens: 6 });
    expect(await getRun(machine, runId)).toMatchObject({ status: 'FAILED', total_tokens: 11 });
  });

  test('may be ended by its agent once, and takes no slot again', async () => {
    const { machine } = await service.register();
    const { id } = await startLeased(machine, 60);
    service.clock.advance(90_000);
    await endRun(machine, id, 'COMPLETED');
    await endRun(machine, id, 'COMPLETED');
    expect((await machine.post(`/v1/runs/${id}/end`, { status: 'FAILED' })).status).toBe(400);
    expect(await getRun(machine, id)).toMatchObject({
      status: 'COMPLETED',
      end_reason: null,
      ended_at: after(90_000),
    });
    for (let slot = 0; slot < SLOTS; slot += 1) expect(await reasonToStart(machine)).toBeNull();
  });

  test('may be ended as FAILED only once, too', async () => {
    const { machine } = await service.register();
    const { id } = await startLeased(machine, 60);
    service.clock.advance(60_000);
    await endRun(machine, id, 'FAILED');
    expect((await machine.post(`/v1/runs/${id}/end`, { status: 'COMPLETED' })).status).toBe(400);
  });

  test('is not revived by a heartbeat', async () => {
    const { machine } = await service.register();
    const { id } = await startLeased(machine, 60);
    service.clock.advance(60_000);
    const { status, body } = await machine.post(`/v1/runs/${id}/heartbeat`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      status: 'FAILED',
      lease_expires_at: after(60_000),
      decision: { outcome: 'DENY', reason: 'RUN_ALREADY_ENDED' },
    });
  });
});

describe('a heartbeat', () => {
  test('tells what a new step would get, and counts no denial', async () => {
    const { machine, person } = await service.register({ plan: 'scale' });
    const { id } = await startLeased(machine, 60);
    const beat = async () => (await machine.post(`/v1/runs/${id}/heartbeat`)).body.decision;
    expect(await beat()).toEqual({ outcome: 'ALLOW', reason: null });
    expectStatus(await person.post('/v1/workspace/kill-switch', { active: true }), 200);
    expect(await beat()).toEqual({ outcome: 'DENY', reason: 'KILL_SWITCH_ACTIVE' });
    const { body } = await person.get('/v1/usage/daily?days=1');
    expect(body[0].denials).toEqual([]);
    expect((await getRun(machine, id)).steps).toEqual([]);
  });
});

test('a heartbeat with a repeated Idempotency-Key renews the lease all the same', async () => {
  const { machine } = await service.register();
  const { id } = await startLeased(machine, 60);
  const beat = () =>
    machine.send('POST', `/v1/runs/${id}/heartbeat`, undefined, { 'idempotency-key': 'beat' });
  await beat();
  service.clock.advance(50_000);
  expect((await beat()).body.lease_expires_at).toBe(after(110_000));
});

describe('stopping a run', () => {
  test.each(['machine', 'person'] as const)('works for a %s, and again has the same answer', async (who) => {
    const tenant = await service.register();
    const { id } = await startLeased(tenant.machine, 60);
    service.clock.advance(5_000);
    const first = expectStatus(await tenant[who].post(`/v1/runs/${id}/stop`), 200).body;
    expect(first).toEqual({ id, status: 'FAILED', ended_at: after(5_000), end_reason: 'STOPPED' });
    service.clock.advance(5_000);
    expect((await tenant[who].post(`/v1/runs/${id}/stop`)).body).toEqual(first);
    expect(await getRun(tenant.machine, id)).toMatchObject({ end_reason: 'STOPPED', lease_expires_at: null });
  });

  test('reaches the agent with its next request, and its end does not undo it', async () => {
    const { machine, person } = await service.register();
    const { id } = await startLeased(machine, 60);
    await person.post(`/v1/runs/${id}/stop`);
    const { body } = await machine.post(`/v1/runs/${id}/heartbeat`);
    expect(body.decision).toEqual({ outcome: 'DENY', reason: 'RUN_ALREADY_ENDED' });
    expect((await createStep(machine, id)).decision.reason).toBe('RUN_ALREADY_ENDED');
    expect((await machine.post(`/v1/runs/${id}/end`, { status: 'COMPLETED' })).status).toBe(400);
    await endRun(machine, id, 'FAILED');
    expect(await getRun(machine, id)).toMatchObject({ status: 'FAILED', end_reason: 'STOPPED' });
  });

  test('is refused for a run that ended otherwise', async () => {
    const { machine, person } = await service.register();
    const ended = await startLeased(machine, 60);
    await endRun(machine, ended.id, 'FAILED');
    const expired = await startLeased(machine, 10);
    service.clock.advance(10_000);
    for (const { id } of [ended, expired]) {
      const { status, body } = await person.post(`/v1/runs/${id}/stop`);
      expect([status, body.detail]).toEqual([400, 'The run has already ended with status FAILED']);
    }
  });
});

describe('many leases that end at once', () => {
  const MANY = 350;

  test('leave a start in between with the right answer, and are ended in bounded batches', async () => {
    const { machine, person, apiKey, workspaceId } = await service.register({ plan: 'scale' });
    const limit = (max_concurrent_runs: number) => person.patch('/v1/workspace/', { max_concurrent_runs });
    expectStatus(await limit(MANY + 1), 200);
    await seedService(service, apiKey, (target) => seedRuns(target, repeated(MANY, { leaseSeconds: 60 })));
    const live = await startLeased(machine, 600);
    expectStatus(await limit(2), 200);
    service.clock.advance(59_999);
    expect(await reasonToStart(machine)).toBe('MAX_CONCURRENT_RUNS_EXCEEDED');
    service.clock.advance(1);
    // One batch ends 100 of them: the others are counted.
    const started = await startRun(machine);
    expect(started.decision.reason).toBeNull();
    const { body: decisions } = await machine.get(`/v1/runs/${started.id}/decisions`);
    expect(decisions[0].rules.at(-1)).toMatchObject({ rule: 'max_concurrent_runs', limit: 2, value: 1 });
    expect(await reasonToStart(machine)).toBe('MAX_CONCURRENT_RUNS_EXCEEDED');
    for (let pass = 0; pass < 5; pass += 1) await person.get('/v1/runs/?per_page=1');
    expect((await person.get('/v1/runs/?status=RUNNING')).body).toMatchObject({ total: 2 });
    expect(await getRun(machine, live.id)).toMatchObject({ status: 'RUNNING' });
    expect(await service.app.store.runs.hasDueRuns(workspaceId)).toBe(false);
  });
});
