/** A database of an earlier version is migrated with everything in it. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.js';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.js';
import { BY_TEST } from '../support/by-test.js';
import { longRecordOf, shortRecordOf } from '../support/long-record.js';
import { listAllSteps } from '../support/run-steps.js';
import { MANY_PRICES, newPrice } from '../support/store-fixture.js';

const MIGRATIONS = new URL('../../src/store/migrations/sqlite/', import.meta.url);
const WORKSPACE = '00000000-0000-7000-8000-000000000001';
const RUN = '00000000-0000-7000-8000-000000000002';
const LONG_RUN = '00000000-0000-7000-8000-000000000004';
const MANY = 41_000;
const STEP = '00000000-0000-7000-8000-000000000003';

test('runs and steps of the first version keep their payloads, totals and order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guarded-runs-migrate-'));
  const file = join(folder, 'old.db');
  const old = await SqliteDatabase.open(file);
  old.script(await readFile(new URL('0001-initial.sql', MIGRATIONS), 'utf8'));
  old.script('PRAGMA user_version = 1');
  old.run(`INSERT INTO workspaces VALUES (?, 'Acme', 'acme', 'basic', 0, NULL, NULL, 3, 1)`, [WORKSPACE]);
  old.run('INSERT INTO workspace_counters VALUES (?, 1, 0, 0, 0)', [WORKSPACE]);
  old.run(`INSERT INTO users VALUES (?, 'ada', 0, 5, 1, 0, 0, 0)`, [WORKSPACE]);
  old.run(`INSERT INTO workspace_days VALUES (?, '1970-01-01', 7, 3, 4, 0, 1)`, [WORKSPACE]);
  old.run(`INSERT INTO user_days VALUES (?, '1970-01-01', 'ada', 7, 3, 4, 0, 1)`, [WORKSPACE]);
  old.run(`INSERT INTO model_days VALUES (?, '1970-01-01', 'gpt', 7, 3, 4, 0, 1)`, [WORKSPACE]);
  old.run(`INSERT INTO runs VALUES (?, ?, 1, 'ada', 'RUNNING', '{"a":1}', 5, NULL, 1, 7, 7, NULL, '[]')`, [
    WORKSPACE,
    RUN,
  ]);
  old.run(
    `INSERT INTO steps VALUES (?, ?, ?, 1, 1, 'MODEL_CALL', 'COMPLETED', 'gpt', NULL, '{"b":2}', 3, 4, 7, 9, NULL, '[]', 6, 8)`,
    [WORKSPACE, RUN, STEP],
  );
  old.run(`INSERT INTO model_prices VALUES (?, 'gpt', 'a price', '0.000002', '0.00001', 0)`, [WORKSPACE]);
  // More than one part of the copy, each second step denied.
  old.run(`INSERT INTO runs VALUES (?, ?, 2, 'ada', 'COMPLETED', NULL, 5, 6, ${MANY}, 0, 0, NULL, '[]')`, [
    WORKSPACE,
    LONG_RUN,
  ]);
  old.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY})
     INSERT INTO steps SELECT ?, ?, 'step ' || n, n, 1, 'TOOL_CALL', 'ALLOWED', NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       CASE n % 2 WHEN 0 THEN 'USER_BLOCKED' END, '[]', 6, NULL FROM numbers`,
    [WORKSPACE, LONG_RUN],
  );
  old.run('UPDATE workspace_counters SET completed_runs = 1');
  old.run('UPDATE users SET completed_runs = 1');
  old.run('UPDATE workspace_days SET run_count = 2');
  old.run('UPDATE user_days SET run_count = 2');
  old.run(`INSERT INTO denial_days VALUES (?, '1970-01-01', 'USER_BLOCKED', ${MANY / 2})`, [WORKSPACE]);
  old.run('INSERT INTO remembered_answers VALUES (?, ?, ?, ?, ?)', Object.values(longRecordOf(WORKSPACE)));
  old.close();

  const store = await openStore({ databaseUrl: `sqlite:${file}`, clock: () => 10 });
  const key = { workspaceId: WORKSPACE, runId: RUN };
  expect(await store.runs.find(key)).toMatchObject({ metadata: '{"a":1}', totalTokens: 7n, usageVersion: 0 });
  expect(await listAllSteps(store, key)).toMatchObject([
    {
      id: STEP,
      inputData: '{"b":2}',
      promptTokens: 3,
      completionTokens: 4,
      costPicoUsd: 7n,
      durationMs: 9,
      // Its cost is of a price that may have changed since: it cannot be explained.
      priceVersion: null,
      prices: null,
      cacheReadTokens: null,
      error: null,
      outputData: null,
    },
  ]);
  expect(await store.copy.readRows('model_price_versions', { after: null, limit: 10 })).toMatchObject([
    { model: 'gpt', version: 1n, input_usd: '0.000002', output_usd: '0.00001', cache_read_usd: null },
  ]);
  const price = newPrice({ id: 'ignored', model: 'gpt', inputAttoUsd: 2n * 10n ** 12n });
  const same = { ...price, outputAttoUsd: 10n ** 13n };
  expect(
    await store.prices.put({ workspaceId: WORKSPACE, price: same, ...MANY_PRICES }, BY_TEST),
  ).toMatchObject({ id: 'a price', version: 1 });
  expect(await store.prices.put({ workspaceId: WORKSPACE, price, ...MANY_PRICES }, BY_TEST)).toMatchObject({
    id: 'a price',
    version: 2,
  });
  expect(await store.runs.find({ ...key, runId: LONG_RUN })).toMatchObject({
    stepCount: MANY,
    deniedStepCount: MANY / 2,
    leaseExpiresAt: null,
  });
  // A run that was active gets the default lease, from now on.
  const { leaseSeconds, leaseExpiresAt } = (await store.runs.find(key)) ?? {};
  expect(leaseSeconds).toBe(86_400);
  expect(leaseExpiresAt).toBeGreaterThan(Date.now());
  expect(await store.copy.readRows('remembered_answers', { after: null, limit: 2 })).toEqual([
    shortRecordOf(WORKSPACE),
  ]);
  expect(await store.copy.readRows('user_model_days', { after: null, limit: 10 })).toMatchObject([
    { user_id: 'ada', model: 'gpt', day: '1970-01-01', cost_pico_usd: 7n, step_count: 1n },
  ]);
  expect(await store.copy.readRows('user_denial_days', { after: null, limit: 10 })).toMatchObject([
    { user_id: 'ada', reason: 'USER_BLOCKED', denial_count: BigInt(MANY / 2) },
  ]);
  // 9 ms.
  expect(await store.copy.readRows('model_call_days', { after: null, limit: 10 })).toMatchObject([
    { model: 'gpt', status: 'COMPLETED', bucket: 8n, call_count: 1n },
  ]);
  expect((await store.maintenance.verify()).differences).toEqual([]);
  await store.close();
  await rm(folder, { recursive: true });
});
