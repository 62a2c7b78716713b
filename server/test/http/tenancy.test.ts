/** Workspaces are isolated, and fields that a caller may not set have no effect. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStep, setPrice, spendTenths, startRun, useModel } from '../support/agent.js';
import { type ApiClient, visible } from '../support/api-client.js';
import { fillPath, nameOf, ROUTES, type Route } from '../support/routes.js';
import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/test-service.js';
import { stateOf } from '../support/workspace-state.js';

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

describe('foreign, absent and malformed ids get the same answer, byte for byte', () => {
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

  test('and their targets are unchanged', async () => {
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
  test('what a tenant does is not listed for another', async () => {
    const busy = await service.register({ plan: 'scale' });
    const idle = await service.register();
    const before = await stateOf(idle.person);
    await setPrice(busy.machine, { model: 'gpt', input: 1 });
    const { id } = await startRun(busy.machine);
    await useModel(busy.machine, id, { prompt_tokens: 5 });
    await busy.machine.post('/v1/users/mallory/block');
    await startRun(busy.machine, 'mallory');
    await busy.machine.post('/v1/api-keys/');
    await busy.machine.patch('/v1/workspace/', { name: 'Busy', daily_budget_usd: 1 });
    await busy.machine.post('/v1/workspace/kill-switch', { active: true });
    expect(await stateOf(idle.person)).toEqual(before);
    expect(before['/v1/runs/']).toMatchObject({ items: [], total: 0 });
    expect(before['/v1/users/']).toMatchObject({ items: [], total: 0 });
    expect(before['/v1/model-pricing/']).toEqual([]);
  });

  test('switch, block, budgets, slots and prices of one tenant do not affect another', async () => {
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
});

describe('fields that the caller may not set have no effect', () => {
  const FIELDS = {
    id: ABSENT,
    workspace_id: ABSENT,
    account_id: ABSENT,
    run_id: ABSENT,
    slug: 'admin',
    plan: 'enterprise',
    name: 'Smuggled',
    email: 'smuggled@example.com',
    role: 'admin',
    kill_switch: true,
    killSwitch: true,
    active: true,
    is_active: false,
    blocked: true,
    status: 'FAILED',
    user_id: 'smuggled',
    daily_budget_usd: 0,
    user_daily_budget_usd: 0,
    max_concurrent_runs: 1_000,
    monthly_run_limit: null,
    monthly_run_count: -1,
    token_version: 99,
    tokenVersion: 99,
    prefix: 'smuggled',
    secret_hash: '0'.repeat(64),
    key: 'lg_smuggled',
    cost_usd: -5,
    total_cost_usd: -5,
    total_tokens: -5,
    step_count: 99,
    decision: { outcome: 'ALLOW', reason: null },
    started_at: '1999-01-01T00:00:00.000Z',
    ended_at: '1999-01-01T00:00:00.000Z',
    created_at: '1999-01-01T00:00:00.000Z',
    last_used_at: '1999-01-01T00:00:00.000Z',
  };
  const REGISTERED_AT = '2026-03-14T13:00:00.000Z';
  const SENT_AT = '2026-03-14T13:00:01.000Z';
  const WITH_BODY = ROUTES.filter((route) => route.body !== undefined);

  test.each(WITH_BODY.map((route) => [nameOf(route), route] as const))(
    'in the body of %s',
    async (_, route) => {
      service.clock.set(SENT_AT);
      const before = await stateOf(theirs.person);
      const clean = await outcomeOf(route, (body) => JSON.stringify(body));
      const documented = await documentedFields(route);
      const smuggled = Object.fromEntries(
        Object.entries({ ...FIELDS, workspace: FIELDS, user: FIELDS, run: FIELDS, data: [FIELDS] }).filter(
          ([name]) => !documented.includes(name),
        ),
      );
      const text = JSON.stringify(smuggled).slice(0, -1);
      const prototypes = `"__proto__":${JSON.stringify(FIELDS)},"constructor":{"prototype":${JSON.stringify(FIELDS)}}`;
      const bent = await outcomeOf(route, (body) => `${text},${prototypes},${JSON.stringify(body).slice(1)}`);
      expect(bent).toEqual(clean);
      expect(await stateOf(theirs.person)).toEqual(before);
    },
  );

  test('workspaces created after all this have the defaults', async () => {
    const { person } = await service.register();
    expect((await person.get('/v1/workspace/')).body).toMatchObject({
      kill_switch: false,
      max_concurrent_runs: 3,
    });
    expect((await person.get('/v1/auth/me')).body).toMatchObject({ plan: 'basic' });
  });

  /** The answer and what the caller can see afterwards, without what differs in every workspace. */
  async function outcomeOf(route: Route, toText: (body: unknown) => string) {
    service.clock.set(REGISTERED_AT);
    const tenant = await service.register({ plan: 'scale' });
    // Items created in the same millisecond have no order.
    service.clock.advance(1);
    const path = await fillPath(tenant, route.path);
    service.clock.set(SENT_AT);
    const client = route.auth === 'api-key' ? tenant.machine : tenant.person;
    const reply = expectStatus(
      await client.send(route.method, path, toText(route.body?.(tenant))),
      route.status,
    );
    // A registration, a sign-in and a new password return a token; the state of its owner is compared.
    const person = client.withCredential(reply.body.access_token ?? tenant.token);
    const state = await stateOf(person);
    return JSON.parse(anonymous(JSON.stringify({ reply: reply.body, state }), tenant));
  }

  async function documentedFields({ path, method }: Route): Promise<string[]> {
    const { paths, components } = (await service.anonymous.get('/openapi.json')).body;
    const { schema } = paths[path][method.toLowerCase()].requestBody.content['application/json'];
    const { properties } =
      schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)];
    return Object.keys(properties);
  }

  function anonymous(text: string, { email, slug }: TestTenant): string {
    const [name = ''] = email.split('@');
    const ids = new Map<string, string>();
    return text
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        ids.set(id, ids.get(id) ?? `id ${ids.size}`);
        return ids.get(id) ?? '';
      })
      .replace(/"slug":"[^"]+"/g, '"slug":"a slug"')
      .replace(/"prefix":"\w{8}"/g, '"prefix":"a prefix"')
      .replace(/lg_\w{8}_[\w-]{43}/g, 'a key')
      .replace(/(token(?:":"|=))[\w-]{43}/g, '$1an invitation')
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'a token')
      .replaceAll(slug, 'a slug')
      .replaceAll(name, 'somebody');
  }
});
