/** The engine over a real SQLite file. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newApiKey } from '../../src/control/api-keys.js';
import type { Decision } from '../../src/domain/decision.js';
import { newWorkspace } from '../../src/domain/workspace.js';
import type { MachineCaller } from '../../src/engine/command.js';
import type { CommitterOptions } from '../../src/engine/committer.js';
import { Engine, type EngineObserver } from '../../src/engine/engine.js';
import { LocalCommitter } from '../../src/engine/local-committer.js';
import { openStore } from '../../src/store/open-store.js';
import type { BatchNeeds, BatchStore, Store } from '../../src/store/store.js';
import { BY_TEST } from '../support/by-test.js';
import { newCreateStep, newReport, newStartRun } from '../support/seed.js';
import { TestClock } from '../support/test-clock.js';

let folder: string;
let store: Store;
let nextId = 0;
const clock = new TestClock();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-engine-'));
  store = await openStore({ databaseUrl: `sqlite:${join(folder, 'engine.db')}`, clock: clock.now });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

test('of simultaneous starts exactly as many are allowed as there are slots, in order of arrival', async () => {
  const engine = createEngine();
  const caller = await registerCaller();
  const runs = await Promise.all(
    Array.from({ length: 10 }, () => engine.startRun(caller, newStartRun({ id: newId() }))),
  );
  expect(runs.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 3 }, () => 'RUNNING'),
    ...Array.from({ length: 7 }, () => 'BLOCKED'),
  ]);
  const listed = await listRuns(caller);
  expect(listed.items.map(({ id }) => id).reverse()).toEqual(runs.map(({ id }) => id));
});

test('commands of many workspaces share one commit and do not affect each other', async () => {
  const sizes: number[] = [];
  const engine = createEngine({}, { onCommit: (size) => sizes.push(size) });
  const callers = await Promise.all(Array.from({ length: 5 }, registerCaller));
  const runs = await Promise.all(
    callers.flatMap((caller) =>
      Array.from({ length: 4 }, () => engine.startRun(caller, newStartRun({ id: newId() }))),
    ),
  );
  expect(sizes).toEqual([20]);
  expect(runs.filter(({ status }) => status === 'RUNNING')).toHaveLength(15);
});

test('a refused command changes nothing and does not affect the others of its batch', async () => {
  const engine = createEngine();
  const caller = await registerCaller();
  const [good, bad] = await Promise.allSettled([
    engine.startRun(caller, newStartRun({ id: newId() })),
    engine.endRun(caller, { runId: newId(), status: 'COMPLETED' }),
  ]);
  expect(good.status).toBe('fulfilled');
  expect(bad).toMatchObject({ status: 'rejected', reason: { kind: 'not-found' } });
  expect((await store.maintenance.verify()).differences).toEqual([]);
});

test('a command that the store cannot write fails alone: the rest of its batch is committed', async () => {
  const engine = createEngine();
  const caller = await registerCaller();
  const sameId = newId();
  const results = await Promise.allSettled([
    engine.startRun(caller, newStartRun({ id: sameId })),
    engine.startRun(caller, newStartRun({ id: newId() })),
    engine.startRun(await registerCaller(), newStartRun({ id: newId() })),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  const again = await Promise.allSettled([
    engine.startRun(caller, newStartRun({ id: sameId })),
    engine.startRun(caller, newStartRun({ id: newId() })),
  ]);
  expect(again.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect((await store.maintenance.verify()).differences).toEqual([]);
});

test('a key revoked after the request was authenticated is refused by the decision', async () => {
  const engine = createEngine();
  const caller = await registerCaller();
  await store.apiKeys.revoke(caller, BY_TEST);
  await expect(engine.startRun(caller, newStartRun({ id: newId() }))).rejects.toMatchObject({
    kind: 'unauthenticated',
  });
});

test('a batch that the store retries is answered once, from the last facts', async () => {
  const retrying: BatchStore = {
    commit: (needs, decide) =>
      store.batches.commit(needs, (facts) => {
        decide(facts);
        return decide(facts);
      }),
  };
  const engine = new Engine({
    committer: new LocalCommitter(retrying),
    observer: { decided: () => {} },
  });
  const caller = await registerCaller();
  await engine.startRun(caller, newStartRun({ id: newId() }));
  expect((await listRuns(caller)).total).toBe(1);
});

test('commands of a workspace whose lock is held elsewhere wait separately, and others are answered in the meantime', async () => {
  const [held, free] = [await registerCaller(), await registerCaller()];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const waitedFor: number[] = [];
  const busy: BatchStore = {
    commit: async (needs, decide, options) => {
      const isHeld = (need: BatchNeeds) => need.workspaceId === held.workspaceId;
      if (options?.waits !== true)
        return store.batches.commit(
          needs.filter((need) => !isHeld(need)),
          decide,
        );
      expect(needs.map(({ workspaceId }) => workspaceId)).toEqual([held.workspaceId]);
      waitedFor.push(needs.length);
      await released;
      return store.batches.commit(needs, decide);
    },
  };
  const sizes: number[] = [];
  const engine = new Engine({
    committer: new LocalCommitter(busy, { onCommit: (size) => sizes.push(size) }),
    observer: { decided: () => {} },
  });
  const startRun = (caller: MachineCaller) => engine.startRun(caller, newStartRun({ id: newId() }));
  const waiting = [startRun(held), startRun(held)];
  expect((await startRun(free)).decision.outcome).toBe('ALLOW');
  // The workspace is now known to be held: this command does not try the shared batch first.
  waiting.push(startRun(held));
  expect((await startRun(free)).decision.outcome).toBe('ALLOW');
  expect(waitedFor).toHaveLength(1);
  release();
  await Promise.all(waiting);
  expect(sizes).toEqual([1, 1, 2, 1]);
  expect((await listRuns(held)).total).toBe(3);
});

test('the answer of a rolled-back attempt is not returned when the next attempt leaves the workspace out', async () => {
  let attempts = 0;
  const retrying: BatchStore = {
    commit: (needs, decide, { waits = true } = {}) =>
      store.batches.commit(needs, (facts) => {
        attempts += 1;
        const changes = decide(facts);
        return waits ? changes : decide([]);
      }),
  };
  const engine = new Engine({
    committer: new LocalCommitter(retrying),
    observer: { decided: () => {} },
  });
  const caller = await registerCaller();
  const { id } = await engine.startRun(caller, newStartRun({ id: newId() }));
  expect((await listRuns(caller)).items.map((run) => run.id)).toEqual([id]);
  expect(attempts).toBe(2);
});

test('a report with the wrong run finds no step, even next to one with the right run', async () => {
  const engine = createEngine();
  const caller = await registerCaller();
  const [right, wrong] = await Promise.all([
    engine.startRun(caller, newStartRun({ id: newId(), userId: 'right' })),
    engine.startRun(caller, newStartRun({ id: newId(), userId: 'wrong' })),
  ]);
  const { id: stepId } = await engine.createStep(caller, newCreateStep({ id: newId(), runId: right.id }));
  const report = newReport({ durationMs: 1, promptTokens: 5, completionTokens: 5 });
  const [misled, reported] = await Promise.allSettled([
    engine.reportStep(caller, { runId: wrong.id, stepId, report }),
    engine.reportStep(caller, { runId: right.id, stepId, report }),
  ]);
  expect(misled).toMatchObject({
    status: 'rejected',
    reason: { kind: 'not-found', message: 'Step not found' },
  });
  expect(reported.status).toBe('fulfilled');
  expect((await store.maintenance.verify()).differences).toEqual([]);
});

test('every decision is observed once, after its commit', async () => {
  const decisions: [string, Decision['outcome']][] = [];
  const engine = createEngine({ decided: (kind, { outcome }) => decisions.push([kind, outcome]) });
  const caller = await registerCaller();
  const run = await engine.startRun(caller, newStartRun({ id: newId() }));
  await engine.endRun(caller, { runId: run.id, status: 'FAILED' });
  await engine.createStep(caller, newCreateStep({ id: newId(), runId: run.id, type: 'INPUT', model: null }));
  expect(decisions).toEqual([
    ['run', 'ALLOW'],
    ['step', 'DENY'],
  ]);
});

function createEngine(observer: Partial<EngineObserver> = {}, options: CommitterOptions = {}): Engine {
  return new Engine({
    committer: new LocalCommitter(store.batches, options),
    observer: { decided: () => {}, ...observer },
  });
}

function listRuns({ workspaceId }: MachineCaller) {
  return store.runs.list({ workspaceId, status: null, userId: null, offset: 0, limit: 100 });
}

async function registerCaller(): Promise<MachineCaller> {
  const workspace = newWorkspace({ id: newId(), name: 'Test', plan: 'basic', now: clock.now() });
  const { apiKey } = newApiKey({
    id: newId(),
    workspaceId: workspace.id,
    label: null,
    createdBy: 'test',
    now: clock.now(),
  });
  const account = {
    id: newId(),
    workspaceId: workspace.id,
    email: `${workspace.id}@example.com`,
    name: null,
    passwordHash: 'unused',
    tokenVersion: 1,
    role: 'owner' as const,
    createdAt: clock.now(),
  };
  await store.accounts.register({ account, workspace, apiKey }, BY_TEST);
  return { workspaceId: workspace.id, apiKeyId: apiKey.id };
}

function newId(): string {
  nextId += 1;
  return `00000000-0000-7000-8000-${String(nextId).padStart(12, '0')}`;
}
