/** The contract of every store about reports. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { dayOf, lastDays } from '../../src/domain/period.js';
import { NO_PARTS, NO_USAGE } from '../../src/domain/usage.js';
import type { StepCursor, StepPageQuery } from '../../src/store/store.js';
import { NO_COUNTS, noChanges, noNeeds } from '../support/batch-fixture.js';
import { BY_TEST } from '../support/by-test.js';
import { campaignSeed } from '../support/campaign.js';
import { listAllSteps } from '../support/run-steps.js';
import { newReport } from '../support/seed.js';
import { MANY_PRICES, newPrice, openStoreFixture, type StoreFixture } from '../support/store-fixture.js';

const ATTO_PER_MICRO = 10n ** 12n;

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStoreFixture();
});
afterAll(() => fixture.close());

const newId = () => fixture.newId();
const now = () => fixture.clock.now();

describe('runs and steps', () => {
  test('lists are newest first, filtered, paged and counted', async () => {
    const tenant = await fixture.newTenant({ plan: 'enterprise' });
    const { caller, workspace } = tenant;
    const started = [];
    for (const userId of ['ada', 'bob', 'ada', 'ada']) {
      started.push(await fixture.startRun(tenant, { userId }));
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

  test('runs that the service ended, and idle ones, are listed and counted', async () => {
    const tenant = await fixture.newTenant({ plan: 'enterprise' });
    const { caller, workspace } = tenant;
    await fixture.store.workspaces.change(
      workspace.id,
      {
        kind: 'settings',
        settings: { maxConcurrentRuns: 100, runLeaseSeconds: null },
      },
      BY_TEST,
    );
    const ids: string[] = [];
    for (const [userId, leaseSeconds] of [
      ['ada', 10],
      ['bob', 10],
      ['ada', 3600],
      ['ada', 3600],
      ['bob', 3600],
      ['ada', 3600],
    ] as const) {
      ids.push((await fixture.startRun(tenant, { userId, leaseSeconds })).id);
    }
    const [expired, expiredOfBob, idle, stopped, idleOfBob, active] = ids;
    await fixture.startRun(tenant, { userId: 'without a lease' });
    await fixture.engine.stopRun(caller, { runId: stopped ?? '', entryId: randomUUID(), origin: BY_TEST });
    fixture.clock.advance(300_000 - 1);
    await fixture.engine.expireRuns(workspace.id);
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
    expect(await list({ endReason: 'LEASE_EXPIRED' })).toEqual([[expiredOfBob, expired], 2]);
    expect(await list({ endReason: 'LEASE_EXPIRED', offset: 1, limit: 1 })).toEqual([[expired], 2]);
    expect(await list({ endReason: 'LEASE_EXPIRED', offset: 2 })).toEqual([[], 2]);
    expect(await list({ endReason: 'LEASE_EXPIRED', userId: 'bob' })).toEqual([[expiredOfBob], 1]);
    expect(await list({ endReason: 'LEASE_EXPIRED', status: 'FAILED' })).toEqual([
      [expiredOfBob, expired],
      2,
    ]);
    expect(await list({ endReason: 'LEASE_EXPIRED', status: 'RUNNING' })).toEqual([[], 0]);
    expect(await list({ endReason: 'STOPPED' })).toEqual([[stopped], 1]);
    expect(await list({ endReason: 'STOPPED', userId: 'bob' })).toEqual([[], 0]);

    expect(await list({ idleMs: 300_000 })).toEqual([[], 0]);
    await fixture.engine.heartbeat(caller, { runId: active ?? '' });
    fixture.clock.advance(1);
    expect(await list({ idleMs: 300_000 })).toEqual([[idleOfBob, idle], 2]);
    expect(await list({ idleMs: 300_000, offset: 1, limit: 1 })).toEqual([[idle], 2]);
    expect(await list({ idleMs: 300_000, userId: 'ada' })).toEqual([[idle], 1]);
    expect(await list({ idleMs: 300_000, status: 'RUNNING' })).toEqual([[idleOfBob, idle], 2]);
    expect(await list({ idleMs: 300_000, status: 'FAILED' })).toEqual([[], 0]);
    expect(await list({ idleMs: 300_000, endReason: 'STOPPED' })).toEqual([[], 0]);
  });

  test('steps are in order of sequence, then creation', async () => {
    const tenant = await fixture.newTenant();
    const run = await fixture.startRun(tenant);
    const ids = [];
    for (const sequence of [2, 1, 2, 1]) {
      ids.push((await fixture.createStep(tenant, { runId: run.id, model: null, sequence })).id);
    }
    const key = { workspaceId: tenant.workspace.id, runId: run.id };
    for (const limit of [1, 2, 3, 4, 100]) {
      const steps = await listAllSteps(fixture.store, key, limit);
      expect(steps.map(({ id }) => id)).toEqual([ids[1], ids[3], ids[0], ids[2]]);
    }
  });

  test('with any order of sequences and ids, a run is read in the order of its steps, page by page', async () => {
    const random = new SeededRandom(campaignSeed('order of steps'));
    for (const shuffled of [false, true]) {
      const tenant = await fixture.newTenant();
      const run = await fixture.startRun(tenant);
      const created: { id: string; sequence: number }[] = [];
      for (let index = 1; index <= 12; index += 1) {
        fixture.clock.advance(1);
        const sequence = shuffled ? random.integer(1, 5) : index;
        created.push({
          id: (await fixture.createStep(tenant, { runId: run.id, model: null, sequence })).id,
          sequence,
        });
      }
      const expected = [...created].sort((left, right) => left.sequence - right.sequence).map(({ id }) => id);
      const key = { workspaceId: tenant.workspace.id, runId: run.id };
      const order = await fixture.store.runs.findStepOrder({ ...key, stepCount: created.length });
      expect(order).toEqual({ isBySequence: !shuffled, isByPosition: true });
      for (const isInOrderOfIds of new Set([false, order.isBySequence])) {
        const ids: string[] = [];
        let after: StepCursor | null = null;
        do {
          const asOf = { stepCount: created.length, usageVersion: 0 };
          const query: StepPageQuery = { ...key, asOf, after, limit: 5, maxBytes: 10, isInOrderOfIds };
          const page = await fixture.store.runs.listSteps(query);
          ids.push(...page.steps.map(({ id }) => id));
          after = page.next;
        } while (after !== null);
        expect(ids).toEqual(expected);
      }
      for (const isInOrderOfIds of [false, true]) {
        const page = { ...key, stepCount: 10, limit: 4, isInOrderOfIds };
        const first = await fixture.store.runs.listDecisions({ ...page, after: null });
        const rest = await fixture.store.runs.listDecisions({ ...page, after: first.next, limit: 100 });
        const decided = [...first.decisions, ...rest.decisions].map(({ stepId }) => stepId);
        expect(decided).toEqual(created.slice(0, 10).map(({ id }) => id));
        expect(rest.next).toBeNull();
      }
    }
  });

  test('a run is not found in another workspace', async () => {
    const other = await fixture.newTenant();
    const run = await fixture.startRun(await fixture.newTenant());
    const key = { workspaceId: other.workspace.id, runId: run.id };
    expect(await fixture.store.runs.find(key)).toBeNull();
    const asOf = { stepCount: 10, usageVersion: 10 };
    const page = { ...key, asOf, after: null, limit: 10, maxBytes: 1_000, isInOrderOfIds: true };
    expect(await fixture.store.runs.listSteps(page)).toEqual({ steps: [], next: null });
  });

  test('running runs are counted over all workspaces', async () => {
    const before = await fixture.store.runs.countActive();
    const tenant = await fixture.newTenant();
    const run = await fixture.startRun(tenant);
    expect(await fixture.store.runs.countActive()).toBe(before + 1);
    await fixture.engine.endRun(tenant.caller, { runId: run.id, status: 'COMPLETED' });
    expect(await fixture.store.runs.countActive()).toBe(before);
  });
});

describe('usage', () => {
  test('days, models, users and denials are reported for the range, in their order', async () => {
    const tenant = await fixture.newTenant();
    const { workspace, caller } = tenant;
    const cheap = newPrice({ id: newId(), model: 'cheap', inputAttoUsd: ATTO_PER_MICRO });
    const dear = newPrice({ id: newId(), model: 'dear', inputAttoUsd: ATTO_PER_MICRO * 100n });
    for (const price of [cheap, dear])
      await fixture.store.prices.put({ workspaceId: workspace.id, price, ...MANY_PRICES }, BY_TEST);
    const firstDay = dayOf(now());
    for (const [userId, model] of [
      ['ada', 'cheap'],
      ['bob', 'dear'],
      ['bob', 'free'],
    ] as const) {
      const run = await fixture.startRun(tenant, { userId });
      const step = await fixture.createStep(tenant, { runId: run.id, model });
      await fixture.engine.reportStep(caller, {
        runId: run.id,
        stepId: step.id,
        report: newReport({ promptTokens: 7 }),
      });
    }
    await fixture.startRun(tenant);
    fixture.clock.advance(86_400_000);
    const secondDay = dayOf(now());
    await fixture.store.workspaces.change(
      workspace.id,
      { kind: 'settings', settings: { killSwitch: true } },
      BY_TEST,
    );
    await fixture.startRun(tenant);

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
    const daily = await fixture.store.usage.daily(range, { maxModels: 10 });
    expect(daily.days).toEqual(days);
    expect(daily.models.map(({ day, model }) => [day, model])).toEqual([
      [firstDay, 'cheap'],
      [firstDay, 'dear'],
      [firstDay, 'free'],
    ]);
    const summary = await fixture.store.usage.summary({
      range,
      usersFrom: firstDay,
      maxModels: 10,
      maxUsers: 10,
      now: now(),
    });
    expect(summary.days).toEqual(days);
    expect(summary.models.map(({ model, costPicoUsd }) => [model, costPicoUsd])).toEqual([
      ['dear', 700n * micro],
      ['cheap', 7n * micro],
      ['free', 0n],
    ]);
    expect(await fixture.store.usage.listUsers(range, 10)).toEqual([
      { userId: 'bob', costPicoUsd: 700n * micro, runCount: 2 },
      { userId: 'ada', costPicoUsd: 7n * micro, runCount: 1 },
    ]);
    expect(await fixture.store.usage.listUsers(range, 1)).toHaveLength(1);
    expect(summary.users).toEqual(await fixture.store.usage.listUsers(range, 10));
    expect(daily.denials).toEqual([
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
    const user = { runCounts: NO_COUNTS, usage, startedRuns: 0, lastSeenAt: null, heldPicoUsd: 0n };
    await fixture.store.batches.commit([noNeeds(workspace.id)], ([facts]) => {
      if (facts === undefined) throw new Error('No facts');
      return [
        {
          ...noChanges(facts),
          usage,
          models: new Map(names.map((name) => [name, { reportedSteps: 1, parts: null, usage }])),
          users: new Map(names.map((name) => [name, user])),
        },
      ];
    });
    const range = { workspaceId: workspace.id, from: dayOf(now()), to: dayOf(now()) };
    const { usage: usageStore } = fixture.store;
    const summary = { range, usersFrom: range.from, maxModels: 10, maxUsers: 10, now: now() };
    expect((await usageStore.summary(summary)).models.map(({ model }) => model)).toEqual(names);
    expect((await usageStore.daily(range, { maxModels: 2 })).models.map(({ model }) => model)).toEqual(names);
    expect((await usageStore.listUsers(range, 10)).map(({ userId }) => userId)).toEqual(names);
  });

  test('with more models than the limit the most expensive are listed, and all of them are in the total', async () => {
    const { workspace } = await fixture.newTenant();
    const costs = [5n, 9n, 1n, 7n];
    const usageOf = (costPicoUsd: bigint) => ({ ...NO_USAGE, costPicoUsd, promptTokens: costPicoUsd });
    const partsOf = (cost: bigint) => ({ ...NO_PARTS, cacheReadTokens: cost, cacheSavedPicoUsd: -cost });
    await fixture.store.batches.commit([noNeeds(workspace.id)], ([facts]) => {
      if (facts === undefined) throw new Error('No facts');
      const models = costs.map(
        (cost) =>
          [`model-${cost}`, { reportedSteps: 1, usage: usageOf(cost), parts: partsOf(cost) }] as const,
      );
      return [{ ...noChanges(facts), usage: usageOf(22n), models: new Map(models) }];
    });
    const day = dayOf(now());
    const range = { workspaceId: workspace.id, from: day, to: day };
    const bounds = { usersFrom: day, maxModels: 2, maxUsers: 2, now: now() };
    const summary = await fixture.store.usage.summary({ range, ...bounds });
    expect(summary.models.map(({ model }) => model)).toEqual(['model-9', 'model-7']);
    expect(summary.modelTotal).toEqual({ ...usageOf(22n), ...partsOf(22n), modelCount: 4 });
    const daily = await fixture.store.usage.daily(range, { maxModels: 2 });
    expect(daily.models.map(({ model }) => model)).toEqual(['model-7', 'model-9']);
    expect(daily.modelTotals).toEqual([{ ...usageOf(22n), ...partsOf(22n), day, modelCount: 4 }]);
  });

  test('thirty days at the limit of a counter are summed exactly', async () => {
    const { workspace } = await fixture.newTenant();
    const usage = { ...NO_USAGE, costPicoUsd: 2n ** 63n - 1n };
    const change = { reportedSteps: 1, parts: { ...NO_PARTS, cacheSavedPicoUsd: 1n - 2n ** 63n }, usage };
    const user = { runCounts: NO_COUNTS, usage, startedRuns: 0, lastSeenAt: null, heldPicoUsd: 0n };
    const from = dayOf(now());
    for (let day = 0; day < 3; day += 1) {
      await fixture.store.batches.commit([noNeeds(workspace.id)], ([facts]) => {
        if (facts === undefined) throw new Error('No facts');
        return [
          {
            ...noChanges(facts),
            usage,
            models: new Map([['m', change]]),
            users: new Map([['u', { ...user, lastSeenAt: facts.now }]]),
            userModels: new Map([['u m', { userId: 'u', model: 'm', usage, reportedSteps: 1 }]]),
            userDenials: new Map([['u r', { userId: 'u', reason: 'USER_BLOCKED', denialCount: 2 }]]),
            modelCalls: new Map([['m c', { model: 'm', status: 'FAILED', bucket: 7, callCount: 3 }]]),
          },
        ];
      });
      fixture.clock.advance(86_400_000);
    }
    const range = { workspaceId: workspace.id, from, to: dayOf(now()) };
    const { models, modelTotal } = await fixture.store.usage.summary({
      range,
      usersFrom: from,
      maxModels: 5,
      maxUsers: 5,
      now: now(),
    });
    expect(models[0]?.costPicoUsd).toBe(3n * usage.costPicoUsd);
    expect(models[0]?.cacheSavedPicoUsd).toBe(-3n * usage.costPicoUsd);
    expect(modelTotal).toMatchObject({ modelCount: 1, costPicoUsd: 3n * usage.costPicoUsd });
    expect((await fixture.store.usage.listUsers(range, 5))[0]?.costPicoUsd).toBe(3n * usage.costPicoUsd);
    const workspaceId = workspace.id;
    const found = await fixture.store.users.find({ workspaceId, userId: 'u' });
    expect(found?.recentSpendPicoUsd).toBe(3n * usage.costPicoUsd);
    const days = lastDays(4, now());
    const ofUser = await fixture.store.usage.ofUser({ workspaceId, userId: 'u', days, maxModels: 1 });
    expect(ofUser.days.map(({ day, costPicoUsd }) => [day, costPicoUsd])).toEqual(
      days.slice(0, 3).map((day) => [day, usage.costPicoUsd]),
    );
    const threeDays = { ...NO_USAGE, costPicoUsd: 3n * usage.costPicoUsd, callCount: 3 };
    expect(ofUser.models).toEqual([{ model: 'm', ...threeDays }]);
    expect(ofUser.modelTotal).toEqual({ modelCount: 1, ...threeDays });
    expect(ofUser.denials).toEqual([{ reason: 'USER_BLOCKED', count: 6 }]);
    const ofModel = await fixture.store.usage.ofModel({ workspaceId, model: 'm', days: days.slice(1) });
    expect(ofModel.days.map(({ costPicoUsd }) => costPicoUsd)).toEqual(Array(2).fill(usage.costPicoUsd));
    expect(ofModel.calls).toEqual(
      days.slice(1, 3).map((day) => ({ day, status: 'FAILED', bucket: 7, callCount: 3 })),
    );
    const nobody = await fixture.store.usage.ofUser({ workspaceId, userId: 'x', days, maxModels: 1 });
    expect(nobody).toMatchObject({ days: [], models: [], modelTotal: { modelCount: 0 }, denials: [] });
  });
});
