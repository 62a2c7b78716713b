import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createStep, endRun, spendTenths, startRun } from '../support/agent.js';
import { startTestService, type TestService } from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const MIDNIGHT = '2026-03-15T00:00:00.000Z';
const NEXT_MONTH = '2026-04-01T00:00:00.000Z';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(() => service.clock.set(NOON));
afterAll(() => service.stop());

test('an allowed start is explained by all six rules in order, each with its limit, value and reset', async () => {
  const { machine, person } = await service.register();
  await machine.patch('/v1/workspace/', { daily_budget_usd: 12.5 });
  const first = await startRun(machine);
  await spendTenths(machine, { runId: first.id, tenths: 3 });
  const { id } = await startRun(machine);
  const reply = await person.get(`/v1/runs/${id}/decisions`);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual([
    {
      subject: 'run',
      step_id: null,
      outcome: 'ALLOW',
      reason: null,
      evaluated_rules: {
        kill_switch: 'PASS',
        user_blocked: 'PASS',
        workspace_daily_budget: 'PASS',
        user_daily_budget: 'PASS',
        monthly_run_limit: 'PASS',
        max_concurrent_runs: 'PASS',
      },
      rules: [
        { rule: 'kill_switch', result: 'PASS', limit: null, value: false, resets_at: null },
        { rule: 'user_blocked', result: 'PASS', limit: null, value: false, resets_at: null },
        { rule: 'workspace_daily_budget', result: 'PASS', limit: 12.5, value: 0.3, resets_at: MIDNIGHT },
        { rule: 'user_daily_budget', result: 'PASS', limit: null, value: 0.3, resets_at: MIDNIGHT },
        { rule: 'monthly_run_limit', result: 'PASS', limit: 1_000, value: 1, resets_at: NEXT_MONTH },
        { rule: 'max_concurrent_runs', result: 'PASS', limit: 3, value: 1, resets_at: null },
      ],
      decided_at: NOON,
    },
  ]);
});

test('steps are explained by four rules, in the order in which they were decided', async () => {
  const { machine } = await service.register();
  const { id: runId } = await startRun(machine);
  service.clock.advance(1_000);
  const late = await createStep(machine, runId, { sequence: 9 });
  service.clock.advance(1_000);
  const early = await createStep(machine, runId, { sequence: 1 });
  const { body } = await machine.get(`/v1/runs/${runId}/decisions`);
  expect(
    body.map((decision: { subject: string; step_id: string; decided_at: string }) => [
      decision.subject,
      decision.step_id,
      decision.decided_at,
    ]),
  ).toEqual([
    ['run', null, NOON],
    ['step', late.id, '2026-03-14T12:00:01.000Z'],
    ['step', early.id, '2026-03-14T12:00:02.000Z'],
  ]);
  expect(Object.keys(body[1].evaluated_rules)).toEqual([
    'kill_switch',
    'user_blocked',
    'workspace_daily_budget',
    'user_daily_budget',
  ]);
});

test('a denial names the limit and the value compared, and the rules after it are absent', async () => {
  const { machine } = await service.register();
  const { id: runId } = await startRun(machine);
  await spendTenths(machine, { runId, tenths: 8 });
  await machine.patch('/v1/workspace/', { daily_budget_usd: 0.5 });
  const denied = await startRun(machine, 'bob');
  const { body } = await machine.get(`/v1/runs/${denied.id}/decisions`);
  expect(body).toEqual([
    {
      subject: 'run',
      step_id: null,
      outcome: 'DENY',
      reason: 'WORKSPACE_DAILY_BUDGET_EXCEEDED',
      evaluated_rules: { kill_switch: 'PASS', user_blocked: 'PASS', workspace_daily_budget: 'DENY' },
      rules: [
        { rule: 'kill_switch', result: 'PASS', limit: null, value: false, resets_at: null },
        { rule: 'user_blocked', result: 'PASS', limit: null, value: false, resets_at: null },
        { rule: 'workspace_daily_budget', result: 'DENY', limit: 0.5, value: 0.8, resets_at: MIDNIGHT },
      ],
      decided_at: NOON,
    },
  ]);
});

test('a step after the end of its run is explained without any rule', async () => {
  const { machine } = await service.register();
  const { id: runId } = await startRun(machine);
  await endRun(machine, runId);
  const { id: stepId } = await createStep(machine, runId);
  const { body } = await machine.get(`/v1/runs/${runId}/decisions`);
  expect(body[1]).toEqual({
    subject: 'step',
    step_id: stepId,
    outcome: 'DENY',
    reason: 'RUN_ALREADY_ENDED',
    evaluated_rules: {},
    rules: [],
    decided_at: NOON,
  });
});

test('an explanation stays as it was decided when settings change later', async () => {
  const { machine } = await service.register();
  await machine.patch('/v1/workspace/', { daily_budget_usd: 5 });
  const { id } = await startRun(machine);
  const before = (await machine.get(`/v1/runs/${id}/decisions`)).body;
  await machine.patch('/v1/workspace/', { daily_budget_usd: 1 });
  await machine.post('/v1/users/ada/block');
  service.clock.set('2026-05-01T00:00:00.000Z');
  expect((await machine.get(`/v1/runs/${id}/decisions`)).body).toEqual(before);
});

test('a denial tells the rule that denied, with what it compared, to a request that asks for it', async () => {
  const { machine } = await service.register({ plan: 'enterprise' });
  const start = async (body = {}) => (await machine.post('/v1/runs/', { user_id: 'ada', ...body })).body;
  const { id: runId, ...allowed } = await start({ explain: true });
  expect(allowed).not.toHaveProperty('denied_by');
  await spendTenths(machine, { runId, tenths: 3 });
  await machine.patch('/v1/workspace/', { daily_budget_usd: 0.2 });
  const step = { type: 'REASONING', sequence: 2, explain: true };
  const deniedBy = { rule: 'workspace_daily_budget', limit: 0.2, value: 0.3, resets_at: MIDNIGHT };
  expect((await machine.post(`/v1/runs/${runId}/steps`, step)).body).toMatchObject({
    decision: { outcome: 'DENY' },
    denied_by: deniedBy,
  });
  expect(await start({ explain: true })).toMatchObject({ status: 'BLOCKED', denied_by: deniedBy });
  expect(await start()).not.toHaveProperty('denied_by');
  await machine.patch('/v1/workspace/', { daily_budget_usd: null });
  await endRun(machine, runId);
  expect((await machine.post(`/v1/runs/${runId}/steps`, step)).body).toMatchObject({
    decision: { reason: 'RUN_ALREADY_ENDED' },
    denied_by: null,
  });
});

test('a repeated request gets the same explanation', async () => {
  const { machine } = await service.register({ plan: 'enterprise' });
  await machine.post('/v1/users/mallory/block');
  const start = () =>
    machine.send(
      'POST',
      '/v1/runs/',
      { user_id: 'mallory', explain: true },
      { 'idempotency-key': 'explained' },
    );
  const { body } = await start();
  expect(body.denied_by).toEqual({ rule: 'user_blocked', limit: null, value: true, resets_at: null });
  expect((await start()).body).toEqual(body);
});
