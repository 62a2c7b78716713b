/** Workspaces do not know of each other, and nobody sets what is not theirs to set. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStep, setPrice, spendTenths, startRun, useModel } from '../support/agent.js';
import type { ApiClient, ApiReply } from '../support/api-client.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

const ABSENT = '019cec37-b600-7000-8000-000000000000';
const MALFORMED = [
  'x',
  '1',
  'null',
  '%00',
  '..%2F..%2Fetc',
  "'%20OR%201=1--",
  '019cec37-b600-7000-8000-00000000000',
  '{019cec37-b600-7000-8000-000000000000}',
  '019cec37b60070008000000000000000',
  '🎉',
];

let service: TestService;
let ours: TestTenant;
let theirs: TestTenant;
let our: { runId: string; stepId: string; otherRunId: string };
let their: { runId: string; stepId: string; keyId: string };
beforeAll(async () => {
  service = await startTestService();
  ours = await service.register({ plan: 'scale' });
  theirs = await service.register({ plan: 'scale' });
  our = { ...(await runWithStep(ours.machine)), otherRunId: (await startRun(ours.machine)).id };
  const [{ id: keyId }] = (await theirs.person.get('/v1/api-keys/')).body;
  their = { ...(await runWithStep(theirs.machine)), keyId };
});
afterAll(() => service.stop());

async function runWithStep(machine: ApiClient) {
  const { id: runId } = await startRun(machine);
  return { runId, stepId: (await createStep(machine, runId)).id };
}

/** All that a client can see, but for what is different in every answer. */
function visible({ status, headers, text }: ApiReply) {
  const seen = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status, headers: Object.fromEntries(seen), text };
}

describe('foreign, absent and malformed ids are answered byte for byte alike', () => {
  const REPORT = { status: 'COMPLETED', prompt_tokens: 1 };
  const STEP = { type: 'INPUT', sequence: 1 };

  test.each<[string, string, (id: string) => [string, string, unknown?], () => string]>([
    ['read a run', 'Run', (id) => ['GET', `/v1/runs/${id}`], () => their.runId],
    ['explain a run', 'Run', (id) => ['GET', `/v1/runs/${id}/decisions`], () => their.runId],
    ['end a run', 'Run', (id) => ['POST', `/v1/runs/${id}/end`, { status: 'COMPLETED' }], () => their.runId],
    ['create a step', 'Run', (id) => ['POST', `/v1/runs/${id}/steps`, STEP], () => their.runId],
    [
      'update a step in the run',
      'Run',
      (id) => ['PATCH', `/v1/runs/${id}/steps/${their.stepId}`, REPORT],
      () => their.runId,
    ],
    [
      'update the step in our run',
      'Step',
      (id) => ['PATCH', `/v1/runs/${our.runId}/steps/${id}`, REPORT],
      () => their.stepId,
    ],
    [
      'update the step in their run',
      'Run',
      (id) => ['PATCH', `/v1/runs/${their.runId}/steps/${id}`, REPORT],
      () => their.stepId,
    ],
    [
      'update our step in another run of ours',
      'Step',
      (id) => ['PATCH', `/v1/runs/${our.otherRunId}/steps/${id}`, REPORT],
      () => our.stepId,
    ],
    ['revoke a key', 'API key', (id) => ['DELETE', `/v1/api-keys/${id}`], () => their.keyId],
  ])('%s', async (_, thing, request, foreignId) => {
    const send = async (id: string) => visible(await ours.machine.send(...request(id)));
    const foreign = await send(foreignId());
    expect([foreign.status, foreign.text]).toEqual([404, `{"detail":"${thing} not found"}`]);
    for (const id of [ABSENT, ...MALFORMED]) expect([id, await send(id)]).toEqual([id, foreign]);
  });

  test('and what they aimed at is untouched', async () => {
    expect((await theirs.machine.get(`/v1/runs/${their.runId}`)).body).toMatchObject({
      status: 'RUNNING',
      steps: [{ id: their.stepId, status: 'ALLOWED' }],
    });
    expect((await theirs.machine.get('/v1/api-keys/')).body).toMatchObject([{ is_active: true }]);
    expect((await ours.machine.get(`/v1/runs/${our.runId}`)).body.steps).toMatchObject([
      { status: 'ALLOWED' },
    ]);
  });
});

describe('one workspace leaves no trace in another', () => {
  test('nothing of what a tenant does is listed for another', async () => {
    const busy = await service.register({ plan: 'scale' });
    const idle = await service.register();
    const before = await everythingListed(idle);
    await setPrice(busy.machine, { model: 'gpt', input: 1 });
    const { id } = await startRun(busy.machine);
    await useModel(busy.machine, id, { prompt_tokens: 5 });
    await busy.machine.post('/v1/users/mallory/block');
    await startRun(busy.machine, 'mallory');
    await busy.machine.post('/v1/api-keys/');
    await busy.machine.patch('/v1/workspace/', { name: 'Busy', daily_budget_usd: 1 });
    await busy.machine.post('/v1/workspace/kill-switch', { active: true });
    expect(await everythingListed(idle)).toEqual(before);
    expect(before['/v1/runs/']).toMatchObject({ items: [], total: 0 });
    expect(before['/v1/users/']).toMatchObject({ items: [], total: 0 });
    expect(before['/v1/model-pricing/']).toEqual([]);
  });

  test('switch, block, budgets, slots and prices of one tenant decide nothing for another', async () => {
    const strict = await service.register({ plan: 'scale' });
    const free = await service.register({ plan: 'scale' });
    const { id: strictRunId } = await startRun(strict.machine);
    await spendTenths(strict.machine, { runId: strictRunId, tenths: 10 });
    await strict.machine.patch('/v1/workspace/', {
      daily_budget_usd: 0.1,
      user_daily_budget_usd: 0.1,
      max_concurrent_runs: 1,
    });
    await strict.machine.post('/v1/users/ada/block');
    await strict.machine.post('/v1/workspace/kill-switch', { active: true });
    expect((await startRun(strict.machine)).status).toBe('BLOCKED');

    const { id, status } = await startRun(free.machine);
    expect(status).toBe('RUNNING');
    await useModel(free.machine, id, { model: 'dime', prompt_tokens: 10 });
    expect((await free.machine.get(`/v1/runs/${id}`)).body.steps).toMatchObject([
      { status: 'COMPLETED', cost_usd: null },
    ]);
  });

  async function everythingListed({ person }: TestTenant): Promise<Record<string, unknown>> {
    const lists: Record<string, unknown> = {};
    for (const path of [
      '/v1/runs/',
      '/v1/users/',
      '/v1/model-pricing/',
      '/v1/usage/summary',
      '/v1/usage/daily',
      '/v1/api-keys/',
      '/v1/workspace/',
      '/v1/billing/',
      '/v1/auth/me',
    ]) {
      lists[path] = (await person.get(path)).body;
    }
    return lists;
  }
});

describe('fields that are not for the caller to set change nothing', () => {
  const SMUGGLED = {
    id: ABSENT,
    workspace_id: ABSENT,
    slug: 'admin',
    plan: 'enterprise',
    kill_switch: true,
    killSwitch: true,
    monthly_run_limit: null,
    token_version: 99,
    is_active: false,
    blocked: true,
    role: 'admin',
  };

  test('in a registration', async () => {
    const reply = await service.anonymous.post('/v1/auth/register', {
      ...SMUGGLED,
      user: { id: ABSENT },
      workspace: { id: theirs.workspaceId, plan: 'enterprise', kill_switch: true },
      max_concurrent_runs: 1_000,
      email: 'smuggler@example.com',
      password: 'correct horse',
    });
    expect(reply.status).toBe(201);
    expect(reply.body.workspace).toMatchObject({ kill_switch: false, max_concurrent_runs: 3 });
    expect([reply.body.workspace.id, reply.body.user.id]).not.toContain(ABSENT);
    expect(reply.body.workspace.id).not.toBe(theirs.workspaceId);
    const login = await service.anonymous.post('/v1/auth/login', {
      email: 'smuggler@example.com',
      password: 'correct horse',
    });
    expect(login.status).toBe(200);
    const me = await service.anonymous.send('GET', '/v1/auth/me', undefined, {
      authorization: `Bearer ${login.body.access_token}`,
    });
    expect(me.body.plan).toBe('basic');
  });

  test('in the settings of the workspace', async () => {
    const { machine, person } = await service.register();
    const before = (await machine.get('/v1/workspace/')).body;
    const reply = await machine.patch('/v1/workspace/', { ...SMUGGLED, daily_budget_usd: 5 });
    expect([reply.status, reply.body]).toEqual([200, { ...before, daily_budget_usd: 5 }]);
    expect((await person.get('/v1/billing/')).body.plan).toBe('basic');
    const off = await machine.post('/v1/workspace/kill-switch', { ...SMUGGLED, active: false });
    expect(off.body).toEqual({ ...before, daily_budget_usd: 5 });
  });

  test('in a change of plan, a new key, a run, a step and a report', async () => {
    const { machine, person } = await service.register();
    const workspace = (await machine.get('/v1/workspace/')).body;
    await person.put('/v1/billing/plan', { ...SMUGGLED, plan: 'scale' });
    expect((await machine.get('/v1/workspace/')).body).toEqual(workspace);
    expect((await person.post('/v1/api-keys/', SMUGGLED)).body).toMatchObject({ is_active: true });

    const run = await machine.post('/v1/runs/', { ...SMUGGLED, user_id: 'ada', status: 'COMPLETED' });
    expect(run.body).toMatchObject({ status: 'RUNNING' });
    const path = `/v1/runs/${run.body.id}/steps`;
    const step = await machine.post(path, { ...SMUGGLED, type: 'INPUT', sequence: 1, cost_usd: -5 });
    await machine.patch(`${path}/${step.body.id}`, { ...SMUGGLED, status: 'COMPLETED', cost_usd: -5 });
    const detail = (await machine.get(`/v1/runs/${run.body.id}`)).body;
    expect(detail).toMatchObject({ total_cost_usd: 0, steps: [{ status: 'COMPLETED', cost_usd: null }] });
    expect([run.body.id, step.body.id]).not.toContain(ABSENT);
  });
});
