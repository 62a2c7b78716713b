/** The spend of each user over the days is right, although most days are read only once. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { UserSpend } from '../../src/control/user-spend.js';
import { dayOf, firstDayOfLast } from '../../src/domain/period.js';
import { NO_USAGE } from '../../src/domain/usage.js';
import type { UsageRange, UsageStore, UserUsage } from '../../src/store/store.js';
import { NO_COUNTS, noChanges, noNeeds } from '../support/batch-fixture.js';
import { campaignSeed } from '../support/campaign.js';
import { openStoreFixture, type StoreFixture } from '../support/store-fixture.js';

const DAYS = 30;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStoreFixture();
});
afterAll(() => fixture.close());

const now = () => fixture.clock.now();
const newWorkspaceId = async () => (await fixture.newTenant()).workspace.id;

/** Records spend as a batch does, on the day of the clock unless another is given. */
async function spend(workspaceId: string, costs: Readonly<Record<string, bigint>>, day = dayOf(now())) {
  await fixture.store.batches.commit([noNeeds(workspaceId)], ([facts]) => {
    if (facts === undefined) throw new Error('No facts');
    const users = Object.entries(costs).map(([userId, costPicoUsd]) => {
      const usage = { ...NO_USAGE, costPicoUsd };
      return [
        userId,
        { runCounts: NO_COUNTS, usage, startedRuns: 1, lastSeenAt: null, heldPicoUsd: 0n },
      ] as const;
    });
    return [{ ...noChanges(facts), day, users: new Map(users) }];
  });
}

/** The usage of the store, with the ranges that were read. */
function watched(usage: UsageStore): { usage: UsageStore; asked: () => string[] } {
  const ranges: string[] = [];
  const listUsers = (range: UsageRange, limit: number) => {
    ranges.push(`${range.from}…${range.to}`);
    return usage.listUsers(range, limit);
  };
  return { usage: { listUsers } as UsageStore, asked: () => ranges.splice(0).sort() };
}

const listOf =
  (spendOfUsers: UserSpend, workspaceId: string) =>
  (limit = 10) =>
    spendOfUsers.list({ workspaceId, now: now(), days: DAYS, limit });

test('past days are summed once an hour, and today each time', async () => {
  const workspaceId = await newWorkspaceId();
  const { usage, asked } = watched(fixture.store.usage);
  const list = listOf(new UserSpend(usage), workspaceId);
  fixture.clock.set('2026-03-14T12:00:00.000Z');
  await spend(workspaceId, { ada: 5n, bob: 7n }, '2026-02-13');
  await spend(workspaceId, { ada: 1_000n }, '2026-02-12');
  await spend(workspaceId, { bob: 1n }, '2026-03-13');
  await spend(workspaceId, { ada: 2n }, '2026-03-14');
  const expected = [
    { userId: 'bob', costPicoUsd: 8n, runCount: 2 },
    { userId: 'ada', costPicoUsd: 7n, runCount: 2 },
  ];
  expect(await list()).toEqual(expected);
  expect(asked()).toEqual(['2026-02-13…2026-03-13', '2026-03-14…2026-03-14']);
  expect(await list()).toEqual(expected);
  expect(asked()).toEqual(['2026-03-14…2026-03-14']);
  await spend(workspaceId, { ada: 2n, eve: 10n });
  fixture.clock.advance(HOUR_MS - 1);
  expect(await list()).toEqual([
    { userId: 'eve', costPicoUsd: 10n, runCount: 1 },
    { userId: 'ada', costPicoUsd: 9n, runCount: 3 },
    { userId: 'bob', costPicoUsd: 8n, runCount: 2 },
  ]);
  expect(asked()).toEqual(['2026-03-14…2026-03-14']);
  fixture.clock.advance(1);
  await list();
  expect(asked()).toEqual(['2026-02-13…2026-03-13', '2026-03-14…2026-03-14']);
});

test('a batch that was decided before midnight and committed after it is included', async () => {
  const workspaceId = await newWorkspaceId();
  const { usage, asked } = watched(fixture.store.usage);
  const list = listOf(new UserSpend(usage), workspaceId);
  fixture.clock.set('2026-03-14T23:59:59.999Z');
  await spend(workspaceId, { ada: 1n }, '2026-02-13');
  await spend(workspaceId, { bob: 1n }, '2026-03-13');
  expect((await list()).map(({ userId }) => userId)).toEqual(['ada', 'bob']);
  expect(asked()).toEqual(['2026-02-13…2026-03-13', '2026-03-14…2026-03-14']);
  fixture.clock.advance(1);
  expect((await list()).map(({ userId }) => userId)).toEqual(['bob']);
  expect(asked()).toEqual(['2026-02-14…2026-03-13', '2026-03-14…2026-03-15']);
  await spend(workspaceId, { eve: 9n }, '2026-03-14');
  fixture.clock.advance(HOUR_MS - 1);
  expect((await list()).map(({ userId }) => userId)).toEqual(['eve', 'bob']);
  expect(asked()).toEqual(['2026-03-14…2026-03-15']);
  fixture.clock.advance(1);
  expect((await list()).map(({ userId }) => userId)).toEqual(['eve', 'bob']);
  expect(asked()).toEqual(['2026-02-14…2026-03-14', '2026-03-15…2026-03-15']);
});

test('a day that settles within the hour is added to the past days', async () => {
  const workspaceId = await newWorkspaceId();
  const list = listOf(new UserSpend(fixture.store.usage), workspaceId);
  fixture.clock.set('2026-03-15T00:30:00.000Z');
  await spend(workspaceId, { ada: 1n }, '2026-03-14');
  expect(await list()).toHaveLength(1);
  fixture.clock.set('2026-03-15T01:15:00.000Z');
  expect(await list()).toEqual([{ userId: 'ada', costPicoUsd: 1n, runCount: 1 }]);
});

test('a clock that was set back is accepted', async () => {
  const workspaceId = await newWorkspaceId();
  const { usage, asked } = watched(fixture.store.usage);
  const list = listOf(new UserSpend(usage), workspaceId);
  fixture.clock.set('2026-03-14T12:00:00.000Z');
  await list();
  asked();
  fixture.clock.advance(-1);
  await list();
  expect(asked()).toHaveLength(2);
});

test('the most expensive users come first, those of equal cost in the order of their UTF-8 bytes', async () => {
  const workspaceId = await newWorkspaceId();
  const list = listOf(new UserSpend(fixture.store.usage), workspaceId);
  fixture.clock.set('2026-03-14T12:00:00.000Z');
  // In UTF-16 the last one would come before the one before it.
  await spend(workspaceId, { '😀': 1n, '～': 1n, zoe: 2n }, '2026-03-01');
  await spend(workspaceId, { abe: 1n });
  expect((await list()).map(({ userId }) => userId)).toEqual(['zoe', 'abe', '～', '😀']);
  expect((await list(2)).map(({ userId }) => userId)).toEqual(['zoe', 'abe']);
});

test('workspaces are kept apart', async () => {
  const [first, second] = [await newWorkspaceId(), await newWorkspaceId()];
  const userSpend = new UserSpend(fixture.store.usage);
  fixture.clock.set('2026-03-14T12:00:00.000Z');
  await spend(first, { ada: 1n }, '2026-03-01');
  await spend(second, { ada: 2n }, '2026-03-01');
  for (const [workspaceId, costPicoUsd] of [
    [first, 1n],
    [second, 2n],
    [first, 1n],
  ] as const) {
    expect(await listOf(userSpend, workspaceId)()).toEqual([{ userId: 'ada', costPicoUsd, runCount: 1 }]);
  }
});

/** Workspaces with many users each, none of them active recently; and which of them were read for how many days. */
function largeWorkspaces(sizes: Readonly<Record<string, number>>) {
  const reads: string[] = [];
  const listUsers = async ({ workspaceId, from, to }: UsageRange, limit: number): Promise<UserUsage[]> => {
    if (from === dayOf(now())) return [];
    reads.push(to === dayOf(now()) ? `all of ${workspaceId}` : workspaceId);
    const length = Math.min(limit, sizes[workspaceId] ?? 0);
    return Array.from({ length }, (_, index) => ({ userId: `user-${index}`, costPicoUsd: 1n, runCount: 1 }));
  };
  const userSpend = new UserSpend({ listUsers } as unknown as UsageStore);
  return async (...workspaceIds: string[]) => {
    for (const workspaceId of workspaceIds) {
      expect(await listOf(userSpend, workspaceId)(30)).toHaveLength(30);
    }
    return reads.splice(0);
  };
}

test('the cache is bounded: the workspace that was read longest ago is read again', async () => {
  const large = Array.from({ length: 25 }, (_, index) => `large ${index}`);
  const [first = '', second = '', ...others] = large;
  const sizes = Object.fromEntries(large.map((workspaceId) => [workspaceId, 1_999]));
  const readsFor = largeWorkspaces({ ...sizes, small: 30 });
  expect(await readsFor(...large, ...large)).toEqual(large);
  expect(await readsFor('small', second, ...others, 'small')).toEqual(['small']);
  expect(await readsFor(first)).toEqual([first]);
  expect(await readsFor(...others, 'small', first)).toEqual([]);
  expect(await readsFor(second)).toEqual([second]);
});

test('what is read again replaces what was cached', async () => {
  const readsFor = largeWorkspaces({ a: 2_000, b: 2_000 });
  for (let hour = 0; hour < 4; hour += 1) {
    expect(await readsFor('a', 'b', 'a', 'b')).toEqual(['a', 'b']);
    fixture.clock.advance(HOUR_MS);
  }
});

test('with more users than the cache holds the database sums all days, and no other workspace is evicted', async () => {
  const readsFor = largeWorkspaces({ small: 30, huge: 2_001 });
  expect(await readsFor('small', 'huge', 'huge', 'small')).toEqual([
    'small',
    'huge',
    'all of huge',
    'all of huge',
  ]);
});

test('many recent users are listed as well', async () => {
  const workspaceId = await newWorkspaceId();
  fixture.clock.set('2026-03-14T12:00:00.000Z');
  await spend(workspaceId, { ada: 30_000n }, '2026-03-01');
  const costs = Array.from({ length: 2_001 }, (_, index) => [`user-${index}`, BigInt(index)] as const);
  await spend(workspaceId, { ...Object.fromEntries(costs), ada: 1n });
  const { usage, asked } = watched(fixture.store.usage);
  expect(await listOf(new UserSpend(usage), workspaceId)(2)).toEqual([
    { userId: 'ada', costPicoUsd: 30_001n, runCount: 2 },
    { userId: 'user-2000', costPicoUsd: 2_000n, runCount: 1 },
  ]);
  expect(asked()).toContain('2026-02-13…2026-03-14');
});

test('in weeks of random spend the list always equals the sums of the store', async () => {
  const random = new SeededRandom(campaignSeed('user spend'));
  const workspaceId = await newWorkspaceId();
  const list = listOf(new UserSpend(fixture.store.usage), workspaceId);
  fixture.clock.set('2026-03-14T12:00:00.000Z');
  for (let turn = 0; turn < 150; turn += 1) {
    fixture.clock.advance(Math.floor(random.next() ** 4 * 2 * DAY_MS));
    const day = dayOf(now() - (random.next() < 0.2 ? HOUR_MS - 1 : 0));
    await spend(workspaceId, { [`user-${Math.floor(random.next() * 8)}`]: BigInt(turn) }, day);
    const range = { workspaceId, from: firstDayOfLast(DAYS, now()), to: dayOf(now()) };
    const limit = 1 + Math.floor(random.next() * 9);
    expect(await list(limit)).toEqual(await fixture.store.usage.listUsers(range, limit));
  }
});
