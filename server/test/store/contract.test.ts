/** What every store promises, method by method: the same file runs on each of them. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { badRequest } from '../../src/domain/app-error.js';
import { newStepReport } from '../../src/domain/decide.js';
import type { RememberedAnswer } from '../../src/domain/idempotency.js';
import { dayOf } from '../../src/domain/period.js';
import { NO_USAGE } from '../../src/domain/usage.js';
import { changeSettings } from '../../src/domain/workspace.js';
import { COPY_TABLES, type CopyRow, type CopyTable, writtenColumns } from '../../src/store/copy-tables.js';
import type { BatchChanges, BatchFacts, BatchNeeds } from '../../src/store/store.js';
import {
  newPrice,
  newTenant,
  newTestApiKey,
  openStoreFixture,
  type StoreFixture,
  type StoreTenant,
} from '../support/store-fixture.js';

const ATTO_PER_MICRO = 10n ** 12n;
const AWKWARD_TEXT = '{"quotes":"\\"\'","braces":"{},NULL","backslash":"\\\\","emoji":"🦑","spaces":" \\t "}';

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStoreFixture();
});
afterAll(() => fixture.close());

const newId = () => fixture.newId();
const now = () => fixture.clock.now();

describe('the store itself', () => {
  test('tells its clock, answers a ping and says where it lives', async () => {
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
        fixture.store.accounts.register(account, workspace, apiKey),
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
    const change = { accountId: account.id, passwordHash: 'new', expectedTokenVersion: 1 };
    expect(await fixture.store.accounts.changePassword(change)).toEqual({
      ...account,
      passwordHash: 'new',
      tokenVersion: 2,
    });
    expect(await fixture.store.accounts.changePassword(change)).toBeNull();
    expect((await fixture.store.accounts.find(account.id))?.tokenVersion).toBe(2);
  });
});

describe('API keys', () => {
  test('a key is found by its prefix and listed newest first', async () => {
    const { apiKey, workspace } = await fixture.newTenant();
    const newer = newTestApiKey({ newId, now: now() + 1, workspaceId: workspace.id });
    await fixture.store.apiKeys.insert({ ...newer, label: 'ci' });
    expect(await fixture.store.apiKeys.findByPrefix(newer.prefix)).toEqual({ ...newer, label: 'ci' });
    expect((await fixture.store.apiKeys.list(workspace.id)).map(({ id }) => id)).toEqual([
      newer.id,
      apiKey.id,
    ]);
  });

  test('a key created with an Idempotency-Key is created once, however many try at once', async () => {
    const { workspace } = await fixture.newTenant();
    const attempts = Array.from({ length: 6 }, (_, index) => ({
      apiKey: newTestApiKey({ newId, now: now() + 1, workspaceId: workspace.id }),
      answer: { keyHash: 'once', requestHash: 'r', answer: `"${index}"`, createdAt: 9_000 },
      rememberedSince: 500,
    }));
    const outcomes = await Promise.all(attempts.map((attempt) => fixture.store.apiKeys.insertOnce(attempt)));
    const winner = attempts[outcomes.indexOf(null)];
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
    for (const outcome of outcomes) if (outcome !== null) expect(outcome).toEqual(winner?.answer);
    expect(await fixture.store.apiKeys.list(workspace.id)).toHaveLength(2);
    const late = { ...attempts[0], rememberedSince: 9_000 } as (typeof attempts)[number];
    const again = { ...late, apiKey: newTestApiKey({ newId, now: now(), workspaceId: workspace.id }) };
    expect(await fixture.store.apiKeys.insertOnce(again)).toBeNull();
  });

  test('revoking says whether there was such a key, and only within its workspace', async () => {
    const { apiKey, workspace } = await fixture.newTenant();
    const other = await fixture.newTenant();
    const revoke = (key: { workspaceId: string; apiKeyId: string }) => fixture.store.apiKeys.revoke(key);
    expect(await revoke({ workspaceId: other.workspace.id, apiKeyId: apiKey.id })).toBe(false);
    expect(await revoke({ workspaceId: workspace.id, apiKeyId: apiKey.id })).toBe(true);
    expect(await revoke({ workspaceId: workspace.id, apiKeyId: apiKey.id })).toBe(true);
    expect((await fixture.store.apiKeys.findByPrefix(apiKey.prefix))?.isActive).toBe(false);
  });

  test('replacing revokes every earlier key of the workspace and of no other', async () => {
    const { apiKey, workspace } = await fixture.newTenant();
    const other = await fixture.newTenant();
    const replacement = newTestApiKey({ newId, now: now() + 1, workspaceId: workspace.id });
    await fixture.store.apiKeys.replaceAll(replacement);
    const keys = await fixture.store.apiKeys.list(workspace.id);
    expect(keys.map(({ id, isActive }) => [id, isActive])).toEqual([
      [replacement.id, true],
      [apiKey.id, false],
    ]);
    expect((await fixture.store.apiKeys.findByPrefix(other.apiKey.prefix))?.isActive).toBe(true);
  });

  test('the last use of a key is kept', async () => {
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
    const changed = await fixture.store.workspaces.change(workspace.id, (found) =>
      changeSettings(found, settings),
    );
    expect(changed).toEqual({ ...workspace, ...settings });
    expect(await fixture.store.workspaces.find(workspace.id)).toEqual(changed);
  });

  test('what a change throws leaves the workspace as it was', async () => {
    const { workspace } = await fixture.newTenant();
    const refused = fixture.store.workspaces.change(workspace.id, () => {
      throw badRequest('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await fixture.store.workspaces.find(workspace.id)).toEqual(workspace);
  });

  test('changes made at the same time are all kept', async () => {
    const { workspace } = await fixture.newTenant();
    await Promise.all(
      Array.from({ length: 20 }, () =>
        fixture.store.workspaces.change(workspace.id, (found) => ({
          ...found,
          maxConcurrentRuns: found.maxConcurrentRuns + 1,
        })),
      ),
    );
    const found = await fixture.store.workspaces.find(workspace.id);
    expect(found?.maxConcurrentRuns).toBe(workspace.maxConcurrentRuns + 20);
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
      await fixture.store.prices.put(workspace.id, newPrice({ id: newId(), model, inputAttoUsd: 1n }));
    }
    const [first] = await fixture.store.prices.listActive(workspace.id);
    const replaced = await fixture.store.prices.put(workspace.id, {
      ...newPrice({ id: newId(), model: 'B', inputAttoUsd: 10n ** 24n }),
      outputAttoUsd: 3n,
    });
    expect(replaced).toEqual({ ...first, inputAttoUsd: 10n ** 24n, outputAttoUsd: 3n });
    await fixture.store.prices.put(workspace.id, { ...replaced, model: 'b', isActive: false });
    const listed = await fixture.store.prices.listActive(workspace.id);
    expect(listed.map(({ model }) => model)).toEqual(['B', 'a-b', 'a/ä', 'é']);
  });
});

describe('users', () => {
  test('a user who never ran can be blocked and unblocked', async () => {
    const { workspace } = await fixture.newTenant();
    const user = { workspaceId: workspace.id, userId: 'o\'brien "x"', blocked: true };
    const expected = {
      userId: user.userId,
      blocked: true,
      runCount: 0,
      spendTodayPicoUsd: 0n,
      lastSeenAt: null,
    };
    expect(await fixture.store.users.setBlocked(user)).toEqual(expected);
    expect(await fixture.store.users.setBlocked({ ...user, blocked: false })).toEqual({
      ...expected,
      blocked: false,
    });
  });

  test('lists put the most recently seen first, those never seen last, and filter by block', async () => {
    const { workspace, caller } = await fixture.newTenant();
    const setBlocked = (userId: string) =>
      fixture.store.users.setBlocked({ workspaceId: workspace.id, userId, blocked: true });
    await setBlocked('never-b');
    await setBlocked('never-a');
    for (const userId of ['first', 'second']) {
      fixture.clock.advance(1_000);
      await fixture.engine.startRun(caller, { id: newId(), userId, metadata: null });
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

describe('batches', () => {
  test('facts are everything that exists and nothing that does not', async () => {
    const tenant = await fixture.newTenant();
    const { workspace, caller } = tenant;
    const price = newPrice({ id: newId(), model: 'gpt', inputAttoUsd: ATTO_PER_MICRO });
    await fixture.store.prices.put(workspace.id, price);
    const run = await fixture.engine.startRun(caller, { id: newId(), userId: 'ada', metadata: null });
    const step = await createStep(tenant, { runId: run.id, model: 'gpt' });
    const unpriced = await createStep(tenant, { runId: run.id, model: 'unpriced' });
    await fixture.engine.updateStep(caller, {
      runId: run.id,
      stepId: step.id,
      report: newStepReport({ status: 'COMPLETED', durationMs: 5, promptTokens: 10, completionTokens: 20 }),
    });
    await fixture.store.users.setBlocked({ workspaceId: workspace.id, userId: 'bob', blocked: true });

    const facts = await readFacts({
      workspaceId: workspace.id,
      apiKeyIds: new Set([caller.apiKeyId, newId()]),
      startingUserIds: new Set(['bob', 'new']),
      runIds: new Set([run.id, newId()]),
      steps: [
        { runId: run.id, stepId: step.id },
        { runId: run.id, stepId: unpriced.id },
        { runId: newId(), stepId: step.id },
      ],
      idempotencyKeyHashes: new Set(['unknown']),
    });
    const usage = {
      costPicoUsd: 50n * 10n ** 6n,
      promptTokens: 10n,
      completionTokens: 20n,
      unpricedTokens: 0n,
    };
    expect(facts).toEqual({
      now: now(),
      workspace,
      activeApiKeyIds: new Set([caller.apiKeyId]),
      runCounts: { RUNNING: 1, COMPLETED: 0, FAILED: 0, BLOCKED: 0 },
      monthlyRunCount: 1,
      usageToday: usage,
      users: new Map([
        ['ada', { blocked: false, usageToday: usage }],
        ['bob', { blocked: true, usageToday: NO_USAGE }],
        ['new', { blocked: false, usageToday: NO_USAGE }],
      ]),
      runs: new Map([
        [
          run.id,
          {
            id: run.id,
            userId: 'ada',
            status: 'RUNNING',
            endedAt: null,
            stepCount: 2,
            totalTokens: 30n,
            totalCostPicoUsd: usage.costPicoUsd,
          },
        ],
      ]),
      steps: new Map([
        [
          step.id,
          {
            id: step.id,
            runId: run.id,
            status: 'COMPLETED',
            model: 'gpt',
            durationMs: 5,
            promptTokens: 10,
            completionTokens: 20,
          },
        ],
        [unpriced.id, expect.objectContaining({ status: 'ALLOWED', promptTokens: null })],
      ]),
      prices: new Map([['gpt', price]]),
      modelUsageToday: new Map([
        ['gpt', usage],
        ['unpriced', NO_USAGE],
      ]),
      rememberedAnswers: new Map(),
    });
  });

  test('what decide throws writes nothing', async () => {
    const { workspace } = await fixture.newTenant();
    const failed = fixture.store.batches.commit([noNeeds(workspace.id)], () => {
      throw new Error('decided badly');
    });
    await expect(failed).rejects.toThrow('decided badly');
    expect((await readFacts(noNeeds(workspace.id))).runCounts.RUNNING).toBe(0);
  });

  test('batches of one workspace committed at once count one after the other', async () => {
    const { workspace } = await fixture.newTenant();
    const seen: number[] = [];
    await Promise.all(
      Array.from({ length: 12 }, () =>
        fixture.store.batches.commit([noNeeds(workspace.id)], ([facts]) => {
          if (facts === undefined) throw new Error('No facts');
          seen.push(facts.runCounts.RUNNING);
          return [{ ...noChanges(facts), runCounts: { RUNNING: 1, COMPLETED: 0, FAILED: 0, BLOCKED: 0 } }];
        }),
      ),
    );
    expect(seen.sort((left, right) => left - right)).toEqual(Array.from({ length: 12 }, (_, index) => index));
  });

  test('one batch may hold several workspaces', async () => {
    const tenants = await Promise.all([fixture.newTenant(), fixture.newTenant(), fixture.newTenant()]);
    const needs = tenants.map(({ workspace }) => noNeeds(workspace.id));
    await fixture.store.batches.commit(needs, (facts) => {
      expect(facts.map(({ workspace }) => workspace.id)).toEqual(needs.map(({ workspaceId }) => workspaceId));
      return facts.map((found) => ({ ...noChanges(found), startedRuns: 1 }));
    });
    for (const need of needs) expect((await readFacts(need)).monthlyRunCount).toBe(1);
  });

  test('in a batch of several workspaces each has its own facts, though everything has the same name', async () => {
    const tenants = await Promise.all([fixture.newTenant(), fixture.newTenant(), fixture.newTenant()]);
    const needs: BatchNeeds[] = [];
    for (const [index, tenant] of tenants.entries()) {
      const { workspace, caller } = tenant;
      const price = newPrice({ id: newId(), model: 'gpt', inputAttoUsd: ATTO_PER_MICRO * BigInt(index + 1) });
      if (index > 0) await fixture.store.prices.put(workspace.id, price);
      const idempotency = { keyHash: 'same', requestHash: `request ${index}` };
      const order = { id: newId(), userId: 'ada', metadata: null };
      const run = await fixture.engine.startRun({ ...caller, idempotency }, order);
      const step = await createStep(tenant, { runId: run.id, model: 'gpt' });
      const report = { status: 'COMPLETED' as const, durationMs: index, completionTokens: 0 };
      await fixture.engine.updateStep(caller, {
        runId: run.id,
        stepId: step.id,
        report: newStepReport({ ...report, promptTokens: 10 + index }),
      });
      needs.push({
        workspaceId: workspace.id,
        apiKeyIds: new Set([caller.apiKeyId]),
        startingUserIds: new Set(['ada', 'bob']),
        runIds: new Set([run.id]),
        steps: [{ runId: run.id, stepId: step.id }],
        idempotencyKeyHashes: new Set(['same']),
      });
    }
    const blocked = tenants[1]?.workspace.id ?? '';
    await fixture.store.users.setBlocked({ workspaceId: blocked, userId: 'ada', blocked: true });
    const alone: BatchFacts[] = [];
    for (const need of needs) alone.push(await readFacts(need));
    expect(new Set(alone.map(({ usageToday }) => usageToday.costPicoUsd)).size).toBe(3);
    for (const order of [needs, needs.toReversed()]) {
      let together: readonly BatchFacts[] = [];
      await fixture.store.batches.commit(order, (facts) => {
        together = facts;
        return [];
      });
      expect(together).toEqual(order === needs ? alone : alone.toReversed());
    }
    const [first, second] = needs;
    if (first === undefined || second === undefined) throw new Error('No needs');
    const foreign = { ...first, workspaceId: second.workspaceId };
    const { activeApiKeyIds, runs, steps } = await readFacts(foreign);
    expect([activeApiKeyIds.size, runs.size, steps.size]).toEqual([0, 0, 0]);
  });

  test('in a batch of several workspaces each has its own changes, though everything has the same name', async () => {
    const tenants = await Promise.all([fixture.newTenant(), fixture.newTenant(), fixture.newTenant()]);
    const needs = tenants.map(({ workspace }) => ({
      ...noNeeds(workspace.id),
      startingUserIds: new Set(['ada']),
      idempotencyKeyHashes: new Set(['same']),
    }));
    for (let round = 1; round <= 2; round += 1) {
      await fixture.store.batches.commit(needs.toReversed(), (facts) =>
        facts.map((found) => {
          const grows = needs.findIndex(({ workspaceId }) => workspaceId === found.workspace.id) + 1;
          const usage = { ...NO_USAGE, costPicoUsd: BigInt(grows), promptTokens: 1n };
          const runCounts = { ...NO_COUNTS, RUNNING: grows };
          return {
            ...noChanges(found),
            runCounts,
            usage,
            startedRuns: grows,
            users: new Map([['ada', { runCounts, usage, startedRuns: grows, lastSeenAt: round }]]),
            models: new Map([['gpt', { usage, reportedSteps: grows }]]),
            denials: new Map([['KILL_SWITCH_ACTIVE' as const, grows]]),
            newAnswers: [{ keyHash: 'same', requestHash: `${grows}`, answer: `${round}`, createdAt: now() }],
          };
        }),
      );
    }
    for (const [index, need] of needs.entries()) {
      const total = 2 * (index + 1);
      const facts = await readFacts(need);
      expect(facts.runCounts.RUNNING).toBe(total);
      expect(facts.monthlyRunCount).toBe(total);
      expect(facts.usageToday.costPicoUsd).toBe(BigInt(total));
      expect(facts.users.get('ada')?.usageToday.costPicoUsd).toBe(BigInt(total));
      expect(facts.rememberedAnswers.get('same')).toMatchObject({ requestHash: `${index + 1}`, answer: '2' });
      const { workspaceId } = need;
      const range = { workspaceId, from: dayOf(now()), to: dayOf(now()) };
      expect((await fixture.store.usage.listModels(range))[0]?.costPicoUsd).toBe(BigInt(total));
      expect((await fixture.store.usage.listDenials(range))[0]?.count).toBe(total);
      const page = { workspaceId, blocked: null, offset: 0, limit: 2 };
      expect((await fixture.store.users.list(page)).items).toEqual([
        {
          userId: 'ada',
          blocked: false,
          runCount: total,
          spendTodayPicoUsd: BigInt(total),
          lastSeenAt: 2,
        },
      ]);
    }
  });

  test('a batch with a workspace that does not exist writes nothing', async () => {
    const { workspace } = await fixture.newTenant();
    const failed = fixture.store.batches.commit([noNeeds(workspace.id), noNeeds(newId())], (facts) =>
      facts.map((found) => ({ ...noChanges(found), startedRuns: 1 })),
    );
    await expect(failed).rejects.toThrow('does not exist');
    expect((await readFacts(noNeeds(workspace.id))).monthlyRunCount).toBe(0);
  });

  test('payloads come back byte for byte', async () => {
    const tenant = await fixture.newTenant();
    const run = await fixture.engine.startRun(tenant.caller, {
      id: newId(),
      userId: AWKWARD_TEXT.slice(0, 100),
      metadata: AWKWARD_TEXT,
    });
    const key = { workspaceId: tenant.workspace.id, runId: run.id };
    expect(await fixture.store.runs.find(key)).toEqual({
      id: run.id,
      position: 1,
      userId: AWKWARD_TEXT.slice(0, 100),
      status: 'RUNNING',
      metadata: AWKWARD_TEXT,
      startedAt: now(),
      endedAt: null,
      stepCount: 0,
      totalTokens: 0n,
      totalCostPicoUsd: 0n,
      decision: { outcome: 'ALLOW', reason: null, evaluations: expect.any(Array) },
    });
    const step = await createStep(tenant, {
      runId: run.id,
      model: null,
      inputData: `[${AWKWARD_TEXT}, null]`,
    });
    expect(await fixture.store.runs.listSteps(key)).toEqual([
      {
        id: step.id,
        runId: run.id,
        type: 'MODEL_CALL',
        status: 'ALLOWED',
        sequence: 1,
        position: 1,
        model: null,
        toolName: null,
        inputData: `[${AWKWARD_TEXT}, null]`,
        promptTokens: null,
        completionTokens: null,
        costPicoUsd: null,
        durationMs: null,
        decision: { outcome: 'ALLOW', reason: null, evaluations: expect.any(Array) },
        createdAt: now(),
      },
    ]);
  });

  test('an answer is remembered until it is replaced or forgotten', async () => {
    const { workspace } = await fixture.newTenant();
    const other = await fixture.newTenant();
    const answer = { keyHash: 'k', requestHash: 'r', answer: AWKWARD_TEXT, createdAt: 1_000 };
    const needs = { ...noNeeds(workspace.id), idempotencyKeyHashes: new Set(['k', 'l']) };
    const remember = (newAnswers: RememberedAnswer[]) =>
      fixture.store.batches.commit([needs], ([facts]) => {
        if (facts === undefined) throw new Error('No facts');
        return [{ ...noChanges(facts), newAnswers }];
      });
    await remember([answer]);
    expect((await readFacts(needs)).rememberedAnswers).toEqual(new Map([['k', answer]]));
    await remember([
      { ...answer, requestHash: 'r2', createdAt: 2_000 },
      { ...answer, keyHash: 'l' },
    ]);
    expect((await readFacts(needs)).rememberedAnswers.get('k')?.requestHash).toBe('r2');
    expect((await readFacts({ ...needs, workspaceId: other.workspace.id })).rememberedAnswers.size).toBe(0);
    expect(await fixture.store.maintenance.forgetAnswers({ before: 1_500, limit: 10 })).toBe(1);
    expect([...(await readFacts(needs)).rememberedAnswers.keys()]).toEqual(['k']);
    expect(await fixture.store.maintenance.forgetAnswers({ before: 1_500, limit: 10 })).toBe(0);
  });

  test('the largest counter is held and read exactly', async () => {
    const { workspace } = await fixture.newTenant();
    const usage = { ...NO_USAGE, costPicoUsd: 2n ** 63n - 1n, promptTokens: 2n ** 63n - 1n };
    await fixture.store.batches.commit([noNeeds(workspace.id)], ([facts]) => {
      if (facts === undefined) throw new Error('No facts');
      return [{ ...noChanges(facts), usage }];
    });
    expect((await readFacts(noNeeds(workspace.id))).usageToday).toEqual(usage);
  });
});

describe('runs and steps', () => {
  test('lists are newest first, filtered, paged and counted', async () => {
    const tenant = await fixture.newTenant({ plan: 'enterprise' });
    const { caller, workspace } = tenant;
    const started = [];
    for (const userId of ['ada', 'bob', 'ada', 'ada']) {
      started.push(await fixture.engine.startRun(caller, { id: newId(), userId, metadata: null }));
    }
    const [first, second, third, fourth] = started.map(({ id }) => id);
    await fixture.engine.endRun(caller, { runId: third ?? '', status: 'FAILED' });
    const list = async (query: object) => {
      const page = await fixture.store.runs.list({
        workspaceId: workspace.id,
        status: null,
        userId: null,
        offset: 0,
        limit: 10,
        ...query,
      });
      return [page.items.map(({ id }) => id), page.total];
    };
    expect(await list({})).toEqual([[fourth, third, second, first], 4]);
    expect(await list({ offset: 1, limit: 2 })).toEqual([[third, second], 4]);
    expect(await list({ userId: 'ada' })).toEqual([[fourth, third, first], 3]);
    expect(await list({ status: 'BLOCKED' })).toEqual([[fourth], 1]);
    expect(await list({ status: 'RUNNING', userId: 'ada' })).toEqual([[first], 1]);
    expect(await list({ userId: 'nobody' })).toEqual([[], 0]);
    expect(await list({ offset: 10 })).toEqual([[], 4]);
    expect((await fixture.store.runs.find({ workspaceId: workspace.id, runId: third ?? '' }))?.endedAt).toBe(
      now(),
    );
  });

  test('steps are in order of sequence, then creation', async () => {
    const tenant = await fixture.newTenant();
    const run = await fixture.engine.startRun(tenant.caller, { id: newId(), userId: 'ada', metadata: null });
    const ids = [];
    for (const sequence of [2, 1, 2, 1]) {
      ids.push((await createStep(tenant, { runId: run.id, model: null, sequence })).id);
    }
    const steps = await fixture.store.runs.listSteps({ workspaceId: tenant.workspace.id, runId: run.id });
    expect(steps.map(({ id }) => id)).toEqual([ids[1], ids[3], ids[0], ids[2]]);
  });

  test('a run is not found in another workspace', async () => {
    const { caller } = await fixture.newTenant();
    const other = await fixture.newTenant();
    const run = await fixture.engine.startRun(caller, { id: newId(), userId: 'ada', metadata: null });
    const key = { workspaceId: other.workspace.id, runId: run.id };
    expect(await fixture.store.runs.find(key)).toBeNull();
    expect(await fixture.store.runs.listSteps(key)).toEqual([]);
  });

  test('the runs now running in all workspaces are counted together', async () => {
    const before = await fixture.store.runs.countActive();
    const { caller } = await fixture.newTenant();
    const run = await fixture.engine.startRun(caller, { id: newId(), userId: 'ada', metadata: null });
    expect(await fixture.store.runs.countActive()).toBe(before + 1);
    await fixture.engine.endRun(caller, { runId: run.id, status: 'COMPLETED' });
    expect(await fixture.store.runs.countActive()).toBe(before);
  });
});

describe('usage', () => {
  test('days, models, users and denials are reported for the range, in their order', async () => {
    const tenant = await fixture.newTenant();
    const { workspace, caller } = tenant;
    const cheap = newPrice({ id: newId(), model: 'cheap', inputAttoUsd: ATTO_PER_MICRO });
    const dear = newPrice({ id: newId(), model: 'dear', inputAttoUsd: ATTO_PER_MICRO * 100n });
    for (const price of [cheap, dear]) await fixture.store.prices.put(workspace.id, price);
    const firstDay = dayOf(now());
    for (const [userId, model] of [
      ['ada', 'cheap'],
      ['bob', 'dear'],
      ['bob', 'free'],
    ] as const) {
      const run = await fixture.engine.startRun(caller, { id: newId(), userId, metadata: null });
      const step = await createStep(tenant, { runId: run.id, model });
      await fixture.engine.updateStep(caller, {
        runId: run.id,
        stepId: step.id,
        report: newStepReport({
          status: 'COMPLETED',
          durationMs: null,
          promptTokens: 7,
          completionTokens: 0,
        }),
      });
    }
    await fixture.engine.startRun(caller, { id: newId(), userId: 'ada', metadata: null });
    fixture.clock.advance(86_400_000);
    const secondDay = dayOf(now());
    await fixture.store.workspaces.change(workspace.id, (found) => ({ ...found, killSwitch: true }));
    await fixture.engine.startRun(caller, { id: newId(), userId: 'ada', metadata: null });

    const range = { workspaceId: workspace.id, from: firstDay, to: secondDay };
    const micro = 10n ** 6n;
    const days = await fixture.store.usage.listDays(range);
    expect(days).toEqual([
      {
        day: firstDay,
        costPicoUsd: 707n * micro,
        promptTokens: 21n,
        completionTokens: 0n,
        unpricedTokens: 7n,
        runCount: 3,
      },
    ]);
    const modelDays = await fixture.store.usage.listModelDays(range);
    expect(modelDays.map(({ day, model }) => [day, model])).toEqual([
      [firstDay, 'cheap'],
      [firstDay, 'dear'],
      [firstDay, 'free'],
    ]);
    const models = await fixture.store.usage.listModels(range);
    expect(models.map(({ model, costPicoUsd }) => [model, costPicoUsd])).toEqual([
      ['dear', 700n * micro],
      ['cheap', 7n * micro],
      ['free', 0n],
    ]);
    expect(await fixture.store.usage.listUsers(range, 10)).toEqual([
      { userId: 'bob', costPicoUsd: 700n * micro, runCount: 2 },
      { userId: 'ada', costPicoUsd: 7n * micro, runCount: 1 },
    ]);
    expect(await fixture.store.usage.listUsers(range, 1)).toHaveLength(1);
    expect(await fixture.store.usage.listDenials(range)).toEqual([
      { day: firstDay, reason: 'MAX_CONCURRENT_RUNS_EXCEEDED', count: 1 },
      { day: secondDay, reason: 'KILL_SWITCH_ACTIVE', count: 1 },
    ]);
    expect(await fixture.store.usage.listDays({ ...range, from: secondDay })).toEqual([]);
  });

  test('models and users of equal cost are in the order of their UTF-8 bytes', async () => {
    const { workspace } = await fixture.newTenant();
    // In UTF-16 the second would come before the first.
    const names = ['～', '😀'];
    const usage = { ...NO_USAGE, promptTokens: 1n };
    const user = { runCounts: NO_COUNTS, usage, startedRuns: 0, lastSeenAt: null };
    await fixture.store.batches.commit([noNeeds(workspace.id)], ([facts]) => {
      if (facts === undefined) throw new Error('No facts');
      return [
        {
          ...noChanges(facts),
          usage,
          models: new Map(names.map((name) => [name, { reportedSteps: 1, usage }])),
          users: new Map(names.map((name) => [name, user])),
        },
      ];
    });
    const range = { workspaceId: workspace.id, from: dayOf(now()), to: dayOf(now()) };
    const { usage: usageStore } = fixture.store;
    expect((await usageStore.listModels(range)).map(({ model }) => model)).toEqual(names);
    expect((await usageStore.listUsers(range, 10)).map(({ userId }) => userId)).toEqual(names);
  });

  test('thirty days at the limit of a counter are summed exactly', async () => {
    const { workspace } = await fixture.newTenant();
    const usage = { ...NO_USAGE, costPicoUsd: 2n ** 63n - 1n };
    const change = { reportedSteps: 1, usage };
    const user = { runCounts: NO_COUNTS, usage, startedRuns: 0, lastSeenAt: null };
    const from = dayOf(now());
    for (let day = 0; day < 3; day += 1) {
      await fixture.store.batches.commit([noNeeds(workspace.id)], ([facts]) => {
        if (facts === undefined) throw new Error('No facts');
        return [
          { ...noChanges(facts), usage, models: new Map([['m', change]]), users: new Map([['u', user]]) },
        ];
      });
      fixture.clock.advance(86_400_000);
    }
    const range = { workspaceId: workspace.id, from, to: dayOf(now()) };
    expect((await fixture.store.usage.listModels(range))[0]?.costPicoUsd).toBe(3n * usage.costPicoUsd);
    expect((await fixture.store.usage.listUsers(range, 5))[0]?.costPicoUsd).toBe(3n * usage.costPicoUsd);
  });
});

describe('failed sign-ins', () => {
  test('the newest of a subject are listed, and old ones are forgotten', async () => {
    const { loginFailures } = fixture.store;
    for (const failedAt of [100, 200, 300]) {
      await loginFailures.record({ subjects: ['email:a', 'address:b'], failedAt, forgetBefore: 0 });
    }
    expect(await loginFailures.listRecent({ subject: 'email:a', since: 100, limit: 10 })).toEqual([300, 200]);
    expect(await loginFailures.listRecent({ subject: 'address:b', since: 0, limit: 2 })).toEqual([300, 200]);
    await loginFailures.record({ subjects: ['email:c'], failedAt: 400, forgetBefore: 300 });
    expect(await loginFailures.listRecent({ subject: 'email:a', since: 0, limit: 10 })).toEqual([300]);
  });
});

describe('maintenance', () => {
  test('the first secret under a name is the one that stays', async () => {
    const kept = await Promise.all(
      ['one', 'two', 'three'].map((candidate) => fixture.store.maintenance.keepSecret('test', candidate)),
    );
    expect(new Set(kept).size).toBe(1);
    expect(await fixture.store.maintenance.keepSecret('test', 'four')).toBe(kept[0]);
  });

  test('verify names the counter that differs from the ledger, and nothing else', async () => {
    const tenant = await fixture.newTenant();
    const run = await fixture.engine.startRun(tenant.caller, { id: newId(), userId: 'ada', metadata: null });
    await createStep(tenant, { runId: run.id, model: 'gpt' });
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
    const run = await fixture.engine.startRun(tenant.caller, {
      id: newId(),
      userId: 'ada',
      metadata: AWKWARD_TEXT,
    });
    for (let index = 0; index < 5; index += 1) await createStep(tenant, { runId: run.id, model: 'gpt' });
    const target = await openStoreFixture();
    try {
      for (const table of COPY_TABLES) {
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
        expect(copied.map(withoutGenerated(table))).toEqual(read.map(withoutGenerated(table)));
      }
    } finally {
      await target.close();
    }
  });

  const readPage = (table: CopyTable, after: CopyRow | null | undefined) =>
    fixture.store.copy.readRows(table, { after: after ?? null, limit: 3 });

  const withoutGenerated = (table: CopyTable) => (row: CopyRow) =>
    Object.fromEntries(writtenColumns(table).map((column) => [column, row[column]]));
});

const NO_COUNTS = { RUNNING: 0, COMPLETED: 0, FAILED: 0, BLOCKED: 0 };

function noNeeds(workspaceId: string): BatchNeeds {
  return {
    workspaceId,
    apiKeyIds: new Set(),
    startingUserIds: new Set(['someone']),
    runIds: new Set(),
    steps: [],
    idempotencyKeyHashes: new Set(),
  };
}

function noChanges(facts: BatchFacts): BatchChanges {
  return {
    workspaceId: facts.workspace.id,
    day: dayOf(facts.now),
    newRuns: [],
    changedRuns: [],
    newSteps: [],
    reportedSteps: [],
    runCounts: NO_COUNTS,
    usage: NO_USAGE,
    startedRuns: 0,
    users: new Map(),
    models: new Map(),
    denials: new Map(),
    newAnswers: [],
  };
}

async function readFacts(needs: BatchNeeds): Promise<BatchFacts> {
  let read: BatchFacts | undefined;
  await fixture.store.batches.commit([needs], ([facts]) => {
    read = facts;
    return [];
  });
  if (read === undefined) throw new Error('No facts');
  return read;
}

function createStep(
  { caller }: StoreTenant,
  given: { runId: string; model: string | null; sequence?: number; inputData?: string },
) {
  return fixture.engine.createStep(caller, {
    id: newId(),
    runId: given.runId,
    type: 'MODEL_CALL',
    sequence: given.sequence ?? 1,
    model: given.model,
    toolName: null,
    inputData: given.inputData ?? null,
  });
}
