/** The contract of every store, method by method: the same file runs on each of them. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayOf } from '../../src/domain/period.js';
import { unknownUser } from '../../src/domain/user.js';
import { type CopyRow, MAX_FAILURES_FORGOTTEN, type NewPrice } from '../../src/store/store.js';
import { TABLES } from '../../src/store/tables.js';
import { noChanges, noNeeds } from '../support/batch-fixture.js';
import { BY_TEST } from '../support/by-test.js';
import {
  MANY_KEYS,
  MANY_PRICES,
  newPrice,
  newTenant,
  newTestApiKey,
  openStoreFixture,
  type StoreFixture,
} from '../support/store-fixture.js';

const AWKWARD_TEXT = '{"quotes":"\\"\'","braces":"{},NULL","backslash":"\\\\","emoji":"🦑","spaces":" \\t "}';

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStoreFixture();
});
afterAll(() => fixture.close());

const newId = () => fixture.newId();
const now = () => fixture.clock.now();

describe('the store itself', () => {
  test('has a clock, answers a ping and has a location', async () => {
    expect(await fixture.store.now()).toBe(now());
    await fixture.store.ping();
    expect(fixture.store.location).not.toBe('');
  });
});

describe('accounts', () => {
  test('a registration is found by id and by e-mail in any case', async () => {
    const { account } = await fixture.newTenant({ email: 'Ada@Example.com' });
    expect(await fixture.store.accounts.find(account.id)).toEqual(account);
    expect(await fixture.store.accounts.findByEmail('aDA@example.COM')).toEqual(account);
    expect(await fixture.store.accounts.findByEmail('nobody@example.com')).toBeNull();
    expect(await fixture.store.accounts.find(newId())).toBeNull();
    expect(await fixture.store.accounts.find('no id at all')).toBeNull();
  });

  test('a taken e-mail registers nothing, however many try at once', async () => {
    const attempts = Array.from({ length: 8 }, () =>
      newTenant({ newId, now: now(), email: 'Race@example.com', name: 'Race', plan: 'basic' }),
    );
    const outcomes = await Promise.all(
      attempts.map(({ account, workspace, apiKey }) =>
        fixture.store.accounts.register({ account, workspace, apiKey }, BY_TEST),
      ),
    );
    expect(outcomes.filter((created) => created)).toHaveLength(1);
    const losers = attempts.filter((_, index) => outcomes[index] !== true);
    for (const { workspace, apiKey } of losers) {
      expect(await fixture.store.workspaces.find(workspace.id)).toBeNull();
      expect(await fixture.store.apiKeys.findByPrefix(apiKey.prefix)).toBeNull();
    }
  });

  test('a password is changed only from the expected token version', async () => {
    const { account } = await fixture.newTenant();
    const change = { account, passwordHash: 'new', action: 'account.password_changed' } as const;
    expect(await fixture.store.accounts.changePassword(change, BY_TEST)).toEqual({
      ...account,
      passwordHash: 'new',
      tokenVersion: 2,
    });
    expect(await fixture.store.accounts.changePassword(change, BY_TEST)).toBeNull();
    expect((await fixture.store.accounts.find(account.id))?.tokenVersion).toBe(2);
  });
});

describe('API keys', () => {
  test('a key is found by its prefix and listed newest first', async () => {
    const { apiKey, workspace } = await fixture.newTenant();
    const newer = newTestApiKey({ newId, now: now() + 1, workspaceId: workspace.id });
    await fixture.store.apiKeys.insert({ ...newer, label: 'ci' }, MANY_KEYS, BY_TEST);
    expect(await fixture.store.apiKeys.findByPrefix(newer.prefix)).toEqual({ ...newer, label: 'ci' });
    expect((await fixture.store.apiKeys.list(workspace.id, 1_000)).map(({ id }) => id)).toEqual([
      newer.id,
      apiKey.id,
    ]);
  });

  test('a key created with an Idempotency-Key is created once, however many try at once', async () => {
    const { workspace } = await fixture.newTenant();
    const attempts = Array.from({ length: 6 }, (_, index) => ({
      apiKey: newTestApiKey({ newId, now: now() + 1, workspaceId: workspace.id }),
      record: { keyHash: 'once', requestHash: 'r', reply: `"${index}"`, createdAt: 9_000 },
      since: 500,
      ...MANY_KEYS,
    }));
    const outcomes = await Promise.all(
      attempts.map((attempt) => fixture.store.apiKeys.insertOnce(attempt, BY_TEST)),
    );
    const winner = attempts[outcomes.indexOf('inserted')];
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome !== 'inserted') expect(outcome).toEqual(winner?.record);
    expect(await fixture.store.apiKeys.list(workspace.id, 1_000)).toHaveLength(2);
    const late = { ...attempts[0], since: 9_000 } as (typeof attempts)[number];
    const again = { ...late, apiKey: newTestApiKey({ newId, now: now(), workspaceId: workspace.id }) };
    expect(await fixture.store.apiKeys.insertOnce(again, BY_TEST)).toBe('inserted');
  });

  test('revoking reports whether the key exists, and works only within its workspace', async () => {
    const { apiKey, workspace } = await fixture.newTenant();
    const other = await fixture.newTenant();
    const revoke = (key: { workspaceId: string; apiKeyId: string }) =>
      fixture.store.apiKeys.revoke(key, BY_TEST);
    expect(await revoke({ workspaceId: other.workspace.id, apiKeyId: apiKey.id })).toBe(false);
    expect(await revoke({ workspaceId: workspace.id, apiKeyId: apiKey.id })).toBe(true);
    expect(await revoke({ workspaceId: workspace.id, apiKeyId: apiKey.id })).toBe(true);
    expect((await fixture.store.apiKeys.findByPrefix(apiKey.prefix))?.isActive).toBe(false);
  });

  test('replacing revokes every earlier key of the workspace and of no other', async () => {
    const { apiKey, workspace } = await fixture.newTenant();
    const other = await fixture.newTenant();
    const replacement = newTestApiKey({ newId, now: now() + 1, workspaceId: workspace.id });
    await fixture.store.apiKeys.replaceAll(replacement, BY_TEST);
    const keys = await fixture.store.apiKeys.list(workspace.id, 1_000);
    expect(keys.map(({ id, isActive }) => [id, isActive])).toEqual([
      [replacement.id, true],
      [apiKey.id, false],
    ]);
    expect((await fixture.store.apiKeys.findByPrefix(other.apiKey.prefix))?.isActive).toBe(true);
  });

  test('a workspace has a bounded number of active keys; revoked ones do not count', async () => {
    const { workspace, apiKey } = await fixture.newTenant();
    const insert = () => {
      const created = newTestApiKey({ newId, now: now() + 1, workspaceId: workspace.id });
      return fixture.store.apiKeys.insert(created, { maxActive: 3 }, BY_TEST);
    };
    expect([await insert(), await insert(), await insert()]).toEqual([true, true, false]);
    const creation = {
      apiKey: newTestApiKey({ newId, now: now(), workspaceId: workspace.id }),
      record: { keyHash: 'full', requestHash: 'r', reply: '""', createdAt: now() },
      since: 0,
      maxActive: 3,
    };
    expect(await fixture.store.apiKeys.insertOnce(creation, BY_TEST)).toBe('full');
    await fixture.store.apiKeys.revoke({ workspaceId: workspace.id, apiKeyId: apiKey.id }, BY_TEST);
    expect(await fixture.store.apiKeys.insertOnce(creation, BY_TEST)).toBe('inserted');
    const listed = await fixture.store.apiKeys.list(workspace.id, 3);
    expect(listed.map(({ isActive }) => isActive)).toEqual([true, true, true]);
    expect(await fixture.store.apiKeys.list(workspace.id, 10)).toHaveLength(4);
  });

  test('the last use of a key is stored', async () => {
    const { apiKey, workspace } = await fixture.newTenant();
    await fixture.store.apiKeys.markUsed({ workspaceId: workspace.id, apiKeyId: apiKey.id, usedAt: 1234 });
    expect((await fixture.store.apiKeys.findByPrefix(apiKey.prefix))?.lastUsedAt).toBe(1234);
  });
});

describe('workspaces', () => {
  test('a change is read back exactly', async () => {
    const { workspace } = await fixture.newTenant();
    const settings = {
      name: 'Ünïcode "quoted"',
      killSwitch: true,
      dailyBudgetPicoUsd: 2n ** 63n - 1n,
      userDailyBudgetPicoUsd: 1n,
      maxConcurrentRuns: 2 ** 53 - 1,
    };
    const changed = await fixture.store.workspaces.change(
      workspace.id,
      { kind: 'settings', settings },
      BY_TEST,
    );
    expect(changed).toEqual({ ...workspace, ...settings });
    expect(await fixture.store.workspaces.find(workspace.id)).toEqual(changed);
  });

  test('a change that the plan refuses leaves the workspace as it was', async () => {
    const { workspace } = await fixture.newTenant({ plan: 'basic' });
    const settings = { name: 'New name', killSwitch: true };
    const refused = fixture.store.workspaces.change(workspace.id, { kind: 'settings', settings }, BY_TEST);
    await expect(refused).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await fixture.store.workspaces.find(workspace.id)).toEqual(workspace);
  });

  test('simultaneous changes are all applied', async () => {
    const { workspace } = await fixture.newTenant();
    const settings = [
      { name: 'New name' },
      { killSwitch: true },
      { dailyBudgetPicoUsd: 1n },
      { userDailyBudgetPicoUsd: 2n },
      { maxConcurrentRuns: 9 },
    ];
    await Promise.all([
      ...settings.map((one) =>
        fixture.store.workspaces.change(workspace.id, { kind: 'settings', settings: one }, BY_TEST),
      ),
      fixture.store.workspaces.change(workspace.id, { kind: 'plan', plan: 'enterprise' }, BY_TEST),
    ]);
    expect(await fixture.store.workspaces.find(workspace.id)).toEqual(
      Object.assign({ ...workspace, plan: 'enterprise' }, ...settings),
    );
  });

  test('a workspace is found by its slug or by the e-mail of its owner', async () => {
    const { workspace, account } = await fixture.newTenant();
    expect(await fixture.store.workspaces.findIdByEmailOrSlug(workspace.slug)).toBe(workspace.id);
    expect(await fixture.store.workspaces.findIdByEmailOrSlug(account.email.toUpperCase())).toBe(
      workspace.id,
    );
    expect(await fixture.store.workspaces.findIdByEmailOrSlug('nothing')).toBeNull();
    expect(await fixture.store.workspaces.find(newId())).toBeNull();
  });
});

describe('prices', () => {
  test('an entry keeps its id when replaced; only active ones are listed, in byte order', async () => {
    const { workspace } = await fixture.newTenant();
    for (const model of ['b', 'a/ä', 'B', 'a-b', 'é']) {
      await fixture.store.prices.put(
        {
          workspaceId: workspace.id,
          price: newPrice({ id: newId(), model, inputAttoUsd: 1n }),
          ...MANY_PRICES,
        },
        BY_TEST,
      );
    }
    const [first] = await fixture.store.prices.listActive(workspace.id, 1_000);
    const replaced = await fixture.store.prices.put(
      {
        workspaceId: workspace.id,
        price: {
          ...newPrice({ id: newId(), model: 'B', inputAttoUsd: 10n ** 24n }),
          outputAttoUsd: 3n,
        },
        ...MANY_PRICES,
      },
      BY_TEST,
    );
    expect(replaced).toEqual({ ...first, inputAttoUsd: 10n ** 24n, outputAttoUsd: 3n, version: 2 });
    await fixture.store.prices.put(
      {
        workspaceId: workspace.id,
        price: { ...newPrice({ id: newId(), model: 'b', inputAttoUsd: 1n }), isActive: false },
        ...MANY_PRICES,
      },
      BY_TEST,
    );
    const listed = await fixture.store.prices.listActive(workspace.id, 1_000);
    expect(listed.map(({ model }) => model)).toEqual(['B', 'a-b', 'a/ä', 'é']);
  });
});

describe('versions of prices', () => {
  test('a changed amount adds a version; the same amounts, or only whether it is active, do not', async () => {
    const { workspace } = await fixture.newTenant();
    const first = newPrice({ id: newId(), model: 'gpt', inputAttoUsd: 5n });
    const put = async (change: Partial<NewPrice>) =>
      (
        await fixture.store.prices.put(
          { workspaceId: workspace.id, price: { ...first, ...change }, ...MANY_PRICES },
          BY_TEST,
        )
      )?.version;
    expect(await put({})).toBe(1);
    expect(await put({})).toBe(1);
    expect(await put({ isActive: false })).toBe(1);
    expect(await put({ cacheReadAttoUsd: 1n })).toBe(2);
    expect(await put({ cacheReadAttoUsd: 1n, cacheWriteAttoUsd: 0n })).toBe(3);
    expect(await put({ cacheReadAttoUsd: 1n, cacheWriteAttoUsd: 0n, isActive: false })).toBe(3);
    expect(await put({})).toBe(4);
    const versions = await fixture.store.copy.readRows('model_price_versions', { after: null, limit: 100 });
    expect(
      versions
        .filter(({ workspace_id }) => workspace_id === workspace.id)
        .map(({ version, ...row }) => [version, row['cache_read_usd'], row['cache_write_usd']]),
    ).toEqual([
      [1n, null, null],
      [2n, '0.000000000000000001', null],
      [3n, '0.000000000000000001', '0'],
      [4n, null, null],
    ]);
    expect((await fixture.store.maintenance.verify()).differences).toEqual([]);
  });
});

describe('bounds of prices', () => {
  test('a workspace has a bounded number of prices; existing ones can still be changed', async () => {
    const { workspace } = await fixture.newTenant();
    const put = (model: string, inputAttoUsd: bigint) =>
      fixture.store.prices.put(
        { workspaceId: workspace.id, price: newPrice({ id: newId(), model, inputAttoUsd }), maxPrices: 2 },
        BY_TEST,
      );
    expect((await put('a', 1n))?.model).toBe('a');
    expect((await put('b', 1n))?.model).toBe('b');
    expect(await put('c', 1n)).toBeNull();
    expect((await put('b', 2n))?.inputAttoUsd).toBe(2n);
    expect((await fixture.store.prices.listActive(workspace.id, 1)).map(({ model }) => model)).toEqual(['a']);
  });
});

describe('users', () => {
  test('every page equals its part of the full list, from either end', async () => {
    const tenant = await fixture.newTenant();
    const { workspace } = tenant;
    for (const userId of ['ada', 'bob', 'carl', 'dora', 'eve']) {
      await fixture.startRun(tenant, { userId });
      if (userId !== 'carl') fixture.clock.advance(1);
    }
    for (const userId of ['never 1', 'never 2'])
      await fixture.store.users.setBlocked({ workspaceId: workspace.id, userId, blocked: true }, BY_TEST);
    const list = async (offset: number, limit: number) => {
      const page = { workspaceId: workspace.id, blocked: null, offset, limit };
      const { items, total } = await fixture.store.users.list(page);
      expect(total).toBe(7);
      return items.map(({ userId }) => userId);
    };
    const all = await list(0, 100);
    expect(all).toEqual(['eve', 'carl', 'dora', 'bob', 'ada', 'never 1', 'never 2']);
    for (let offset = 0; offset < 9; offset += 1)
      for (const limit of [1, 2, 3, 100])
        expect(await list(offset, limit)).toEqual(all.slice(offset, offset + limit));
    expect(await list(2 ** 31 * 100, 100)).toEqual([]);
  });

  test('a user without runs can be blocked and unblocked', async () => {
    const { workspace } = await fixture.newTenant();
    const user = { workspaceId: workspace.id, userId: 'o\'brien "x"', blocked: true };
    const unknown = unknownUser(user.userId);
    const block = { blocked: true, blockNote: null, blockedAt: now(), blockedBy: BY_TEST.actor.label };
    expect(await fixture.store.users.setBlocked(user, BY_TEST)).toEqual({ ...unknown, ...block });
    expect(await fixture.store.users.find(user)).toEqual({ ...unknown, ...block });
    expect(await fixture.store.users.setBlocked({ ...user, blocked: false }, BY_TEST)).toEqual(unknown);
  });

  test('a block keeps its note until another is given, and decisions do not change it', async () => {
    const tenant = await fixture.newTenant();
    const user = { workspaceId: tenant.workspace.id, userId: 'ada' };
    const setNote = (note?: string | null) =>
      fixture.store.users.setBlocked({ ...user, blocked: true, note }, BY_TEST);
    const since = now();
    await setNote('Why');
    fixture.clock.advance(1_000);
    expect(await setNote()).toMatchObject({ blockNote: 'Why', blockedAt: since });
    await fixture.startRun(tenant, { userId: 'ada' });
    expect(await fixture.store.users.find(user)).toMatchObject({
      blocked: true,
      blockNote: 'Why',
      lastSeenAt: now(),
    });
    expect(await setNote('Another')).toMatchObject({ blockNote: 'Another', blockedAt: now() });
    expect(await setNote(null)).toMatchObject({ blocked: true, blockNote: null });
  });

  test('a prefix finds users in the order of their ids, with pages and filters', async () => {
    const { workspace } = await fixture.newTenant();
    const names = ['a', 'a%', 'aB', 'a～', 'a😀', 'b', 'A', 'ab'];
    for (const userId of names)
      await fixture.store.users.setBlocked({ workspaceId: workspace.id, userId, blocked: true }, BY_TEST);
    await fixture.store.users.setBlocked(
      { workspaceId: workspace.id, userId: 'ab', blocked: false },
      BY_TEST,
    );
    const find = async (
      prefix: string,
      query: { blocked?: boolean; offset?: number; limit?: number } = {},
    ) => {
      const { items, total } = await fixture.store.users.list({
        workspaceId: workspace.id,
        blocked: null,
        offset: 0,
        limit: 10,
        prefix,
        ...query,
      });
      return [items.map(({ userId }) => userId), total];
    };
    expect(await find('a')).toEqual([['a', 'a%', 'aB', 'ab', 'a～', 'a😀'], 6]);
    expect(await find('a', { offset: 2, limit: 2 })).toEqual([['aB', 'ab'], 6]);
    expect(await find('a', { offset: 9 })).toEqual([[], 6]);
    expect(await find('a', { blocked: true })).toEqual([['a', 'a%', 'aB', 'a～', 'a😀'], 5]);
    expect(await find('a%')).toEqual([['a%'], 1]);
    expect(await find('z')).toEqual([[], 0]);
  });

  test('users are found by their names, and those that are blocked', async () => {
    const tenant = await fixture.newTenant();
    const workspaceId = tenant.workspace.id;
    for (const userId of ['ada', 'bob']) await fixture.startRun(tenant, { userId });
    await fixture.store.users.setBlocked({ workspaceId, userId: 'bob', blocked: true }, BY_TEST);
    await fixture.store.users.setBlocked({ workspaceId, userId: 'carl', blocked: true }, BY_TEST);
    const userIds = ['bob', 'ada', 'nobody', '"[]'];
    const listed = await fixture.store.users.listNamed({ workspaceId, userIds });
    expect(listed.map(({ userId }) => userId).sort()).toEqual(['ada', 'bob']);
    expect(await fixture.store.users.findBlocked({ workspaceId, userIds })).toEqual(['bob']);
    const other = (await fixture.newTenant()).workspace.id;
    expect(await fixture.store.users.listNamed({ workspaceId: other, userIds })).toEqual([]);
    expect(await fixture.store.users.find({ workspaceId: other, userId: 'ada' })).toBeNull();
  });

  test('unblocking an unknown user returns a user and writes nothing', async () => {
    const { workspace } = await fixture.newTenant();
    const user = { workspaceId: workspace.id, userId: 'nemo', blocked: false };
    expect(await fixture.store.users.setBlocked(user, BY_TEST)).toEqual(unknownUser('nemo'));
    const query = { workspaceId: workspace.id, blocked: null, offset: 0, limit: 10 };
    expect(await fixture.store.users.list(query)).toEqual({ items: [], total: 0 });
  });

  test('lists have the most recently seen first, those never seen last, and filter by blocked', async () => {
    const tenant = await fixture.newTenant();
    const { workspace } = tenant;
    const setBlocked = (userId: string) =>
      fixture.store.users.setBlocked({ workspaceId: workspace.id, userId, blocked: true }, BY_TEST);
    await setBlocked('never-b');
    await setBlocked('never-a');
    for (const userId of ['first', 'second']) {
      fixture.clock.advance(1_000);
      await fixture.startRun(tenant, { userId });
    }
    const list = (query: { blocked: boolean | null; offset?: number; limit?: number }) =>
      fixture.store.users.list({ workspaceId: workspace.id, offset: 0, limit: 10, ...query });
    const all = await list({ blocked: null });
    expect(all.items.map(({ userId }) => userId)).toEqual(['second', 'first', 'never-a', 'never-b']);
    expect(all.total).toBe(4);
    expect((await list({ blocked: true })).items.map(({ userId }) => userId)).toEqual(['never-a', 'never-b']);
    expect((await list({ blocked: false })).total).toBe(2);
    const page = await list({ blocked: null, offset: 1, limit: 2 });
    expect(page.items.map(({ userId }) => userId)).toEqual(['first', 'never-a']);
    expect(all.items[0]).toMatchObject({ runCount: 1, lastSeenAt: now() });
  });
});

describe('failed sign-ins', () => {
  test('the newest of a subject are listed, and old ones are deleted', async () => {
    const { loginFailures } = fixture.store;
    for (const failedAt of [100, 200, 300]) {
      await loginFailures.record({ subjects: ['email:a', 'address:b'], failedAt, forgetBefore: 0 });
    }
    expect(await loginFailures.listRecent({ subject: 'email:a', since: 100, limit: 10 })).toEqual([300, 200]);
    expect(await loginFailures.listRecent({ subject: 'address:b', since: 0, limit: 2 })).toEqual([300, 200]);
    await loginFailures.record({ subjects: ['email:c'], failedAt: 400, forgetBefore: 300 });
    expect(await loginFailures.listRecent({ subject: 'email:a', since: 0, limit: 10 })).toEqual([300]);
  });

  test('however many are old, each record deletes a bounded number of them, the oldest first', async () => {
    const { loginFailures } = fixture.store;
    const old = 2 * MAX_FAILURES_FORGOTTEN + 1;
    for (const failedAt of [1_000, 2_000])
      await loginFailures.record({ subjects: Array(old).fill(`old:${failedAt}`), failedAt, forgetBefore: 0 });
    const remaining = async () =>
      Promise.all(
        [1_000, 2_000].map(async (failedAt) => {
          const query = { subject: `old:${failedAt}`, since: 0, limit: 10 * old };
          return (await loginFailures.listRecent(query)).length;
        }),
      );
    const sweep = (forgetBefore: number) =>
      loginFailures.record({ subjects: ['email:d'], failedAt: 3_000, forgetBefore });
    await sweep(1_000);
    expect(await remaining()).toEqual([old, old]);
    await sweep(3_000);
    expect(await remaining()).toEqual([old - MAX_FAILURES_FORGOTTEN, old]);
    for (let count = 0; count < 4; count += 1) await sweep(3_000);
    expect(await remaining()).toEqual([0, 0]);
  });
});

describe('maintenance', () => {
  test('the first secret under a name is kept', async () => {
    const kept = await Promise.all(
      ['one', 'two', 'three'].map((candidate) => fixture.store.maintenance.keepSecret('test', candidate)),
    );
    expect(new Set(kept).size).toBe(1);
    expect(await fixture.store.maintenance.keepSecret('test', 'four')).toBe(kept[0]);
  });

  test('verify names the counter that differs from the ledger, and nothing else', async () => {
    const tenant = await fixture.newTenant();
    const run = await fixture.startRun(tenant);
    await fixture.createStep(tenant, { runId: run.id, model: 'gpt' });
    const about = async () =>
      (await fixture.store.maintenance.verify()).differences.filter(({ counter }) =>
        counter.includes(tenant.workspace.id),
      );
    expect(await about()).toEqual([]);
    await fixture.store.batches.commit([noNeeds(tenant.workspace.id)], ([facts]) => {
      if (facts === undefined) throw new Error('No facts');
      return [{ ...noChanges(facts), startedRuns: 1 }];
    });
    expect(await about()).toEqual([
      {
        counter: `workspace_days ${tenant.workspace.id}/${dayOf(now())}`,
        stored: expect.stringContaining('run_count=2'),
        recomputed: expect.stringContaining('run_count=1'),
      },
    ]);
  });
});

describe('copies', () => {
  test('rows are read in pages without a gap, and a copy is equal to its original', async () => {
    const tenant = await fixture.newTenant();
    const run = await fixture.startRun(tenant, { metadata: AWKWARD_TEXT });
    for (let index = 0; index < 5; index += 1)
      await fixture.createStep(tenant, { runId: run.id, model: 'gpt' });
    const target = await openStoreFixture();
    try {
      for (const { name: table, generated = '' } of TABLES) {
        const read: CopyRow[] = [];
        for (
          let page = await readPage(table, null);
          page.length > 0;
          page = await readPage(table, read.at(-1))
        ) {
          await target.store.copy.writeRows(table, page);
          read.push(...page);
        }
        expect(read).toHaveLength(await fixture.store.copy.countRows(table));
        const copied = await target.store.copy.readRows(table, { after: null, limit: read.length + 1 });
        expect(copied.map(withoutColumn(generated))).toEqual(read.map(withoutColumn(generated)));
      }
    } finally {
      await target.close();
    }
  });

  const readPage = (table: string, after: CopyRow | null | undefined) =>
    fixture.store.copy.readRows(table, { after: after ?? null, limit: 3 });

  const withoutColumn = (generated: string) => (row: CopyRow) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => column !== generated));
});
