/** Batches of many workspaces on several instances: they never deadlock, lose nothing and mix nothing up. */

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { NO_USAGE } from '../../src/domain/usage.js';
import { openStore } from '../../src/store/open-store.js';
import type { BatchChanges, BatchFacts, BatchNeeds, Store } from '../../src/store/store.js';
import { NO_COUNTS, noChanges, noNeeds } from '../support/batch-fixture.js';
import { BY_TEST } from '../support/by-test.js';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { openStoreFixture, type StoreFixture } from '../support/store-fixture.js';

const INSTANCES = 2;
const WORKSPACES = 40;
const WRITERS_PER_INSTANCE = 4;
const BATCHES_PER_WRITER = campaignSize({ short: 60, full: 3_000 });
const SETTINGS_CHANGES = campaignSize({ short: 60, full: 3_000 });

let fixture: StoreFixture;
let instances: Store[];
let observer: pg.Client;
beforeAll(async () => {
  fixture = await openStoreFixture('postgres');
  instances = await Promise.all(
    Array.from({ length: INSTANCES }, () =>
      openStore({ databaseUrl: fixture.url, poolMax: WRITERS_PER_INSTANCE + 1, timeoutMs: 20_000 }),
    ),
  );
  observer = new pg.Client({ connectionString: fixture.url });
  await observer.connect();
});
afterAll(async () => {
  await observer.end();
  await Promise.all(instances.map((store) => store.close()));
  await fixture.close();
});

test('random overlapping batches of two instances, waiting or not, never deadlock and count every start', async () => {
  const random = new SeededRandom(campaignSeed('batches across instances'));
  const ids = await newWorkspaces(WORKSPACES);
  const started = new Map(ids.map((id) => [id, 0]));
  let leftOut = 0;
  const write = async (store: Store) => {
    for (let batch = 0; batch < BATCHES_PER_WRITER; batch += 1) {
      const chosen = pickSome(ids, random);
      const waits = random.chance(0.7);
      const committed = await startOneEach(store, chosen, { waits });
      if (waits) expect(committed).toEqual(chosen);
      leftOut += chosen.length - committed.length;
      for (const id of committed) started.set(id, (started.get(id) ?? 0) + 1);
    }
  };
  const change = async (store: Store) => {
    for (let index = 0; index < SETTINGS_CHANGES; index += 1) {
      await store.workspaces.change(
        random.pick(ids),
        { kind: 'settings', settings: { name: `${index}` } },
        BY_TEST,
      );
    }
  };
  await Promise.all(
    instances.flatMap((store) => [
      change(store),
      ...Array.from({ length: WRITERS_PER_INSTANCE }, () => write(store)),
    ]),
  );
  for (const [id, count] of started) {
    const [facts] = await factsOf([id]);
    expect([facts?.runCounts.RUNNING, facts?.monthlyRunCount]).toEqual([count, count]);
  }
  expect(await deadlocks()).toBe(0);
  expect(leftOut).toBeGreaterThan(0);
  const total = [...started.values()].reduce((sum, count) => sum + count, 0);
  reportCampaign('batches across instances', { started: total, 'left out': leftOut, deadlocks: 0 });
}, 1_800_000);

test('a batch that does not wait commits the free workspaces and leaves out one that is locked', async () => {
  const [held = '', ...free] = await newWorkspaces(4);
  const [store] = instances;
  if (store === undefined) throw new Error('There are no instances');
  await observer.query('BEGIN');
  await observer.query('SELECT 1 FROM workspace_counters WHERE workspace_id = $1 FOR NO KEY UPDATE', [held]);
  try {
    expect(await startOneEach(store, [...free, held], { waits: false })).toEqual(free);
    expect(await startOneEach(store, [held], { waits: false })).toEqual([]);
  } finally {
    await observer.query('ROLLBACK');
  }
  const counts = (await factsOf([held, ...free])).map(({ monthlyRunCount }) => monthlyRunCount);
  expect(counts).toEqual([0, 1, 1, 1]);
});

/** The workspaces that were decided. */
async function startOneEach(
  store: Store,
  ids: readonly string[],
  options: { waits: boolean },
): Promise<string[]> {
  let decided: string[] = [];
  await store.batches.commit(
    ids.map(toNeeds),
    (facts) => {
      decided = facts.map(({ workspace }) => workspace.id);
      return facts.map(toOneStart);
    },
    options,
  );
  return decided;
}

/** Up to twenty workspaces, in any order. */
function pickSome(ids: readonly string[], random: SeededRandom): string[] {
  return [...new Set(Array.from({ length: random.integer(1, 20) }, () => random.pick(ids)))];
}

async function factsOf(ids: readonly string[]): Promise<readonly BatchFacts[]> {
  let found: readonly BatchFacts[] = [];
  await instances[0]?.batches.commit(ids.map(toNeeds), (facts) => {
    found = facts;
    return [];
  });
  return found;
}

async function newWorkspaces(count: number): Promise<string[]> {
  const tenants = await Promise.all(Array.from({ length: count }, () => fixture.newTenant()));
  return tenants.map(({ workspace }) => workspace.id);
}

async function deadlocks(): Promise<number> {
  const { rows } = await observer.query(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0].deadlocks);
}

function toNeeds(workspaceId: string): BatchNeeds {
  return { ...noNeeds(workspaceId), startingUserIds: new Set(['ada']) };
}

function toOneStart(facts: BatchFacts): BatchChanges {
  const runCounts = { ...NO_COUNTS, RUNNING: 1 };
  const user = { runCounts, usage: NO_USAGE, startedRuns: 1, lastSeenAt: facts.now, heldPicoUsd: 0n };
  return { ...noChanges(facts), runCounts, startedRuns: 1, users: new Map([['ada', user]]) };
}
