/** Verify on a store with many rows in each counter. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { newStepReport } from '../../src/domain/decide.js';
import { openStoreFixture, type StoreFixture } from '../support/store-fixture.js';

/** Each with each would be a hundred million comparisons for every counter: far more than the test has time for. */
const RUNS = 10_000;

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStoreFixture();
  await makeRuns();
}, 120_000);
afterAll(() => fixture.close());

test('verify compares ten thousand rows of a counter in the time of a test', async () => {
  const { counted, differences } = await fixture.store.maintenance.verify();
  expect(differences).toEqual([]);
  expect(counted).toMatchObject({ runs: RUNS, users: RUNS, user_days: RUNS });
});

/** Each of a user of its own, with one step that was reported. */
async function makeRuns(): Promise<void> {
  const { store, engine, newId } = fixture;
  const { caller, workspace } = await fixture.newTenant();
  await store.workspaces.change(workspace.id, { kind: 'settings', settings: { maxConcurrentRuns: RUNS } });
  const ids = Array.from({ length: RUNS }, () => ({ runId: newId(), stepId: newId() }));
  await inChunks(ids, ({ runId }) =>
    engine.startRun(caller, { id: runId, userId: `user of ${runId}`, metadata: null }),
  );
  const step = { type: 'TOOL_CALL', sequence: 1, model: null, toolName: 'search', inputData: null } as const;
  await inChunks(ids, ({ runId, stepId }) => engine.createStep(caller, { ...step, id: stepId, runId }));
  const report = newStepReport({
    status: 'COMPLETED',
    durationMs: null,
    promptTokens: 10,
    completionTokens: 1,
  });
  await inChunks(ids, ({ runId, stepId }) => engine.updateStep(caller, { runId, stepId, report }));
}

/** As many at once as one workspace may have waiting. */
async function inChunks<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < items.length; first += 5_000)
    await Promise.all(items.slice(first, first + 5_000).map(work));
}
