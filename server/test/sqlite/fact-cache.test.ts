/** The cached facts of batches on SQLite always equal the stored ones, after writes from any source. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../../src/domain/run.js';
import { NO_PARTS, NO_USAGE } from '../../src/domain/usage.js';
import type { Command } from '../../src/engine/command.js';
import { commitBatch } from '../../src/engine/commit-batch.js';
import type { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.js';
import type { BatchChanges, BatchFacts, BatchNeeds, BatchStore, Store } from '../../src/store/store.js';
import { NO_COUNTS, noChanges, noNeeds } from '../support/batch-fixture.js';
import { BY_TEST } from '../support/by-test.js';
import { newReport, newRun, newStartRun } from '../support/seed.js';
import {
  MANY_KEYS,
  MANY_PRICES,
  newPrice,
  newTestApiKey,
  openStoreFixture,
  type StoreFixture,
  type StoreTenant,
} from '../support/store-fixture.js';
import { Oracle, openAgain, openBatches, openDatabase, readFacts } from './fact-cache-oracle.js';

const ATTO_PER_MICRO = 10n ** 12n;
/** More than the cache holds. */
const MANY_USERS = 15_000;
const USERS_IN_A_BATCH = 500;

let fixture: StoreFixture;
let other: Store;
let oracle: Oracle;
beforeAll(async () => {
  fixture = await openStoreFixture('sqlite');
  other = await openAgain(fixture);
  oracle = await Oracle.open(fixture);
});
afterAll(async () => {
  oracle.close();
  await other.close();
  await fixture.close();
});

// ── Other writers ──────────────────────────────────────────────────────────────────────────────────────────────────

interface OutsideChange {
  readonly what: string;
  readonly make: (store: Store, scene: Scene) => Promise<unknown>;
  readonly see: (facts: BatchFacts, scene: Scene) => unknown;
  readonly before: unknown;
  readonly after: unknown;
}

const OUTSIDE_CHANGES: readonly OutsideChange[] = [
  {
    what: 'a revoked key',
    make: (store, { tenant: { caller } }) => store.apiKeys.revoke(caller, BY_TEST),
    see: (facts, { tenant }) => facts.activeApiKeyIds.has(tenant.apiKey.id),
    before: true,
    after: false,
  },
  {
    what: 'a new key that was asked for before it was there',
    make: (store, { laterKey }) => store.apiKeys.insert(laterKey, MANY_KEYS, BY_TEST),
    see: (facts, { laterKey }) => facts.activeApiKeyIds.has(laterKey.id),
    before: false,
    after: true,
  },
  {
    what: 'a blocked user',
    make: (store, { needs: { workspaceId } }) =>
      store.users.setBlocked({ workspaceId, userId: 'ada', blocked: true }, BY_TEST),
    see: (facts) => facts.users.get('ada')?.blocked,
    before: false,
    after: true,
  },
  {
    what: 'a changed price',
    make: (store, { needs: { workspaceId } }) =>
      store.prices.put(
        {
          workspaceId,
          price: newPrice({ id: '-', model: 'gpt', inputAttoUsd: 7n * ATTO_PER_MICRO }),
          ...MANY_PRICES,
        },
        BY_TEST,
      ),
    see: (facts) => facts.prices.get('gpt')?.inputAttoUsd,
    before: ATTO_PER_MICRO,
    after: 7n * ATTO_PER_MICRO,
  },
  {
    what: 'the first price of a model',
    make: (store, { needs: { workspaceId } }) =>
      store.prices.put(
        {
          workspaceId,
          price: newPrice({ id: 'first', model: 'unpriced', inputAttoUsd: ATTO_PER_MICRO }),
          ...MANY_PRICES,
        },
        BY_TEST,
      ),
    see: (facts) => facts.prices.has('unpriced'),
    before: false,
    after: true,
  },
  {
    what: 'the kill switch',
    make: (store, { needs: { workspaceId } }) =>
      store.workspaces.change(workspaceId, { kind: 'settings', settings: { killSwitch: true } }, BY_TEST),
    see: (facts) => facts.workspace.killSwitch,
    before: false,
    after: true,
  },
];

const WRITERS = [
  { who: 'another connection', writer: () => other },
  { who: 'the same connection outside of batches', writer: () => fixture.store },
];

for (const { who, writer } of WRITERS) {
  describe(`written by ${who}`, () => {
    for (const { what, make, see, before, after } of OUTSIDE_CHANGES) {
      test(`${what} is seen by the next batch`, async () => {
        const scene = await newCachedScene();
        await make(writer(), scene);
        const facts = await readFacts(fixture.store.batches, scene.needs);
        expect([see(scene.facts, scene), see(facts, scene)]).toEqual([before, after]);
        expect(facts).toStrictEqual(await oracle.read(scene.needs));
      });
    }
  });
}

test('a write of another connection is seen although this connection has read it since', async () => {
  const { needs } = await newCachedScene();
  const { workspaceId } = needs;
  await other.users.setBlocked({ workspaceId, userId: 'ada', blocked: true }, BY_TEST);
  const { total } = await fixture.store.users.list({ workspaceId, blocked: true, offset: 0, limit: 1 });
  expect(total).toBe(1);
  expect((await readFacts(fixture.store.batches, needs)).users.get('ada')?.blocked).toBe(true);
});

test('alternating batches of two connections continue from the writes of the other', async () => {
  const { needs } = await newCachedScene();
  for (let turn = 0; turn < 12; turn += 1) {
    // Two in a row each, so that each also has cached facts.
    const { batches } = turn % 4 < 2 ? fixture.store : other;
    const facts = await commitVisibly(batches, needs);
    expect(facts.monthlyRunCount).toBe(1 + turn);
    expect(facts.users.get('ada')?.usageToday.costPicoUsd).toBe(50n * 10n ** 6n + BigInt(turn));
  }
  const fresh = await oracle.read(needs);
  expect(await readFacts(fixture.store.batches, needs)).toStrictEqual(fresh);
  expect(await readFacts(other.batches, needs)).toStrictEqual(fresh);
});

// ── Writes of batches ──────────────────────────────────────────────────────────────────────────────────────────────

test('the next batch sees what a batch wrote', async () => {
  const { needs, runId, stepId } = await newCachedScene();
  await commitVisibly(fixture.store.batches, needs);
  const facts = await readFacts(fixture.store.batches, needs);
  expect(facts.runs.get(runId)?.status).toBe('FAILED');
  expect(facts.steps.get(stepId)?.durationMs).toBe(77);
  expect(facts.runs.has(newRunId(runId))).toBe(true);
  expect(facts).toStrictEqual(await oracle.read(needs));
});

test('what a batch wrote for a user outside its needs is read when a later batch needs it', async () => {
  const { needs } = await newCachedScene();
  const { workspaceId } = needs;
  await fixture.store.users.setBlocked({ workspaceId, userId: 'carl', blocked: true }, BY_TEST);
  await readFacts(fixture.store.batches, needs);
  await commitVisibly(fixture.store.batches, needs, { userId: 'carl' });
  const asking = { ...needs, startingUserIds: new Set(['ada', 'carl']) };
  const facts = await readFacts(fixture.store.batches, asking);
  expect(facts.users.get('carl')).toMatchObject({ blocked: true, usageToday: { costPicoUsd: 1n } });
  expect(facts).toStrictEqual(await oracle.read(asking));
});

test('a cached step is not found through another run', async () => {
  const { needs, runId, stepId } = await newCachedScene();
  const [first] = needs.steps;
  const wrong = { runId: newRunId(runId), stepId };
  await commitVisibly(fixture.store.batches, needs);
  expect((await readFacts(fixture.store.batches, { ...needs, steps: [wrong] })).steps.size).toBe(0);
  if (first === undefined) throw new Error('The scene has steps');
  const both = await readFacts(fixture.store.batches, { ...needs, steps: [first, wrong] });
  expect([...both.steps.values()].map((step) => step.runId)).toEqual([runId]);
});

test('the same names in another workspace are not mixed up with the cached facts of the first', async () => {
  const { needs } = await newCachedScene();
  const stranger = { ...needs, workspaceId: (await fixture.newTenant()).workspace.id };
  await commitVisibly(fixture.store.batches, needs);
  const facts = await readFacts(fixture.store.batches, stranger);
  expect([facts.activeApiKeyIds.size, facts.runs.size, facts.steps.size]).toEqual([0, 0, 0]);
  expect(facts.users.get('ada')?.usageToday).toEqual(NO_USAGE);
  expect(facts).toStrictEqual(await oracle.read(stranger));
});

/** Ways to make a batch fail. The connection is the one that commits the batch. */
const FAILURES: readonly {
  readonly how: string;
  readonly error: string;
  readonly fail: (changes: BatchChanges, scene: Scene, database: SqliteDatabase) => BatchChanges;
}[] = [
  {
    how: 'cannot be decided',
    error: 'decided badly',
    fail: () => {
      throw new Error('decided badly');
    },
  },
  {
    how: 'fails at its first write',
    error: 'UNIQUE',
    fail: (changes, { runId }) => ({ ...changes, newRuns: [addedRun(runId)] }),
  },
  {
    how: 'fails at a later write',
    error: 'UNIQUE',
    fail: (changes) => ({ ...changes, newRuns: [addedRun('twice'), addedRun('twice')] }),
  },
  {
    how: 'fails at COMMIT',
    error: 'FOREIGN KEY',
    fail: (changes, { laterKey }, database) => {
      // COMMIT then refuses a key without a workspace: no statement of the batch fails.
      database.script('PRAGMA defer_foreign_keys = ON');
      database.run(
        `INSERT INTO api_keys (workspace_id, id, prefix, secret_hash, is_active, created_at)
         VALUES ('no such workspace', 'id', ?, '', 1, 0)`,
        [laterKey.prefix],
      );
      return changes;
    },
  },
];

for (const { how, error, fail } of FAILURES) {
  test(`a batch that ${how} leaves nothing in the cache that is not stored`, async () => {
    const scene = await newCachedScene();
    const { needs } = scene;
    const { database, batches } = await openOwnBatches();
    try {
      expect(await readFacts(batches, needs)).toStrictEqual(scene.facts);
      const failed = batches.commit([needs], ([facts]) => [
        fail(visibleChanges(facts ?? scene.facts), scene, database),
      ]);
      await expect(failed).rejects.toThrow(error);
      expect(await readFacts(batches, needs)).toStrictEqual(scene.facts);
      expect(await oracle.read(needs)).toStrictEqual(scene.facts);
      // And later batches continue from there.
      await commitVisibly(batches, needs);
      expect(await readFacts(batches, needs)).toStrictEqual(await oracle.read(needs));
    } finally {
      database.close();
    }
  });
}

test('a command that cannot be written fails alone, and the others are cached as stored', async () => {
  const { tenant, needs, runId, facts: before } = await newCachedScene();
  const { caller } = tenant;
  const start = (id: string): Command => ({
    kind: 'start-run',
    caller,
    input: newStartRun({ id }),
  });
  const outcomes = await commitBatch(fixture.store.batches, [start(fixture.newId()), start(runId)]);
  expect(outcomes.map((outcome) => 'error' in outcome)).toEqual([false, true]);
  const facts = await readFacts(fixture.store.batches, needs);
  expect(facts.monthlyRunCount).toBe(before.monthlyRunCount + 1);
  expect(facts).toStrictEqual(await oracle.read(needs));
});

// ── When it is dropped ─────────────────────────────────────────────────────────────────────────────────────────────

test('a new day starts without the usage of yesterday, and a new month without the runs of the last', async () => {
  const own = await openStoreFixture('sqlite');
  const ownOracle = await Oracle.open(own);
  try {
    own.clock.set('2026-03-30T23:59:59.999Z');
    const { needs, facts: cached } = await newScene(own);
    const usage = cached.usageToday;
    expect(usage.costPicoUsd).toBeGreaterThan(0n);
    const see = async (time: string) => {
      own.clock.set(time);
      const facts = await readFacts(own.store.batches, needs);
      expect(facts).toStrictEqual(await ownOracle.read(needs));
      const usages = [
        facts.usageToday,
        facts.users.get('ada')?.usageToday,
        facts.modelUsageToday.get('gpt')?.usage,
      ];
      return { usages, runs: facts.monthlyRunCount };
    };
    const nothing = [NO_USAGE, NO_USAGE, NO_USAGE];
    expect(await see('2026-03-30T23:59:59.999Z')).toEqual({ usages: [usage, usage, usage], runs: 1 });
    expect(await see('2026-03-31T00:00:00.000Z')).toEqual({ usages: nothing, runs: 1 });
    expect(await see('2026-04-01T00:00:00.000Z')).toEqual({ usages: nothing, runs: 0 });
    // A corrected clock may go back.
    expect(await see('2026-03-30T23:59:59.999Z')).toEqual({ usages: [usage, usage, usage], runs: 1 });
  } finally {
    ownOracle.close();
    await own.close();
  }
});

test('facts are right before, while and after more is requested than the cache holds', async () => {
  const { needs } = await newCachedScene();
  const { batches } = fixture.store;
  for (let first = 0; first < MANY_USERS; first += USERS_IN_A_BATCH) {
    const asked = { ...needs, startingUserIds: new Set(['ada', ...userIds(first)]) };
    const facts = await commitVisibly(batches, asked, { userId: `user ${first}` });
    expect(facts.monthlyRunCount).toBe(1 + first / USERS_IN_A_BATCH);
    if (first % (10 * USERS_IN_A_BATCH) === 0) {
      expect(await readFacts(batches, asked)).toStrictEqual(await oracle.read(asked));
    }
  }
  for (let first = 0; first < MANY_USERS; first += 10 * USERS_IN_A_BATCH) {
    const asked = { ...needs, startingUserIds: new Set(userIds(first)) };
    expect(await readFacts(batches, asked)).toStrictEqual(await oracle.read(asked));
  }
});

test('cached facts are not read again until the cache is full', async () => {
  const { needs } = await newCachedScene();
  const { workspaceId } = needs;
  const { database, batches } = await openOwnBatches();
  const isBlocked = async () => (await readFacts(batches, needs)).users.get('ada')?.blocked;
  try {
    expect(await isBlocked()).toBe(false);
    // Written behind the cache: inside a batch, but not in its changes.
    await batches.commit([needs], () => {
      database.run("UPDATE users SET blocked = 1 WHERE workspace_id = ? AND user_id = 'ada'", [workspaceId]);
      return [];
    });
    // The same needs again take no more room.
    for (let index = 0; index < MANY_USERS; index += 1) await isBlocked();
    expect(await isBlocked()).toBe(false);
    for (let first = 0; first < MANY_USERS; first += USERS_IN_A_BATCH) {
      await readFacts(batches, { ...noNeeds(workspaceId), startingUserIds: new Set(userIds(first)) });
    }
    expect(await isBlocked()).toBe(true);
  } finally {
    database.close();
  }
});

// ── The scene ──────────────────────────────────────────────────────────────────────────────────────────────────────

interface Scene {
  readonly tenant: StoreTenant;
  readonly runId: string;
  readonly stepId: string;
  /** Requested, but not created yet. */
  readonly laterKey: StoreTenant['apiKey'];
  /** Everything that exists. */
  readonly needs: BatchNeeds;
  /** The facts that were last read for them. */
  readonly facts: BatchFacts;
}

/** A scene in the store of all tests, with all of its facts cached. */
function newCachedScene(): Promise<Scene> {
  return newScene(fixture);
}

async function newScene({ store, engine, clock, newId, ...given }: StoreFixture): Promise<Scene> {
  const tenant = await given.newTenant();
  const { workspace, caller } = tenant;
  const price = newPrice({ id: newId(), model: 'gpt', inputAttoUsd: ATTO_PER_MICRO });
  await store.prices.put({ workspaceId: workspace.id, price, ...MANY_PRICES }, BY_TEST);
  const { id: runId } = await given.startRun(tenant);
  const { id: stepId } = await given.createStep(tenant, { runId, model: 'gpt' });
  const { id: unpricedId } = await given.createStep(tenant, { runId, model: 'unpriced' });
  const report = newReport({ durationMs: 5, promptTokens: 10, completionTokens: 20 });
  await engine.reportStep(caller, { runId, stepId, report });
  const laterKey = newTestApiKey({ newId, now: clock.now(), workspaceId: workspace.id });
  const needs: BatchNeeds = {
    workspaceId: workspace.id,
    apiKeyIds: new Set([caller.apiKeyId, laterKey.id]),
    startingUserIds: new Set(['ada', 'bob']),
    runIds: new Set([runId, newRunId(runId)]),
    steps: [
      { runId, stepId },
      { runId, stepId: unpricedId },
    ],
    idempotencyKeyHashes: new Set([keyHashOf(workspace.id)]),
    models: new Set(),
    endingRunIds: new Set(),
  };
  return { tenant, runId, stepId, laterKey, needs, facts: await readFacts(store.batches, needs) };
}

/** Commits visible changes, and returns the facts from before. */
async function commitVisibly(
  batches: BatchStore,
  needs: BatchNeeds,
  { userId = 'ada' }: { userId?: string } = {},
): Promise<BatchFacts> {
  let before: BatchFacts | undefined;
  await batches.commit([needs], ([facts]) => {
    if (facts === undefined) throw new Error('No facts');
    before = facts;
    return [visibleChanges(facts, userId)];
  });
  if (before === undefined) throw new Error('No facts');
  return before;
}

/** Changes everything that facts contain; the new run is created only once. */
function visibleChanges(facts: BatchFacts, userId = 'ada'): BatchChanges {
  const [run] = facts.runs.values();
  const [step] = facts.steps.values();
  if (run === undefined || step === undefined) throw new Error('The scene has a run with a step');
  const usage = { costPicoUsd: 1n, promptTokens: 2n, completionTokens: 3n, unpricedTokens: 4n };
  const runCounts = { ...NO_COUNTS, RUNNING: 1 };
  const isNew = !facts.runs.has(newRunId(run.id));
  const keyHash = keyHashOf(facts.workspace.id);
  return {
    ...noChanges(facts),
    newRuns: isNew ? [addedRun(newRunId(run.id))] : [],
    changedRuns: [{ ...run, status: 'FAILED', endedAt: facts.now, stepCount: run.stepCount + 1 }],
    changedSteps: [{ ...step, durationMs: 77, costPicoUsd: 1n, reportedAt: facts.now, usageVersion: null }],
    runCounts,
    usage,
    startedRuns: 1,
    users: new Map([[userId, { runCounts, usage, startedRuns: 1, lastSeenAt: facts.now, heldPicoUsd: 0n }]]),
    models: new Map([['gpt', { usage, parts: { ...NO_PARTS, cacheSavedPicoUsd: 5n }, reportedSteps: 1 }]]),
    renewedIdempotencyRecords: [{ keyHash, requestHash: 'request', reply: '{}', createdAt: facts.now }],
  };
}

/** The hash of a key contains its workspace. */
function keyHashOf(workspaceId: string): string {
  return `key of ${workspaceId}`;
}

/** A position after every started run. */
function addedRun(id: string): Run {
  return newRun({ id, position: 1_000, startedAt: fixture.clock.now() });
}

/** Of the run that `visibleChanges` adds to a scene with the given run. */
function newRunId(runId: string): string {
  return `${runId} the second`;
}

function userIds(first: number): string[] {
  return Array.from({ length: USERS_IN_A_BATCH }, (_, index) => `user ${first + index}`);
}

/** Batches on a connection that the test can use, too. */
async function openOwnBatches(): Promise<{ database: SqliteDatabase; batches: BatchStore }> {
  const database = await openDatabase(fixture.url);
  return { database, batches: openBatches(database, fixture.clock.now) };
}
