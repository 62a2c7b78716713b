import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.js';
import { longRecordOf, shortRecordOf } from '../support/long-record.js';
import { listAllSteps } from '../support/run-steps.js';
import { createPostgresDatabase, serverUrl } from '../support/test-database.js';

const MIGRATIONS = new URL('../../src/store/migrations/postgres/', import.meta.url);
const WORKSPACE = '00000000-0000-7000-8000-000000000001';
const RUN = '00000000-0000-7000-8000-000000000002';

test('when instances start at the same time, one migrates and all of them work', async () => {
  const database = await createPostgresDatabase(serverUrl(), { isEmpty: true });
  const options = { databaseUrl: database.url, poolMax: 2, timeoutMs: 10_000 };
  const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(options)));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query('SELECT version, name FROM schema_migrations ORDER BY version');
  const names = readdirSync(MIGRATIONS).sort();
  expect(rows).toEqual(names.map((name, index) => ({ version: String(index + 1), name })));
  await client.end();
  await Promise.all(stores.map((store) => store.ping()));
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

test('steps and prices of an earlier version keep their amounts, and retries their answers', async () => {
  const database = await createPostgresDatabase(serverUrl(), { isEmpty: true });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('CREATE TABLE schema_migrations (version bigint PRIMARY KEY, name text NOT NULL)');
  await client.query(
    'ALTER TABLE schema_migrations ADD COLUMN applied_at timestamptz NOT NULL DEFAULT now()',
  );
  const earlier = readdirSync(MIGRATIONS).sort().slice(0, 3);
  for (const [index, name] of earlier.entries()) {
    await client.query(readFileSync(new URL(name, MIGRATIONS), 'utf8'));
    await client.query('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', [index + 1, name]);
  }
  await client.query(
    `INSERT INTO workspaces (id, name, slug, plan, kill_switch, max_concurrent_runs, created_at)
     VALUES ('${WORKSPACE}', 'Acme', 'acme', 'basic', false, 3, 1)`,
  );
  await client.query(
    `INSERT INTO workspace_counters (workspace_id, running_runs, completed_runs, failed_runs, blocked_runs)
     VALUES ('${WORKSPACE}', 0, 1, 0, 0)`,
  );
  await client.query(
    `INSERT INTO users (workspace_id, user_id, blocked, running_runs, completed_runs, failed_runs, blocked_runs)
     VALUES ('${WORKSPACE}', 'ada', false, 0, 1, 0, 0)`,
  );
  await client.query(
    `INSERT INTO model_prices (workspace_id, model, id, input_usd, output_usd, is_active)
     VALUES ('${WORKSPACE}', 'gpt', '${RUN}', '0.000002', '0.00001', true)`,
  );
  await client.query(
    `INSERT INTO runs (workspace_id, id, position, user_id, status, started_at, ended_at, step_count, total_tokens,
       total_cost_pico_usd, usage_version, decision_rules)
     VALUES ('${WORKSPACE}', '${RUN}', 1, 'ada', 'COMPLETED', 5, 6, 1, 7, 7, 0, '[]')`,
  );
  await client.query(
    `INSERT INTO steps (workspace_id, run_id, id, position, sequence, type, status, model, input_data, prompt_tokens,
       completion_tokens, cost_pico_usd, decision_rules, created_at, reported_at)
     VALUES ('${WORKSPACE}', '${RUN}', '${RUN}', 1, 1, 'MODEL_CALL', 'COMPLETED', 'gpt', '{"b":2}', 3, 4, 7, '[]', 6, 8)`,
  );
  const usage = `cost_pico_usd, prompt_tokens, completion_tokens, unpriced_tokens`;
  for (const [table, key, count] of [
    ['workspace_days', '', 'run_count'],
    ['user_days', 'user_id, ', 'run_count'],
    ['model_days', 'model, ', 'step_count'],
  ] as const) {
    const name = key === '' ? '' : key === 'model, ' ? `'gpt', ` : `'ada', `;
    await client.query(
      `INSERT INTO ${table} (workspace_id, day, ${key}${usage}, ${count})
       VALUES ('${WORKSPACE}', '1970-01-01', ${name}7, 3, 4, 0, 1)`,
    );
  }
  await client.query(
    `INSERT INTO remembered_answers (workspace_id, key_hash, request_hash, answer, created_at) VALUES ($1, $2, $3, $4, $5)`,
    Object.values(longRecordOf(WORKSPACE)),
  );
  await client.end();

  const store = await openStore({ databaseUrl: database.url, poolMax: 2, timeoutMs: 10_000 });
  const key = { workspaceId: WORKSPACE, runId: RUN };
  expect(await listAllSteps(store, key)).toMatchObject([
    { inputData: '{"b":2}', costPicoUsd: 7n, priceVersion: null, prices: null, outputData: null },
  ]);
  expect(await store.copy.readRows('model_price_versions', { after: null, limit: 10 })).toMatchObject([
    { model: 'gpt', version: 1n, input_usd: '0.000002', output_usd: '0.00001', cache_read_usd: null },
  ]);
  expect(await store.copy.readRows('remembered_answers', { after: null, limit: 2 })).toEqual([
    shortRecordOf(WORKSPACE),
  ]);
  expect(await store.copy.readRows('user_model_days', { after: null, limit: 10 })).toMatchObject([
    { user_id: 'ada', model: 'gpt', day: '1970-01-01', cost_pico_usd: 7n, step_count: 1n },
  ]);
  expect(await store.copy.readRows('user_denial_days', { after: null, limit: 10 })).toEqual([]);
  expect(await store.copy.readRows('model_call_days', { after: null, limit: 10 })).toMatchObject([
    { model: 'gpt', status: 'COMPLETED', bucket: -1n, call_count: 1n },
  ]);
  expect((await store.maintenance.verify()).differences).toEqual([]);
  await store.close();
  await database.drop();
});

test.each([
  ['a database that does not exist', '/no_such_database', /There is no database at .*\/no_such_database/],
  ['a server that is not there', ':1/postgres', /Cannot reach the database at .*:1\/postgres: ECONNREFUSED/],
])('%s is said in one line without credentials', async (_name, end, expected) => {
  const url = new URL(serverUrl());
  const authority = `${url.username}:hidden@${url.hostname}`;
  const databaseUrl = end.startsWith('/')
    ? `postgres://${authority}:${url.port}${end}`
    : `postgres://${authority}${end}`;
  const opened = openStore({ databaseUrl, poolMax: 2, timeoutMs: 2_000 });
  await expect(opened).rejects.toThrow(expected);
  await expect(opened).rejects.toThrow(/^(?!.*hidden)[^\n]*$/);
});
