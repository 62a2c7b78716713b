/** The copy command as operators run it, from SQLite to PostgreSQL and back. */

import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.js';
import type { CopyRow, Store } from '../../src/store/store.js';
import { TABLES } from '../../src/store/tables.js';
import { BY_TEST } from '../support/by-test.js';
import { newStartRun, type RunSeed, seedRuns } from '../support/seed.js';
import { type CommandResult, runCommand } from '../support/service-process.js';
import { MANY_PRICES, newPrice, openStoreFixture, type StoreFixture } from '../support/store-fixture.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const RUNS = 1_200;
const RUNS_WITH_STEPS = 20;

test('a copy to PostgreSQL and back to SQLite is equal to the original', async () => {
  const source = await openStoreFixture('sqlite');
  await fill(source);
  const onPostgres = await createTestDatabase('postgres');
  const backOnSqlite = await createTestDatabase('sqlite');
  try {
    const there = copy(source.url, onPostgres.url);
    expect(there.stdout).toMatch(/^Copied .* the same rows in every table, all counters verified\n$/);
    expect(there.code).toBe(0);
    expect(there.stderr).toContain('steps (');

    const again = copy(source.url, onPostgres.url);
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/is not empty: there are rows in workspaces/);

    expect(copy(onPostgres.url, backOnSqlite.url).code).toBe(0);
    const expected = await allRows(source.store);
    expect(await rowsAt(onPostgres)).toEqual(expected);
    expect(await rowsAt(backOnSqlite)).toEqual(expected);
  } finally {
    await source.close();
    await onPostgres.drop();
    await backOnSqlite.drop();
  }
});

test('a missing source is refused, and none is created', async () => {
  const refused = copy('sqlite:/nowhere/at-all.db', 'sqlite::memory:');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toBe('There is no database at /nowhere/at-all.db\n');
});

/** More runs than one chunk, and at least one row in every table. */
async function fill(fixture: StoreFixture): Promise<void> {
  const tenant = await fixture.newTenant({ plan: 'enterprise' });
  const { workspace, caller } = tenant;
  await fixture.store.workspaces.change(
    workspace.id,
    {
      kind: 'settings',
      settings: { maxConcurrentRuns: RUNS },
    },
    BY_TEST,
  );
  const price = newPrice({ id: fixture.newId(), model: 'gpt', inputAttoUsd: 10n ** 12n });
  await fixture.store.prices.put({ workspaceId: workspace.id, price, ...MANY_PRICES }, BY_TEST);
  await fixture.store.users.setBlocked(
    { workspaceId: workspace.id, userId: 'mallory', blocked: true },
    BY_TEST,
  );
  const invitation = {
    id: fixture.newId(),
    workspaceId: workspace.id,
    email: 'Guest@example.com',
    role: 'viewer',
    tokenHash: 'hash',
    createdAt: 1,
    expiresAt: 2,
    invitedBy: null,
  } as const;
  await fixture.store.members.invite({ invitation, maxMembers: 2 }, BY_TEST);
  await fixture.store.loginFailures.record({ subjects: ['email:x'], failedAt: 1, forgetBefore: 0 });
  await fixture.store.maintenance.keepSecret('jwt', 'secret');
  const steps = [{ report: { durationMs: 1, promptTokens: 5, completionTokens: 6 } }];
  const seeds = Array.from({ length: RUNS }, (_, index): RunSeed => {
    const run = { userId: `user-${index % 10}`, metadata: '{"a": "\\\\ \\"🦑\\" {},NULL"}' };
    return index < RUNS_WITH_STEPS ? { ...run, steps } : run;
  });
  await seedRuns({ store: fixture.store, caller }, seeds);
  // One more than the concurrency limit.
  const idempotency = { keyHash: 'key', requestHash: 'request' };
  await fixture.engine.startRun({ ...caller, idempotency }, newStartRun({ id: fixture.newId() }));
}

function copy(from: string, to: string): CommandResult {
  return runCommand(['copy', '--from', from, '--to', to]);
}

async function rowsAt({ url }: TestDatabase): Promise<Record<string, CopyRow[]>> {
  const store = await openStore({ databaseUrl: url, poolMax: 2, timeoutMs: 10_000 });
  try {
    return await allRows(store);
  } finally {
    await store.close();
  }
}

async function allRows(store: Store): Promise<Record<string, CopyRow[]>> {
  const rows: Record<string, CopyRow[]> = {};
  for (const { name } of TABLES) {
    rows[name] = await store.copy.readRows(name, { after: null, limit: 1_000_000 });
    expect(rows[name], name).not.toEqual([]);
  }
  return rows;
}
