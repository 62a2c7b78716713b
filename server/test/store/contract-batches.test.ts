/** The contract of every store about batches. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteExpired, idempotencyRecords } from '../../src/control/cleanup.js';
import type { IdempotencyRecord } from '../../src/domain/idempotency.js';
import { DEFAULT_LEASE_SECONDS } from '../../src/domain/lease.js';
import { dayOf } from '../../src/domain/period.js';
import { NO_USAGE } from '../../src/domain/usage.js';
import { commitBatch } from '../../src/engine/commit-batch.js';
import { type BatchFacts, type BatchNeeds, MAX_DUE_RUNS } from '../../src/store/store.js';
import { NO_COUNTS, noChanges, noNeeds } from '../support/batch-fixture.js';
import { BY_TEST } from '../support/by-test.js';
import { listAllSteps } from '../support/run-steps.js';
import {
  newDetails,
  newListedStep,
  newReport,
  newRun,
  newRunState,
  newStartRun,
  newStepState,
} from '../support/seed.js';
import { MANY_PRICES, newPrice, openStoreFixture, type StoreFixture } from '../support/store-fixture.js';

const ATTO_PER_MICRO = 10n ** 12n;
const AWKWARD_TEXT = '{"quotes":"\\"\'","braces":"{},NULL","backslash":"\\\\","emoji":"🦑","spaces":" \\t "}';

let fixture: StoreFixture;
beforeAll(async () => {
  fixture = await openStoreFixture();
});
afterAll(() => fixture.close());

const newId = () => fixture.newId();
const now = () => fixture.clock.now();

/** Of a run that has just started, or was just written to. */
function defaultLease() {
  const leaseExpiresAt = now() + DEFAULT_LEASE_SECONDS * 1000;
  return { leaseSeconds: DEFAULT_LEASE_SECONDS, leaseExpiresAt, dueAt: leaseExpiresAt };
}

describe('batches', () => {
  test('facts contain everything that exists and nothing else', async () => {
    const tenant = await fixture.newTenant();
    const { workspace, caller } = tenant;
    const price = newPrice({ id: newId(), model: 'gpt', inputAttoUsd: ATTO_PER_MICRO });
    await fixture.store.prices.put({ workspaceId: workspace.id, price, ...MANY_PRICES }, BY_TEST);
    const run = await fixture.startRun(tenant);
    const step = await fixture.createStep(tenant, { runId: run.id, model: 'gpt' });
    const unpriced = await fixture.createStep(tenant, { runId: run.id, model: 'unpriced' });
    await fixture.engine.reportStep(caller, {
      runId: run.id,
      stepId: step.id,
      report: newReport({ durationMs: 5, promptTokens: 10, completionTokens: 20 }),
    });
    await fixture.store.users.setBlocked(
      { workspaceId: workspace.id, userId: 'bob', blocked: true },
      BY_TEST,
    );

    const lease = defaultLease();
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
      models: new Set<string>(),
      endingRunIds: new Set<string>(),
    });
    const usage = {
      costPicoUsd: 50n * 10n ** 6n,
      promptTokens: 10n,
      completionTokens: 20n,
      unpricedTokens: 0n,
    };
    const { name, slug, createdAt, ...guarded } = workspace;
    expect(facts).toEqual({
      now: now(),
      workspace: guarded,
      activeApiKeyIds: new Set([caller.apiKeyId]),
      runCounts: { RUNNING: 1, COMPLETED: 0, FAILED: 0, BLOCKED: 0 },
      nextDueAt: lease.leaseExpiresAt,
      heldPicoUsd: 0n,
      dueRuns: null,
      openHolds: new Map(),
      monthlyRunCount: 1,
      usageToday: usage,
      users: new Map([
        ['ada', { blocked: false, usageToday: usage, heldPicoUsd: 0n }],
        ['bob', { blocked: true, usageToday: NO_USAGE, heldPicoUsd: 0n }],
        ['new', { blocked: false, usageToday: NO_USAGE, heldPicoUsd: 0n }],
      ]),
      runs: new Map([
        [
          run.id,
          newRunState({
            id: run.id,
            startedAt: now(),
            ...lease,
            stepCount: 2,
            totalTokens: 30n,
            totalCostPicoUsd: usage.costPicoUsd,
            usageVersion: 1,
          }),
        ],
      ]),
      steps: new Map([
        [
          step.id,
          newStepState({
            id: step.id,
            runId: run.id,
            status: 'COMPLETED',
            durationMs: 5,
            promptTokens: 10,
            completionTokens: 20,
            costPicoUsd: usage.costPicoUsd,
            priceVersion: 1,
            reportedAt: now(),
            usageVersion: 1,
          }),
        ],
        [unpriced.id, expect.objectContaining({ status: 'ALLOWED', promptTokens: null })],
      ]),
      prices: new Map([['gpt', { version: 1, ...price }]]),
      modelUsageToday: new Map([
        ['gpt', { usage, savedPicoUsd: 0n }],
        ['unpriced', { usage: NO_USAGE, savedPicoUsd: 0n }],
      ]),
      idempotencyRecords: new Map(),
    });
  });

  test('nothing is written when decide throws', async () => {
    const { workspace } = await fixture.newTenant();
    const failed = fixture.store.batches.commit([noNeeds(workspace.id)], () => {
      throw new Error('decided badly');
    });
    await expect(failed).rejects.toThrow('decided badly');
    expect((await readFacts(noNeeds(workspace.id))).runCounts.RUNNING).toBe(0);
  });

  test('simultaneous batches of one workspace are serialized', async () => {
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
      if (index > 0)
        await fixture.store.prices.put({ workspaceId: workspace.id, price, ...MANY_PRICES }, BY_TEST);
      const idempotency = { keyHash: `same in ${workspace.id}`, requestHash: `request ${index}` };
      const run = await fixture.engine.startRun({ ...caller, idempotency }, newStartRun({ id: newId() }));
      const step = await fixture.createStep(tenant, { runId: run.id, model: 'gpt' });
      await fixture.engine.reportStep(caller, {
        runId: run.id,
        stepId: step.id,
        report: newReport({ durationMs: index, promptTokens: 10 + index }),
      });
      needs.push({
        workspaceId: workspace.id,
        apiKeyIds: new Set([caller.apiKeyId]),
        startingUserIds: new Set(['ada', 'bob']),
        runIds: new Set([run.id]),
        steps: [{ runId: run.id, stepId: step.id }],
        // The hash of a key contains its workspace.
        idempotencyKeyHashes: new Set([`same in ${workspace.id}`]),
        models: new Set<string>(),
        endingRunIds: new Set<string>(),
      });
    }
    const blocked = tenants[1]?.workspace.id ?? '';
    await fixture.store.users.setBlocked({ workspaceId: blocked, userId: 'ada', blocked: true }, BY_TEST);
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
      // The hash of a key contains its workspace.
      idempotencyKeyHashes: new Set([`same in ${workspace.id}`]),
      models: new Set<string>(),
      endingRunIds: new Set<string>(),
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
            users: new Map([
              ['ada', { runCounts, usage, startedRuns: grows, lastSeenAt: round, heldPicoUsd: 0n }],
            ]),
            models: new Map([['gpt', { usage, parts: null, reportedSteps: grows }]]),
            denials: new Map([['KILL_SWITCH_ACTIVE' as const, grows]]),
            renewedIdempotencyRecords: [
              {
                keyHash: `same in ${found.workspace.id}`,
                requestHash: `${grows}`,
                reply: `${round}`,
                createdAt: now(),
              },
            ],
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
      expect(facts.idempotencyRecords.get(`same in ${need.workspaceId}`)).toMatchObject({
        requestHash: `${index + 1}`,
        reply: '2',
      });
      const { workspaceId } = need;
      const range = { workspaceId, from: dayOf(now()), to: dayOf(now()) };
      const daily = await fixture.store.usage.daily(range, { maxModels: 5 });
      expect(daily.models[0]?.costPicoUsd).toBe(BigInt(total));
      expect(daily.denials[0]?.count).toBe(total);
      const page = { workspaceId, blocked: null, offset: 0, limit: 2 };
      expect((await fixture.store.users.list(page)).items).toEqual([
        {
          userId: 'ada',
          blocked: false,
          runCount: total,
          spendTodayPicoUsd: BigInt(total),
          unpricedTokensToday: 0n,
          heldPicoUsd: 0n,
          lastSeenAt: 2,
          recentSpendPicoUsd: BigInt(total),
          blockNote: null,
          blockedAt: null,
          blockedBy: null,
        },
      ]);
    }
  });

  test('what stays is kept in a batch in which others change it: when runs are due, and when users were seen', async () => {
    const tenants = [await fixture.newTenant(), await fixture.newTenant()];
    const needs = tenants.map(({ workspace }) => noNeeds(workspace.id));
    const seen = { runCounts: NO_COUNTS, usage: NO_USAGE, startedRuns: 0, heldPicoUsd: 1n };
    const commit = (dueAts: readonly (number | null)[], seenAts: readonly (number | null)[]) =>
      fixture.store.batches.commit(needs, (facts) =>
        facts.map((one) => {
          const index = tenants.findIndex(({ workspace }) => workspace.id === one.workspace.id);
          const nextDueAt = dueAts[index] ?? null;
          return {
            ...noChanges(one),
            heldPicoUsd: 1n,
            nextDueAt: nextDueAt ?? one.nextDueAt,
            isNextDueChanged: nextDueAt !== null,
            users: new Map([['ada', { ...seen, lastSeenAt: seenAts[index] ?? null }]]),
          };
        }),
      );
    const stored = () =>
      Promise.all(
        tenants.map(async ({ workspace }) => {
          const { nextDueAt, heldPicoUsd } = await readFacts(noNeeds(workspace.id));
          const ada = await fixture.store.users.find({ workspaceId: workspace.id, userId: 'ada' });
          return { nextDueAt, heldPicoUsd, lastSeenAt: ada?.lastSeenAt };
        }),
      );

    // Of users who do not exist yet.
    await commit([now() + 1_000, null], [now(), null]);
    expect(await stored()).toEqual([
      { nextDueAt: now() + 1_000, heldPicoUsd: 1n, lastSeenAt: now() },
      { nextDueAt: null, heldPicoUsd: 1n, lastSeenAt: null },
    ]);
    await commit([null, now() + 2_000], [null, now()]);
    await commit([null, null], [null, null]);
    expect(await stored()).toEqual([
      { nextDueAt: now() + 1_000, heldPicoUsd: 3n, lastSeenAt: now() },
      { nextDueAt: now() + 2_000, heldPicoUsd: 3n, lastSeenAt: now() },
    ]);
  });

  test('a batch with a workspace that does not exist writes nothing', async () => {
    const { workspace } = await fixture.newTenant();
    const failed = fixture.store.batches.commit([noNeeds(workspace.id), noNeeds(newId())], (facts) =>
      facts.map((found) => ({ ...noChanges(found), startedRuns: 1 })),
    );
    await expect(failed).rejects.toThrow('does not exist');
    expect((await readFacts(noNeeds(workspace.id))).monthlyRunCount).toBe(0);
  });

  test('an expired run of a command is not counted twice when more runs are due than a batch ends', async () => {
    const tenant = await fixture.newTenant();
    const { caller, workspace } = tenant;
    const settings = { maxConcurrentRuns: 1_000 };
    await fixture.store.workspaces.change(workspace.id, { kind: 'settings', settings }, BY_TEST);
    const ids = Array.from({ length: MAX_DUE_RUNS + 50 }, newId);
    const starts = ids.map((id) => newStartRun({ id, leaseSeconds: 10 }));
    await commitBatch(
      fixture.store.batches,
      starts.map((input) => ({ kind: 'start-run', caller, input })),
    );
    fixture.clock.advance(10_000);
    const id = newId();
    await commitBatch(fixture.store.batches, [
      ...ids.slice(-3).map((runId) => ({ kind: 'heartbeat', caller, input: { runId } }) as const),
      { kind: 'start-run', caller, input: newStartRun({ id }) },
    ]);
    const started = await fixture.store.runs.find({ workspaceId: workspace.id, runId: id });
    expect(started?.decision.evaluations.at(-1)).toMatchObject({ rule: 'max_concurrent_runs', value: 0 });
  });

  test('payloads come back byte for byte', async () => {
    const tenant = await fixture.newTenant();
    const given = { userId: AWKWARD_TEXT.slice(0, 100), metadata: AWKWARD_TEXT };
    const decision = { outcome: 'ALLOW' as const, reason: null, evaluations: expect.any(Array) };
    const run = await fixture.startRun(tenant, given);
    const key = { workspaceId: tenant.workspace.id, runId: run.id };
    expect(await fixture.store.runs.find(key)).toEqual(
      newRun({ ...given, ...defaultLease(), id: run.id, startedAt: now(), decision }),
    );
    const step = await fixture.createStep(tenant, {
      runId: run.id,
      model: null,
      inputData: `[${AWKWARD_TEXT}, null]`,
    });
    expect(await listAllSteps(fixture.store, key)).toEqual([
      newListedStep({
        id: step.id,
        runId: run.id,
        model: null,
        inputData: `[${AWKWARD_TEXT}, null]`,
        decision,
        createdAt: now(),
      }),
    ]);
    const details = newDetails({ error: AWKWARD_TEXT.slice(0, 2_000), outputData: `{"a":${AWKWARD_TEXT}}` });
    const report = newReport({ status: 'FAILED', details });
    await fixture.engine.reportStep(tenant.caller, { runId: run.id, stepId: step.id, report });
    const { error, outputData } = details;
    expect(await listAllSteps(fixture.store, key)).toMatchObject([{ error, outputData, status: 'FAILED' }]);
  });

  test('an idempotency record is kept until it is replaced or deleted', async () => {
    const { workspace } = await fixture.newTenant();
    const other = await fixture.newTenant();
    const first = { keyHash: 'k', requestHash: 'r', reply: AWKWARD_TEXT, createdAt: 1_000 };
    const needs = { ...noNeeds(workspace.id), idempotencyKeyHashes: new Set(['k', 'l']) };
    const record = (
      newIdempotencyRecords: IdempotencyRecord[],
      renewedIdempotencyRecords: IdempotencyRecord[] = [],
    ) =>
      fixture.store.batches.commit([needs], ([facts]) => {
        if (facts === undefined) throw new Error('No facts');
        return [{ ...noChanges(facts), newIdempotencyRecords, renewedIdempotencyRecords }];
      });
    await record([first]);
    expect((await readFacts(needs)).idempotencyRecords).toEqual(new Map([['k', first]]));
    await record([{ ...first, keyHash: 'l' }], [{ ...first, requestHash: 'r2', createdAt: 2_000 }]);
    expect((await readFacts(needs)).idempotencyRecords.get('k')?.requestHash).toBe('r2');
    expect((await readFacts({ ...needs, workspaceId: other.workspace.id })).idempotencyRecords.size).toBe(0);
    expect(await fixture.store.maintenance.deleteIdempotencyRecords({ before: 1_500, limit: 10 })).toBe(1);
    expect([...(await readFacts(needs)).idempotencyRecords.keys()]).toEqual(['k']);
    expect(await fixture.store.maintenance.deleteIdempotencyRecords({ before: 1_500, limit: 10 })).toBe(0);
  });

  test('one sweep deletes all old idempotency records, however many, and no other', async () => {
    const { workspace } = await fixture.newTenant();
    const day = 24 * 60 * 60 * 1_000;
    const old = Array.from({ length: 2_100 }, (_, index) => ({
      keyHash: `old ${index}`,
      requestHash: 'r',
      reply: '{}',
      createdAt: now() - day - 1 - index,
    }));
    const recent = { keyHash: 'recent', requestHash: 'r', reply: '{}', createdAt: now() - day + 1 };
    await fixture.store.batches.commit([noNeeds(workspace.id)], ([facts]) => {
      if (facts === undefined) throw new Error('No facts');
      return [{ ...noChanges(facts), newIdempotencyRecords: [...old, recent] }];
    });
    expect(await deleteExpired(fixture.store, idempotencyRecords(fixture.store))).toBeGreaterThanOrEqual(
      old.length,
    );
    const needs = {
      ...noNeeds(workspace.id),
      idempotencyKeyHashes: new Set(['old 0', 'old 2099', 'recent']),
      models: new Set<string>(),
      endingRunIds: new Set<string>(),
    };
    expect([...(await readFacts(needs)).idempotencyRecords.keys()]).toEqual(['recent']);
    expect(await deleteExpired(fixture.store, idempotencyRecords(fixture.store))).toBe(0);
  });

  test('the largest counter is stored and read exactly', async () => {
    const { workspace } = await fixture.newTenant();
    const usage = { ...NO_USAGE, costPicoUsd: 2n ** 63n - 1n, promptTokens: 2n ** 63n - 1n };
    await fixture.store.batches.commit([noNeeds(workspace.id)], ([facts]) => {
      if (facts === undefined) throw new Error('No facts');
      return [{ ...noChanges(facts), usage }];
    });
    expect((await readFacts(noNeeds(workspace.id))).usageToday).toEqual(usage);
  });
});

async function readFacts(needs: BatchNeeds): Promise<BatchFacts> {
  let read: BatchFacts | undefined;
  await fixture.store.batches.commit([needs], ([facts]) => {
    read = facts;
    return [];
  });
  if (read === undefined) throw new Error('No facts');
  return read;
}
