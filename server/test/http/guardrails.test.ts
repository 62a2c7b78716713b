/** The six rules in their order, what they compare, and when their counters reset. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStep, endRun, spendTenths, startRun } from '../support/agent.js';
import type { ApiClient } from '../support/api-client.js';
import { expectExactCounters } from '../support/exact-counters.js';
import { repeated, seedRuns, seedService } from '../support/seed.js';
import { expectStatus, startTestService, type TestService } from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const LAST_MOMENT_OF_DAY = '2026-03-14T23:59:59.999Z';
const MIDNIGHT = '2026-03-15T00:00:00.000Z';
const BASIC_MONTHLY_RUNS = 1_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(() => service.clock.set(NOON));
afterAll(() => service.stop());

const reasonToStart = async (machine: ApiClient, userId = 'ada') =>
  (await startRun(machine, userId)).decision.reason;
const reasonToStep = async (machine: ApiClient, runId: string) =>
  (await createStep(machine, runId)).decision.reason;

async function evaluatedRules(machine: ApiClient, runId: string): Promise<[string, unknown][]> {
  const decisions = (await machine.get(`/v1/runs/${runId}/decisions`)).body;
  return Object.entries(decisions.at(-1).evaluated_rules);
}

async function change(client: ApiClient, settings: Record<string, unknown>): Promise<void> {
  expectStatus(await client.patch('/v1/workspace/', settings), 200);
}

async function setKillSwitch(client: ApiClient, active: boolean): Promise<void> {
  expectStatus(await client.post('/v1/workspace/kill-switch', { active }), 200);
}

/** Starts and ends this many runs on a plan without limits, then moves the workspace to Basic. */
async function basicWorkspaceAfter(runCount: number) {
  const tenant = await service.register({ plan: 'enterprise' });
  // Runs of the month before still take their slots.
  await change(tenant.machine, { max_concurrent_runs: 10_000, run_lease_seconds: null });
  await seedService(service, tenant.apiKey, (target) =>
    seedRuns(target, repeated(runCount, { endStatus: 'COMPLETED' as const })),
  );
  expectStatus(await tenant.person.put('/v1/billing/plan', { plan: 'basic' }), 200);
  return tenant;
}

describe('the order of the rules', () => {
  /** Starts with every rule denying; each row removes one cause. */
  const LADDER = [
    ['KILL_SWITCH_ACTIVE', 'kill_switch', (client: ApiClient) => setKillSwitch(client, false)],
    ['USER_BLOCKED', 'user_blocked', (client: ApiClient) => client.post('/v1/users/ada/unblock')],
    [
      'WORKSPACE_DAILY_BUDGET_EXCEEDED',
      'workspace_daily_budget',
      (client: ApiClient) => change(client, { daily_budget_usd: null }),
    ],
    [
      'USER_DAILY_BUDGET_EXCEEDED',
      'user_daily_budget',
      (client: ApiClient) => change(client, { user_daily_budget_usd: null }),
    ],
  ] as const;

  async function everythingDenies() {
    const { machine } = await service.register({ plan: 'scale' });
    await change(machine, { max_concurrent_runs: 1 });
    const { id: runId } = await startRun(machine);
    await spendTenths(machine, { runId, tenths: 10 });
    await change(machine, { daily_budget_usd: 1, user_daily_budget_usd: 1 });
    await machine.post('/v1/users/ada/block');
    await setKillSwitch(machine, true);
    return { machine, runId };
  }

  test('a start is denied by the first rule that denies; later rules are not evaluated', async () => {
    const { machine, runId } = await everythingDenies();
    const passed: [string, string][] = [];
    for (const [reason, rule, remove] of LADDER) {
      const denied = await startRun(machine);
      expect(denied).toMatchObject({ status: 'BLOCKED', decision: { outcome: 'DENY', reason } });
      expect(await evaluatedRules(machine, denied.id)).toEqual([...passed, [rule, 'DENY']]);
      passed.push([rule, 'PASS']);
      await remove(machine);
    }
    const denied = await startRun(machine);
    expect(denied.decision.reason).toBe('MAX_CONCURRENT_RUNS_EXCEEDED');
    expect(await evaluatedRules(machine, denied.id)).toEqual([
      ...passed,
      ['monthly_run_limit', 'PASS'],
      ['max_concurrent_runs', 'DENY'],
    ]);
    await endRun(machine, runId);
    expect(await reasonToStart(machine)).toBeNull();
  });

  test('a step is denied by the first four rules in the same order, and by no other', async () => {
    const { machine, runId } = await everythingDenies();
    const passed: [string, string][] = [];
    for (const [reason, rule, remove] of LADDER) {
      const denied = await createStep(machine, runId);
      expect(denied).toMatchObject({ status: 'BLOCKED', decision: { outcome: 'DENY', reason } });
      expect(await evaluatedRules(machine, runId)).toEqual([...passed, [rule, 'DENY']]);
      passed.push([rule, 'PASS']);
      await remove(machine);
    }
    expect(await createStep(machine, runId)).toMatchObject({ status: 'ALLOWED' });
    expect(await evaluatedRules(machine, runId)).toEqual(passed);
  });

  test('Basic allows 1,000 runs a month; this limit comes after the budgets and before concurrency', async () => {
    const { machine, person } = await basicWorkspaceAfter(BASIC_MONTHLY_RUNS - 3);
    const runs = [await startRun(machine), await startRun(machine), await startRun(machine)];
    expect(runs.map(({ status }) => status)).toEqual(['RUNNING', 'RUNNING', 'RUNNING']);
    expect((await machine.get('/v1/usage/summary')).body).toMatchObject({
      monthly_run_count: BASIC_MONTHLY_RUNS,
      monthly_run_limit: BASIC_MONTHLY_RUNS,
    });
    await change(machine, { daily_budget_usd: 0 });
    await machine.post('/v1/users/ada/block');

    expect(await reasonToStart(machine)).toBe('USER_BLOCKED');
    await machine.post('/v1/users/ada/unblock');
    expect(await reasonToStart(machine)).toBe('WORKSPACE_DAILY_BUDGET_EXCEEDED');
    await change(machine, { daily_budget_usd: null });
    expect(await reasonToStart(machine)).toBe('MONTHLY_RUN_LIMIT_EXCEEDED');
    for (const { id } of runs) expect(await reasonToStep(machine, id)).toBeNull();

    expectStatus(await person.put('/v1/billing/plan', { plan: 'pro' }), 200);
    expect(await reasonToStart(machine)).toBe('MAX_CONCURRENT_RUNS_EXCEEDED');
    expectStatus(await person.put('/v1/billing/plan', { plan: 'basic' }), 200);
    expect(await reasonToStart(machine)).toBe('MONTHLY_RUN_LIMIT_EXCEEDED');

    service.clock.set('2026-03-31T23:59:59.999Z');
    expect(await reasonToStart(machine)).toBe('MONTHLY_RUN_LIMIT_EXCEEDED');
    service.clock.set('2026-04-01T00:00:00.000Z');
    expect(await reasonToStart(machine)).toBe('MAX_CONCURRENT_RUNS_EXCEEDED');
    for (const { id } of runs) await endRun(machine, id);
    expect(await reasonToStart(machine)).toBeNull();
  });
});

describe('kill switch and blocked users', () => {
  test('the kill switch turned on during a run denies its next step; ending the run still works', async () => {
    const { machine, person } = await service.register({ plan: 'scale' });
    const { id } = await startRun(machine);
    expect(await reasonToStep(machine, id)).toBeNull();
    await setKillSwitch(person, true);
    expect(await reasonToStep(machine, id)).toBe('KILL_SWITCH_ACTIVE');
    expect(await reasonToStart(machine, 'bob')).toBe('KILL_SWITCH_ACTIVE');
    expect((await machine.post(`/v1/runs/${id}/end`, { status: 'COMPLETED' })).status).toBe(200);
    await setKillSwitch(person, false);
    expect(await reasonToStart(machine)).toBeNull();
  });

  test('a block denies the runs and steps of that user alone', async () => {
    const { machine } = await service.register();
    const ada = await startRun(machine, 'ada');
    const bob = await startRun(machine, 'bob');
    await machine.post('/v1/users/ada/block');
    expect(await reasonToStart(machine, 'ada')).toBe('USER_BLOCKED');
    expect(await reasonToStep(machine, ada.id)).toBe('USER_BLOCKED');
    expect(await reasonToStep(machine, bob.id)).toBeNull();
    expect(await reasonToStart(machine, 'Ada')).toBeNull();
  });
});

describe('daily budgets', () => {
  test('0.7 + 0.1 reaches a budget of 0.8 exactly, and denies the next step and start of everyone', async () => {
    const { machine } = await service.register();
    await change(machine, { daily_budget_usd: 0.8 });
    const { id: runId } = await startRun(machine);
    await spendTenths(machine, { runId, tenths: 7 });
    expect(await reasonToStep(machine, runId)).toBeNull();
    await spendTenths(machine, { runId, tenths: 1 });
    expect(await reasonToStep(machine, runId)).toBe('WORKSPACE_DAILY_BUDGET_EXCEEDED');
    expect(await reasonToStart(machine, 'bob')).toBe('WORKSPACE_DAILY_BUDGET_EXCEEDED');
    expect((await machine.get('/v1/usage/summary')).body.today.total_usd).toBe(0.8);
  });

  test('a user who reached the per-user budget is denied, another user is not', async () => {
    const { machine } = await service.register({ plan: 'pro' });
    await change(machine, { user_daily_budget_usd: 0.8 });
    const ada = await startRun(machine, 'ada');
    const bob = await startRun(machine, 'bob');
    await spendTenths(machine, { runId: ada.id, tenths: 8 });
    await spendTenths(machine, { runId: bob.id, tenths: 7 });
    expect(await reasonToStep(machine, ada.id)).toBe('USER_DAILY_BUDGET_EXCEEDED');
    expect(await reasonToStart(machine, 'ada')).toBe('USER_DAILY_BUDGET_EXCEEDED');
    expect(await reasonToStep(machine, bob.id)).toBeNull();
    expect(await reasonToStart(machine, 'bob')).toBeNull();
  });

  test('both budgets hold until the last millisecond of the UTC day and reset at midnight', async () => {
    const { machine } = await service.register({ plan: 'pro' });
    const { id: runId } = await startRun(machine);
    await spendTenths(machine, { runId, tenths: 8 });
    for (const [setting, reason] of [
      ['daily_budget_usd', 'WORKSPACE_DAILY_BUDGET_EXCEEDED'],
      ['user_daily_budget_usd', 'USER_DAILY_BUDGET_EXCEEDED'],
    ] as const) {
      await change(machine, { daily_budget_usd: null, user_daily_budget_usd: null, [setting]: 0.8 });
      service.clock.set(LAST_MOMENT_OF_DAY);
      expect([await reasonToStep(machine, runId), await reasonToStart(machine)]).toEqual([reason, reason]);
      service.clock.set(MIDNIGHT);
      expect(await reasonToStep(machine, runId)).toBeNull();
      const { id } = await startRun(machine);
      await endRun(machine, id);
    }
  });

  test('a null budget is not enforced, and a budget of 0 denies everything', async () => {
    const { machine } = await service.register();
    const { id: runId } = await startRun(machine);
    await spendTenths(machine, { runId, tenths: 1_000_000 });
    expect(await reasonToStep(machine, runId)).toBeNull();
    await change(machine, { daily_budget_usd: 0 });
    expect(await reasonToStep(machine, runId)).toBe('WORKSPACE_DAILY_BUDGET_EXCEEDED');
    const fresh = await service.register();
    await change(fresh.machine, { daily_budget_usd: 0 });
    expect(await reasonToStart(fresh.machine)).toBe('WORKSPACE_DAILY_BUDGET_EXCEEDED');
  });
});

describe('run limits', () => {
  test('Basic allows three runs at once; ending one, however it ends, frees its slot once', async () => {
    const { machine } = await service.register();
    const runs = [await startRun(machine), await startRun(machine), await startRun(machine)];
    expect(await reasonToStart(machine, 'bob')).toBe('MAX_CONCURRENT_RUNS_EXCEEDED');
    for (const [index, status] of ['COMPLETED', 'FAILED'].entries()) {
      const id = runs[index]?.id ?? '';
      await endRun(machine, id, status);
      await endRun(machine, id, status);
      expect(await reasonToStart(machine)).toBeNull();
      expect(await reasonToStart(machine)).toBe('MAX_CONCURRENT_RUNS_EXCEEDED');
    }
  });

  test('of many simultaneous starts exactly as many pass as there are slots', async () => {
    const { machine } = await service.register({ plan: 'pro' });
    await change(machine, { max_concurrent_runs: 5 });
    const started = await Promise.all(Array.from({ length: 40 }, () => startRun(machine)));
    expect(started.filter(({ status }) => status === 'RUNNING')).toHaveLength(5);
    expect(new Set(started.map(({ decision }) => decision.reason))).toEqual(
      new Set([null, 'MAX_CONCURRENT_RUNS_EXCEEDED']),
    );
  });

  test('a limit lowered below the running runs stops no run, and denies starts until there is room', async () => {
    const { machine } = await service.register({ plan: 'pro' });
    const first = await startRun(machine);
    const second = await startRun(machine);
    await change(machine, { max_concurrent_runs: 1 });
    expect(await reasonToStep(machine, second.id)).toBeNull();
    await endRun(machine, first.id);
    expect(await reasonToStart(machine)).toBe('MAX_CONCURRENT_RUNS_EXCEEDED');
    await endRun(machine, second.id);
    expect(await reasonToStart(machine)).toBeNull();
  });
});

test('a denied start moves no counter: not usage, not the month, not concurrency', async () => {
  const { machine, person } = await service.register();
  const { id } = await startRun(machine);
  await spendTenths(machine, { runId: id, tenths: 1 });
  const usage = (await machine.get('/v1/usage/summary')).body;
  await machine.post('/v1/users/mallory/block');
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(await reasonToStart(machine, 'mallory')).toBe('USER_BLOCKED');
  }
  expect((await machine.get('/v1/usage/summary')).body).toEqual(usage);
  expect((await person.get('/v1/billing/')).body.monthly_run_count).toBe(1);
  expect((await machine.get('/v1/users/?blocked=true')).body.items).toMatchObject([
    { user_id: 'mallory', run_count: 0, spend_today_usd: 0 },
  ]);
  expect([await reasonToStart(machine), await reasonToStart(machine)]).toEqual([null, null]);
  expect(await reasonToStart(machine)).toBe('MAX_CONCURRENT_RUNS_EXCEEDED');
});

test('after all of this every counter equals the sum of the runs and steps', async () => {
  await expectExactCounters(service);
});
