/** Verify on a store with many rows in each counter. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { BY_TEST } from '../support/by-test.js';
import { newDetails, seedRuns } from '../support/seed.js';
import { MANY_PRICES, newPrice, openStoreFixture, type StoreFixture } from '../support/store-fixture.js';

/** A quadratic check would need a hundred million comparisons for every counter, far more than the test has time for. */
const RUNS = 10_000;

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStoreFixture();
  await makeRuns();
}, 120_000);
afterAll(() => fixture.close());

test('verify compares ten thousand rows of a counter in linear time', async () => {
  const { counted, differences } = await fixture.store.maintenance.verify();
  expect(differences).toEqual([]);
  expect(counted).toMatchObject({ runs: RUNS, users: RUNS, user_days: RUNS, steps: RUNS });
});

/** Runs of different users, each with one reported step. */
async function makeRuns(): Promise<void> {
  const { store } = fixture;
  const { caller, workspace } = await fixture.newTenant();
  await store.workspaces.change(
    workspace.id,
    { kind: 'settings', settings: { maxConcurrentRuns: RUNS } },
    BY_TEST,
  );
  const price = newPrice({ id: fixture.newId(), model: 'gpt', inputAttoUsd: 10n ** 12n });
  await store.prices.put(
    { workspaceId: workspace.id, price: { ...price, cacheReadAttoUsd: 1n }, ...MANY_PRICES },
    BY_TEST,
  );
  const details = newDetails({ cacheReadTokens: 9 });
  const steps = [{ model: 'gpt', report: { promptTokens: 10, completionTokens: 1, details } }];
  await seedRuns(
    { store, caller },
    Array.from({ length: RUNS }, (_, index) => ({ userId: `user ${index}`, steps })),
  );
}
