import pg from 'pg';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.js';
import { noNeeds } from '../support/batch-fixture.js';
import { openStoreFixture } from '../support/store-fixture.js';

test.each([
  ['first', 0],
  ['last', 1],
])('a batch that waited for its %s workspace is dated by the time at which it had all', async (_, held) => {
  const fixture = await openStoreFixture('postgres');
  const tenants = [await fixture.newTenant(), await fixture.newTenant()];
  const ids = tenants.map(({ workspace }) => workspace.id).sort();
  const store = await openStore({ databaseUrl: fixture.url, poolMax: 2, timeoutMs: 10_000 });
  const holder = new pg.Client({ connectionString: fixture.url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM workspace_counters WHERE workspace_id = $1 FOR UPDATE', [ids[held]]);
    const decidedAt: number[] = [];
    const committed = store.batches.commit(ids.map(noNeeds), (facts) => {
      decidedAt.push(...facts.map(({ now }) => now));
      return [];
    });
    await untilBatchWaits(holder);
    const { rows } = await holder.query<{ now: string }>(
      'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
    );
    await holder.query('COMMIT');
    await committed;
    expect(decidedAt).toHaveLength(2);
    expect(Math.min(...decidedAt)).toBeGreaterThanOrEqual(Number(rows[0]?.now));
  } finally {
    await holder.end();
    await store.close();
    await fixture.close();
  }
});

test('a batch that waited for its lock across midnight is decided with the facts of the new day', async () => {
  const fixture = await openStoreFixture('postgres');
  const holder = new pg.Client({ connectionString: fixture.url });
  await holder.connect();
  try {
    fixture.clock.set('2026-03-31T23:59:59.000Z');
    const tenant = await fixture.newTenant();
    const { workspace } = tenant;
    await fixture.startRun(tenant);
    const months: number[] = [];
    const readMonth = () =>
      fixture.store.batches.commit([noNeeds(workspace.id)], ([facts]) => {
        months.push(facts?.monthlyRunCount ?? Number.NaN);
        return [];
      });
    await readMonth();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM workspace_counters WHERE workspace_id = $1 FOR UPDATE', [workspace.id]);
    const committed = readMonth();
    await untilBatchWaits(holder);
    fixture.clock.set('2026-04-01T00:00:01.000Z');
    await holder.query('COMMIT');
    await committed;
    expect(months).toEqual([1, 0]);
  } finally {
    await holder.end();
    await fixture.close();
  }
});

test('without an injected clock the clock is that of the database', async () => {
  const fixture = await openStoreFixture('postgres');
  const store = await openStore({ databaseUrl: fixture.url, poolMax: 2, timeoutMs: 10_000 });
  const before = Date.now();
  const now = await store.now();
  expect(Math.abs(now - before)).toBeLessThan(5_000);
  await store.close();
  await fixture.close();
});

async function untilBatchWaits(client: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query('SELECT 1 FROM pg_locks WHERE NOT granted');
    if ((rowCount ?? 0) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
