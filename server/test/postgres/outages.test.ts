/** While the database is unavailable every request is refused in time, and the service recovers when it is back. */

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiReply } from '../support/api-client.js';
import { campaignSize } from '../support/campaign.js';
import { PostgresServer } from '../support/postgres-server.js';
import { type GroupTenant, type ServiceGroup, startServiceGroup } from '../support/service-group.js';
import { expectRecovery } from '../support/service-recovery.js';
import { expectStatus } from '../support/test-service.js';

/** The default. */
const DATABASE_TIMEOUT_MS = 2_000;
/** More than the connections of an instance in these tests. */
const HELD_WORKSPACES = 25;
/** The timeout limits our waiting; a busy machine needs longer to schedule it, and one that stands still much longer. */
const SCHEDULING_MS = campaignSize({ short: 5_000, full: 250 });
const ANSWER_WITHIN_MS = DATABASE_TIMEOUT_MS + SCHEDULING_MS;

let server: PostgresServer;
let group: ServiceGroup;
let tenant: GroupTenant;
beforeAll(async () => {
  server = await PostgresServer.start();
  group = await startServiceGroup(2, {
    serverUrl: server.url,
    environment: { DATABASE_TIMEOUT_MS: String(DATABASE_TIMEOUT_MS) },
  });
  tenant = await group.register('enterprise');
  expectStatus(await tenant.client(0).patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 }), 200);
});
afterAll(async () => {
  await group.stop().catch(() => {});
  await server.stop();
});

test('a stopped database: 503 with Retry-After at once, and recovery when it is back', async () => {
  expectStatus(await start(0), 201);
  await server.kill();
  try {
    await expectRefusals();
  } finally {
    await server.resume();
  }
  await expectService();
});

test('a hanging database: 503 with Retry-After in time, also for requests in flight', async () => {
  expectStatus(await start(0), 201);
  const caught: Promise<void>[] = [];
  for (let index = 0; index < 20; index += 1) caught.push(expectOutcome(start(index)));
  server.freeze();
  try {
    await Promise.all(caught);
    await expectRefusals();
  } finally {
    server.thaw();
  }
  await expectService();
});

test('a workspace locked by another session blocks no other workspace, although all share batches', async () => {
  const other = await group.register();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holder = lockWorkspace(tenant.workspaceId, released);
  await holder.locked;
  const blocked = [timed(start(0))];
  expectStatus(await other.client(0).post('/v1/runs/', { user_id: 'ada' }), 201);
  for (let index = 0; index < 5; index += 1) blocked.push(timed(start(0)));
  for (const { reply, elapsedMs } of await Promise.all(blocked)) {
    expect(reply.status).toBe(503);
    expect(elapsedMs).toBeLessThan(ANSWER_WITHIN_MS);
  }
  expectStatus(await other.client(0).post('/v1/runs/', { user_id: 'ada' }), 201);
  release();
  await holder.done;
  expectStatus(await start(0), 201);
});

test('more locked workspaces than the instance has connections block no other workspace', async () => {
  const held: GroupTenant[] = [];
  for (let index = 0; index < HELD_WORKSPACES; index += 1) held.push(await group.register());
  const free = await group.register('enterprise');
  expectStatus(await free.client(0).patch('/v1/workspace/', { max_concurrent_runs: 1_000 }), 200);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holders = held.map(({ workspaceId }) => lockWorkspace(workspaceId, released));
  await Promise.all(holders.map(({ locked }) => locked));
  const blocked = held.map(({ client }) => timed(client(0).post('/v1/runs/', { user_id: 'ada' })));
  for (let index = 0; index < 20; index += 1) {
    expectStatus(await free.client(0).post('/v1/runs/', { user_id: 'ada' }), 201);
  }
  for (const { reply, elapsedMs } of await Promise.all(blocked)) {
    expect(reply.status).toBe(503);
    expect(elapsedMs).toBeLessThan(DATABASE_TIMEOUT_MS + ANSWER_WITHIN_MS);
  }
  release();
  await Promise.all(holders.map(({ done }) => done));
  for (const { client } of held) expectStatus(await client(0).post('/v1/runs/', { user_id: 'ada' }), 201);
});

function start(index: number): Promise<ApiReply> {
  return tenant.client(index).post('/v1/runs/', { user_id: 'ada' });
}

async function expectRefusals(): Promise<void> {
  const requests = [
    ...Array.from({ length: 10 }, (_, index) => start(index)),
    tenant.client(0).get('/v1/runs/'),
    tenant.client(1).get('/v1/usage/summary'),
    tenant.client(0).post('/v1/workspace/kill-switch', { active: true }),
    tenant.client(1).get('/health'),
    tenant.client(0).post('/v1/auth/login', { email: 'tenant-1@example.com', password: 'correct horse' }),
  ];
  const outcomes = await Promise.all(requests.map(timed));
  for (const { reply, elapsedMs } of outcomes) {
    expect(reply.status).toBe(503);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(elapsedMs).toBeLessThan(ANSWER_WITHIN_MS);
  }
}

/** Allowed or refused, but in time. */
async function expectOutcome(request: Promise<ApiReply>): Promise<void> {
  const { reply, elapsedMs } = await timed(request);
  expect([201, 503]).toContain(reply.status);
  expect(elapsedMs).toBeLessThan(ANSWER_WITHIN_MS);
}

async function expectService(): Promise<void> {
  await expectRecovery({ urls: group.urls, apiKey: tenant.apiKey });
  expect((await group.apps[0]?.store.maintenance.verify())?.differences).toEqual([]);
}

async function timed(request: Promise<ApiReply>): Promise<{ reply: ApiReply; elapsedMs: number }> {
  const begun = performance.now();
  const reply = await request;
  return { reply, elapsedMs: performance.now() - begun };
}

/** A slow batch of another instance. */
function lockWorkspace(workspaceId: string, released: Promise<void>) {
  const client = new pg.Client({ connectionString: group.databaseUrl });
  const locked = client
    .connect()
    .then(() => client.query('BEGIN'))
    .then(() =>
      client.query('SELECT 1 FROM workspace_counters WHERE workspace_id = $1 FOR NO KEY UPDATE', [
        workspaceId,
      ]),
    );
  return {
    locked,
    done: locked.then(() => released).then(() => client.end()),
  };
}
