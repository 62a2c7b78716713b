/** Another process that writes the same file, such as a command, delays only writes. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqliteFile } from '../../src/store/open-store.js';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.js';
import { runCommandAsync } from '../support/service-process.js';
import { expectStatus, startTestService, type TestService } from '../support/test-service.js';

let service: TestService;
let other: SqliteDatabase;
beforeAll(async () => {
  service = await startTestService({}, { store: 'sqlite' });
  other = await SqliteDatabase.open(sqliteFile(service.databaseUrl) ?? '');
});
afterAll(async () => {
  other.close();
  await service.stop();
});

test('while another process has the write lock, reads are answered and writes wait', async () => {
  const { machine, person } = await service.register();
  const { id } = expectStatus(await machine.post('/v1/runs/', { user_id: 'ada' }), 201).body;
  other.script('BEGIN IMMEDIATE');
  let isStarted = false;
  const started = machine.post('/v1/runs/', { user_id: 'ada' }).then((reply) => {
    isStarted = true;
    return reply;
  });
  const changed = person.patch('/v1/workspace/', { name: 'New name' });
  for (let round = 0; round < 5; round += 1) {
    for (const path of [
      '/health',
      '/v1/workspace/',
      '/v1/runs/',
      `/v1/runs/${id}`,
      '/v1/usage/summary',
      '/metrics',
    ])
      expectStatus(await machine.get(path), 200);
    expectStatus(await person.get('/v1/auth/me'), 200);
  }
  expect(isStarted).toBe(false);
  other.script('COMMIT');
  expectStatus(await started, 201);
  expectStatus(await changed, 200);
});

test('while the demo command fills the same file, the service answers every request', async () => {
  const { machine } = await service.register({ plan: 'enterprise' });
  let isOver = false;
  const demo = runCommandAsync(['demo'], { DATABASE_URL: service.databaseUrl }).finally(() => {
    isOver = true;
  });
  let served = 0;
  while (!isOver) {
    const { id } = expectStatus(await machine.post('/v1/runs/', { user_id: 'ada' }), 201).body;
    expectStatus(await machine.post(`/v1/runs/${id}/end`, { status: 'COMPLETED' }), 200);
    expectStatus(await machine.get('/health'), 200);
    served += 1;
  }
  expect((await demo).code).toBe(0);
  expect(served).toBeGreaterThan(20);
}, 120_000);
