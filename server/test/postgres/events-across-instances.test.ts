/** A stream of one instance tells of changes that another one made, once they are committed. */

import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createStep, startRun } from '../support/agent.js';
import { OpenEventStream } from '../support/event-stream.js';
import { type ServiceGroup, startServiceGroup } from '../support/service-group.js';
import { expectStatus } from '../support/test-service.js';

let group: ServiceGroup;
beforeAll(async () => {
  group = await startServiceGroup(2);
});
afterAll(() => group.stop());

test('a run, a step and a setting on another instance are told', async () => {
  const tenant = await group.register();
  const stream = await OpenEventStream.open(tenant.client(0));
  onTestFinished(() => stream.close());
  const other = tenant.client(1);
  const { id } = await startRun(other);
  expect((await stream.next(1)).data).toEqual({ topics: ['runs'] });
  await createStep(other, id);
  expect((await stream.next(2)).data).toEqual({ topics: ['runs'] });
  expectStatus(await other.patch('/v1/workspace/', { name: 'New' }), 200);
  await stream.told('settings');
});

test('a change on one instance is told by both', async () => {
  const tenant = await group.register();
  const streams = await Promise.all([0, 1].map((index) => OpenEventStream.open(tenant.client(index))));
  onTestFinished(() => {
    for (const stream of streams) stream.close();
  });
  await startRun(tenant.client(0));
  for (const stream of streams) expect((await stream.next(1)).data).toEqual({ topics: ['runs'] });
  await startRun(tenant.client(1));
  for (const stream of streams) expect((await stream.next(2)).data).toEqual({ topics: ['runs'] });
});

test('a transaction that holds the lock for long is told of after it has committed', async () => {
  const tenant = await group.register();
  const { id } = await startRun(tenant.client(0));
  const stream = await OpenEventStream.open(tenant.client(0));
  onTestFinished(() => stream.close());
  const client = new pg.Client({ connectionString: group.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM workspace_counters WHERE workspace_id = $1 FOR NO KEY UPDATE', [
    tenant.workspaceId,
  ]);
  await client.query('UPDATE runs SET step_count = step_count WHERE workspace_id = $1 AND id = $2', [
    tenant.workspaceId,
    id,
  ]);
  // The lock is seen, and what it is for is not.
  await stream.next(1);
  await client.query('COMMIT');
  expect((await stream.next(2)).data).toEqual({ topics: ['runs'] });
  expect(stream.events.length).toBe(3);
});
