/** Marks of workspaces differ after every change, and only then as far as nothing locks the workspace. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkspaceMarks } from '../../src/store/store.js';
import { BY_TEST } from '../support/by-test.js';
import { openStoreFixture, type StoreFixture, type StoreTenant } from '../support/store-fixture.js';
import { testStore } from '../support/test-database.js';

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStoreFixture();
});
afterAll(() => fixture.close());

async function marksOf({ workspace }: StoreTenant): Promise<WorkspaceMarks> {
  const [marks, ...others] = await fixture.store.changes.readMarks([workspace.id]);
  if (marks === undefined || others.length > 0) throw new Error('A workspace has one row of marks');
  return marks;
}

test('reads leave marks as they are', async () => {
  const tenant = await fixture.newTenant();
  const before = await marksOf(tenant);
  await fixture.store.workspaces.find(tenant.workspace.id);
  await fixture.store.runs.list({
    workspaceId: tenant.workspace.id,
    status: null,
    userId: null,
    offset: 0,
    limit: 1,
  });
  expect(await marksOf(tenant)).toEqual(before);
});

test('a change of settings has another mark of settings', async () => {
  const tenant = await fixture.newTenant();
  const before = await marksOf(tenant);
  const change = { kind: 'settings', settings: { name: 'New' } } as const;
  await fixture.store.workspaces.change(tenant.workspace.id, change, BY_TEST);
  expect((await marksOf(tenant)).settings).not.toBe(before.settings);
});

test('each batch has another mark of runs, where several processes may change them', async () => {
  const tenant = await fixture.newTenant();
  const { id: runId } = await fixture.startRun(tenant);
  const seen = [await marksOf(tenant)];
  for (let sequence = 1; sequence <= 3; sequence += 1) {
    await fixture.createStep(tenant, { runId, model: null, sequence });
    seen.push(await marksOf(tenant));
  }
  expect(new Set(seen.map(({ runs }) => runs)).size).toBe(testStore() === 'sqlite' ? 1 : 4);
  expect(new Set(seen.map(({ settings }) => settings)).size).toBe(1);
});

test.each([0, 1, 2, 10, 11, 100])('the marks of %i workspaces are read together', async (count) => {
  const { workspace } = await fixture.newTenant();
  const absent = Array.from({ length: Math.max(0, count - 1) }, () => fixture.newId());
  const ids = count === 0 ? [] : [workspace.id, ...absent];
  const rows = await fixture.store.changes.readMarks(ids);
  expect(rows.map(({ workspaceId }) => workspaceId)).toEqual(count === 0 ? [] : [workspace.id]);
});
