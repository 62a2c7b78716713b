/** A stream tells those who may read a workspace that it has changed, nobody else, and nothing more. */

import fastify from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { WorkspaceChanges } from '../../src/control/workspace-changes.js';
import { unauthenticated } from '../../src/domain/app-error.js';
import { EventStreams } from '../../src/http/event-streams.js';
import type { HttpServer, Principal } from '../../src/http/server-types.js';
import { createStep, startRun } from '../support/agent.js';
import type { ApiClient } from '../support/api-client.js';
import { OpenEventStream } from '../support/event-stream.js';
import { addMember } from '../support/members.js';
import { expectStatus, startTestService, type TestService } from '../support/test-service.js';

const MAX_STREAMS_PER_WORKSPACE = 100;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function open(client: ApiClient, headers?: Record<string, string>): Promise<OpenEventStream> {
  const stream = await OpenEventStream.open(client, headers);
  onTestFinished(() => stream.close());
  return stream;
}

test('runs, steps, reports and ends of another client are told as changes of runs', async () => {
  const { person, machine } = await service.register();
  const stream = await open(person);
  expect([stream.status, stream.events]).toEqual([200, [{ name: 'ready', data: {} }]]);
  const told = async (change: () => Promise<unknown>) => {
    const event = stream.next();
    await change();
    return event;
  };
  const RUNS = { name: 'change', data: { topics: ['runs'] } };
  let runId = '';
  let stepId = '';
  expect(await told(async () => (runId = (await startRun(machine)).id))).toEqual(RUNS);
  expect(await told(async () => (stepId = (await createStep(machine, runId)).id))).toEqual(RUNS);
  expect(await told(() => machine.post(`/v1/runs/${runId}/heartbeat`))).toEqual(RUNS);
  const report = { status: 'COMPLETED', duration_ms: 1 };
  expect(await told(() => machine.patch(`/v1/runs/${runId}/steps/${stepId}`, report))).toEqual(RUNS);
  expect(await told(() => machine.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED' }))).toEqual(RUNS);
});

test.each<[string, (client: ApiClient) => Promise<unknown>]>([
  ['a setting', (client) => client.patch('/v1/workspace/', { daily_budget_usd: 5 })],
  ['a price', (client) => client.put('/v1/model-pricing/gpt', PRICE)],
  ['a block', (client) => client.post('/v1/users/ada/block')],
  ['a key', (client) => client.post('/v1/api-keys/')],
  [
    'an invitation',
    (client) => client.post('/v1/members/invitations', { email: 'x@y.example', role: 'viewer' }),
  ],
  ['a plan', (client) => client.put('/v1/billing/plan', { plan: 'pro' })],
])('%s is told as a change of settings', async (_, change) => {
  const { person } = await service.register();
  const stream = await open(person);
  await change(person);
  await stream.told('settings');
});

const PRICE = { input_cost_per_token: 0.1, output_cost_per_token: 0.2 };

test('a stop is told as a change of runs and of settings, because it has an entry in the audit log', async () => {
  const { person, machine } = await service.register();
  const { id } = await startRun(machine);
  const stream = await open(person);
  expectStatus(await person.post(`/v1/runs/${id}/stop`), 200);
  await stream.told('runs');
  await stream.told('settings');
});

test('other workspaces are told nothing', async () => {
  const ours = await service.register();
  const theirs = await service.register();
  const [our, their] = [await open(ours.person), await open(theirs.person)];
  await startRun(ours.machine);
  expectStatus(await ours.person.patch('/v1/workspace/', { name: 'Ours' }), 200);
  await our.told('settings');
  // Both are looked at together: the next look tells them what the last one should have.
  await startRun(theirs.machine);
  expect(await their.next(1)).toEqual({ name: 'change', data: { topics: ['runs'] } });
  expect(their.events.length).toBe(2);
});

test('a busy workspace is told of at most once a second', async () => {
  const { person, machine } = await service.register({ plan: 'scale' });
  const stream = await open(person);
  const begun = performance.now();
  while (stream.events.length < 4) {
    const { id } = await startRun(machine);
    await machine.post(`/v1/runs/${id}/end`, { status: 'COMPLETED' });
  }
  expect(performance.now() - begun).toBeGreaterThan(1_900);
});

test('the end of a lease, and a new day, are told without a request', async () => {
  const own = await startTestService();
  onTestFinished(() => own.stop());
  own.clock.set('2026-03-14T23:50:00.000Z');
  const { person, machine } = await own.register();
  expectStatus(await machine.post('/v1/runs/', { user_id: 'ada', lease_seconds: 10 }), 201);
  const stream = await open(person);
  own.clock.advance(11_000);
  expect(await stream.next(1)).toEqual({ name: 'change', data: { topics: ['runs'] } });
  own.clock.set('2026-03-15T00:00:03.000Z');
  expect(await stream.next(2)).toEqual({ name: 'change', data: { topics: ['runs'] } });
});

test('a stream ends when its member is removed, without being told of it', async () => {
  const { person, email } = await service.register();
  const viewer = await addMember(person, { email: `viewer-of-${email}`, role: 'viewer' });
  const [owner, member] = [await open(person), await open(viewer.person)];
  expectStatus(await person.delete(`/v1/members/${viewer.id}`), 204);
  await member.ended;
  expect(member.topics).not.toContain('settings');
  await owner.told('settings');
  expect((await OpenEventStream.open(viewer.person)).status).toBe(401);
});

test('a stream ends when its session or its key is no longer valid, and goes on after a change of the role', async () => {
  const { person, email } = await service.register();
  const member = await addMember(person, { email: `member-of-${email}`, role: 'admin' });
  const { body: key } = await person.post('/v1/api-keys/', { scope: 'read' });
  const [signedIn, reader] = [await open(member.person), await open(person.withCredential(key.key))];
  expectStatus(await person.patch(`/v1/members/${member.id}`, { role: 'viewer' }), 200);
  await signedIn.told('settings');
  expectStatus(await person.delete(`/v1/api-keys/${key.id}`), 204);
  await reader.ended;
  expectStatus(await member.person.post('/v1/auth/logout-everywhere'), 204);
  await signedIn.ended;
});

test(`the stream after ${MAX_STREAMS_PER_WORKSPACE} of a workspace is refused until one of them ends`, async () => {
  const ours = await service.register();
  const theirs = await service.register();
  const streams = await Promise.all(
    Array.from({ length: MAX_STREAMS_PER_WORKSPACE }, () => open(ours.person)),
  );
  expect(streams.map(({ status }) => status)).toEqual(Array(MAX_STREAMS_PER_WORKSPACE).fill(200));
  const refused = expectStatus(await ours.person.get('/v1/events'), 503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expectStatus(await theirs.person.get('/v1/events'), 200);
  expectStatus(await ours.person.get('/v1/runs/'), 200);
  streams[0]?.close();
  await expect.poll(async () => (await ours.person.get('/v1/events')).status).toBe(200);
});

test('streams that were left are counted no more', async () => {
  const own = await startTestService();
  onTestFinished(() => own.stop());
  const { person } = await own.register();
  const count = async () =>
    Number(/^guarded_runs_event_streams (\d+)$/m.exec((await own.anonymous.get('/metrics')).text)?.[1]);
  const stream = await OpenEventStream.open(person);
  expect(await count()).toBe(1);
  stream.close();
  await expect.poll(count).toBe(0);
  expectStatus(await person.send('HEAD', '/v1/events'), 200);
  expect(await count()).toBe(0);
});

test('when the service stops, streams end at once', async () => {
  const own = await startTestService();
  const { person } = await own.register();
  const streams = await Promise.all([OpenEventStream.open(person), OpenEventStream.open(person)]);
  const begun = performance.now();
  await Promise.all([own.stop(), ...streams.map(({ ended }) => ended)]);
  // Idle connections of other requests are closed after 2 seconds.
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test('a stream is neither compressed nor cached, and a proxy is asked not to buffer it', async () => {
  const { person } = await service.register();
  const { headers } = await open(person, { 'accept-encoding': 'gzip, br' });
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect([headers.get('content-encoding'), headers.get('etag')]).toEqual([null, null]);
});

test('a stream sends heartbeats, and its credential is checked again after some of them', async () => {
  const checked: boolean[] = [];
  const principal = { kind: 'person', workspaceId: 'w' } as Principal;
  const changes = new WorkspaceChanges({
    store: { readMarks: async () => [{ workspaceId: 'w', runs: '', settings: '' }] },
    clock: Date.now,
    onError: () => {},
  });
  const streams = new EventStreams({
    changes,
    heartbeatMs: 5,
    authenticator: {
      recheck: async () => {
        checked.push(true);
        if (checked.length === 3) throw unauthenticated('Expired');
      },
    },
  });
  const server: HttpServer = fastify();
  onTestFinished(() => server.close());
  server.decorateRequest('principal', null);
  server.get('/v1/events', (request, reply) => {
    request.principal = principal;
    streams.send(request, reply);
  });
  const url = await server.listen({ port: 0 });
  const text = await (await fetch(`${url}/v1/events`)).text();
  expect(text).toMatch(/^retry: 2000\nevent: ready\ndata: \{\}\n\n(:\n\n){17,18}$/);
  expect([checked.length, streams.count]).toEqual([3, 0]);
});
