/** The engine and the store with their threads, over a real SQLite file. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MachineCaller } from '../../src/engine/command.js';
import { Engine } from '../../src/engine/engine.js';
import { ThreadCommitter } from '../../src/engine/thread-committer.js';
import { openServedStore } from '../../src/store/open-store.js';
import type { Store } from '../../src/store/store.js';
import { BY_TEST } from '../support/by-test.js';
import { newStartRun } from '../support/seed.js';
import { newTenant } from '../support/store-fixture.js';
import { TestClock } from '../support/test-clock.js';

const WORKER = new URL('../../dist/sqlite-worker.js', import.meta.url);
const NOON = '2026-03-14T12:00:00.000Z';

let folder: string;
let store: Store;
let engine: Engine;
let caller: MachineCaller;
let nextId = 0;
const clock = new TestClock();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-thread-'));
  clock.set(NOON);
  const databaseUrl = `sqlite:${join(folder, 'thread.db')}`;
  const served = await openServedStore({ databaseUrl, clock: clock.now, module: WORKER });
  if (served.writer === null) throw new Error('The embedded store has a thread that writes');
  store = served.store;
  engine = new Engine({ committer: new ThreadCommitter(served.writer), observer: { decided: () => {} } });
  const tenant = newTenant({ newId, now: clock.now(), email: 'a@example.com', name: 'Test', plan: 'basic' });
  await store.accounts.register(
    { account: tenant.account, workspace: tenant.workspace, apiKey: tenant.apiKey },
    BY_TEST,
  );
  caller = tenant.caller;
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

test('an answered command is visible to every other connection', async () => {
  const { id, status } = await startRun();
  expect(status).toBe('RUNNING');
  expect(await store.runs.find({ workspaceId: caller.workspaceId, runId: id })).toMatchObject({
    status: 'RUNNING',
    startedAt: clock.now(),
  });
});

test('of simultaneous starts exactly as many are allowed as there are slots', async () => {
  const runs = await Promise.all(Array.from({ length: 50 }, () => startRun()));
  expect(runs.filter(({ status }) => status === 'RUNNING')).toHaveLength(3);
  expect((await store.maintenance.verify()).differences).toEqual([]);
});

test('a decision that begins after a change was acknowledged takes it into account', async () => {
  await store.workspaces.change(caller.workspaceId, { kind: 'plan', plan: 'scale' }, BY_TEST);
  for (const killSwitch of [true, false, true]) {
    await store.workspaces.change(
      caller.workspaceId,
      { kind: 'settings', settings: { killSwitch } },
      BY_TEST,
    );
    const { decision } = await startRun();
    expect(decision.reason).toBe(killSwitch ? 'KILL_SWITCH_ACTIVE' : null);
  }
});

test('the clock of the process decides the day', async () => {
  clock.set('2028-02-29T23:59:59.999Z');
  await startRun();
  const range = { workspaceId: caller.workspaceId, from: '2028-02-28', to: '2028-03-01' };
  expect(await store.usage.listDays(range)).toMatchObject([{ day: '2028-02-29', runCount: 1 }]);
});

test('refusals keep their kind, and do not affect the batch', async () => {
  const [started, ended] = await Promise.allSettled([
    startRun(),
    engine.endRun(caller, { runId: newId(), status: 'COMPLETED' }),
  ]);
  expect(started.status).toBe('fulfilled');
  expect(ended).toMatchObject({
    status: 'rejected',
    reason: { kind: 'not-found', message: 'Run not found' },
  });
});

test('a bug fails only its command, with the error that was thrown', async () => {
  const { id } = await startRun();
  const [repeated, other] = await Promise.allSettled([startRun(id), startRun()]);
  expect(repeated).toMatchObject({
    status: 'rejected',
    reason: { message: expect.stringMatching(/UNIQUE/) },
  });
  expect(other.status).toBe('fulfilled');
});

test('a thread that cannot open its store reports why', async () => {
  const started = openServedStore({ databaseUrl: `sqlite:${folder}`, clock: clock.now, module: WORKER });
  await expect(started).rejects.toMatchObject({ message: expect.stringMatching(/open/) });
});

test('a batch waits for the unfinished change of another connection', async () => {
  const changes = Array.from({ length: 20 }, (_, index) =>
    store.workspaces.change(
      caller.workspaceId,
      { kind: 'settings', settings: { name: `Name ${index}` } },
      BY_TEST,
    ),
  );
  const runs = await Promise.all(Array.from({ length: 20 }, () => startRun()));
  await Promise.all(changes);
  expect(runs).toHaveLength(20);
  expect((await store.workspaces.find(caller.workspaceId))?.name).toBe('Name 19');
});

function startRun(id = newId()) {
  return engine.startRun(caller, newStartRun({ id }));
}

function newId(): string {
  nextId += 1;
  return `00000000-0000-7000-8000-${String(nextId).padStart(12, '0')}`;
}
