/** The pool is a limit: the server cancels statements that timed out, and their backends are reused. */

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectStatus, startTestService, type TestService } from '../support/test-service.js';

const POOL_MAX = 4;

let service: TestService;
let locker: pg.Client;
let watcher: pg.Client;
beforeAll(async () => {
  service = await startTestService(
    { DATABASE_POOL_MAX: String(POOL_MAX), DATABASE_TIMEOUT_MS: '500' },
    { store: 'postgres' },
  );
  [locker, watcher] = await Promise.all([connect(), connect()]);
});
afterAll(async () => {
  await Promise.all([locker.end(), watcher.end()]);
  await service.stop();
});

test('with a table locked by another session there are never more backends than the pool has connections', async () => {
  const { machine, person } = await service.register();
  await locker.query('BEGIN');
  await locker.query('LOCK TABLE runs, workspaces, model_prices, api_keys IN ACCESS EXCLUSIVE MODE');
  let most = 0;
  for (let round = 0; round < 4; round += 1) {
    const replies = await Promise.all([
      ...Array.from({ length: 10 }, () => machine.get('/v1/runs/')),
      ...Array.from({ length: 10 }, () => person.get('/v1/workspace/')),
      ...Array.from({ length: 10 }, () => machine.post('/v1/runs/', { user_id: 'ada' })),
      countBackends().then((count) => {
        most = Math.max(most, count);
        return null;
      }),
    ]);
    for (const reply of replies) if (reply !== null) expect(reply.status).toBe(503);
    most = Math.max(most, await countBackends());
  }
  expect(most).toBeLessThanOrEqual(POOL_MAX);
  await locker.query('ROLLBACK');
  await expect.poll(async () => (await machine.get('/v1/runs/')).status, { timeout: 5_000 }).toBe(200);
  expectStatus(await machine.post('/v1/runs/', { user_id: 'ada' }), 201);
});

/** Backends of the service, by the name of its connections. */
async function countBackends(): Promise<number> {
  const { rows } = await watcher.query(
    `SELECT COUNT(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'guarded-runs'`,
  );
  return rows[0].count;
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  return client;
}
