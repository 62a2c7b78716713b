/** What an API key may do: every route × every scope, and keys that are pinned to one end user. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { KEY_SCOPES, type KeyScope } from '../../src/domain/access.js';
import { createStep, endRun, startRun } from '../support/agent.js';
import { ApiClient, visible } from '../support/api-client.js';
import { expectError } from '../support/error-reply.js';
import { fillPath, nameOf, ROUTES } from '../support/routes.js';
import { createTestDatabase, testStore } from '../support/test-database.js';
import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/test-service.js';
import { stateOf, withoutUse } from '../support/workspace-state.js';

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await service.register({ plan: 'scale' });
});
afterAll(() => service.stop());

async function newKey(owner: TestTenant, given: { scope?: KeyScope; user_id?: string }): Promise<ApiClient> {
  const { key } = expectStatus(await owner.person.post('/v1/api-keys/', given), 201).body;
  return new ApiClient(service.url, key);
}

const FOR_KEYS = ROUTES.filter(({ auth }) => auth === 'api-key' || auth === 'any');

test('every route for API keys says which scopes may call it, and a key of admin may call all of them', () => {
  for (const route of FOR_KEYS)
    expect([nameOf(route), route.scopes]).toEqual([nameOf(route), expect.arrayContaining(['admin'])]);
  expect(ROUTES.filter((route) => route.scopes !== undefined)).toEqual(FOR_KEYS);
});

test('a refusal by scope is documented where there is one', async () => {
  const { paths } = (await service.anonymous.get('/openapi.json')).body;
  for (const { method, path, scopes } of FOR_KEYS) {
    const { responses } = paths[path][method.toLowerCase()];
    if (scopes?.length !== KEY_SCOPES.length)
      expect([path, Object.keys(responses)]).toEqual([path, expect.arrayContaining(['403'])]);
  }
});

describe.each(KEY_SCOPES)('a key of the scope %s', (scope) => {
  test.each(FOR_KEYS.map((route) => [nameOf(route), route] as const))('%s', async (_, route) => {
    const owner = route.method === 'GET' ? tenant : await service.register({ plan: 'scale' });
    const key = await newKey(owner, { scope });
    const path = await fillPath(owner, route.path);
    const before = await stateOf(owner.person);
    const reply = await key.send(route.method, path, route.body?.(owner));
    if (route.scopes?.includes(scope)) {
      expectStatus(reply, route.status);
      return;
    }
    expectError(reply, 403);
    expect(reply.body.detail).toBe(
      `This API key has the scope ${scope}; this endpoint needs ${route.scopes?.join(' or ')}`,
    );
    // The scope is checked before the body and the ids.
    const nowhere = route.path.replace(/\{\w+\}/g, 'nothing');
    expect(visible(await key.send(route.method, nowhere, route.method === 'GET' ? undefined : '{'))).toEqual(
      visible(reply),
    );
    expect(withoutUse(await stateOf(owner.person))).toEqual(withoutUse(before));
  });
});

describe('a key that is pinned to the user of the run may do what an agent may', () => {
  test.each(FOR_KEYS.map((route) => [nameOf(route), route] as const))('%s', async (name, route) => {
    const owner = route.method === 'GET' ? tenant : await service.register({ plan: 'scale' });
    const key = await newKey(owner, { scope: 'agent', user_id: 'ada' });
    const path = await fillPath(owner, route.path);
    const reply = await key.send(route.method, path, route.body?.(owner));
    // The run that the request would start is of another user.
    if (route.scopes?.includes('agent') && name !== 'POST /v1/runs/') expectStatus(reply, route.status);
    else expectError(reply, 403);
  });
});

test('a route that does not say what it does prevents the start of the server', async () => {
  const database = await createTestDatabase(testStore());
  const app = await createApp(loadConfig({ DATABASE_URL: database.url, LOG_LEVEL: 'silent' }));
  try {
    const config = { auth: 'any' } as const;
    expect(() => app.server.get('/v1/forgotten', { config }, async () => 'open to all keys')).toThrow(
      'GET /v1/forgotten must have an access setting',
    );
  } finally {
    await app.close();
    await database.drop();
  }
});

test('an agent cannot lift its own guardrails, and sees that its key is the reason', async () => {
  const owner = await service.register({ plan: 'scale' });
  const agent = await newKey(owner, { scope: 'agent' });
  await owner.person.post('/v1/workspace/kill-switch', { active: true });
  for (const attempt of [
    agent.post('/v1/workspace/kill-switch', { active: false }),
    agent.patch('/v1/workspace/', { daily_budget_usd: 1_000_000 }),
    agent.put('/v1/model-pricing/gpt', { input_cost_per_token: 0, output_cost_per_token: 0 }),
    agent.post('/v1/api-keys/', { scope: 'admin' }),
    agent.post('/v1/api-keys/regenerate'),
    agent.post('/v1/users/ada/unblock'),
  ])
    expect(expectStatus(await attempt, 403).body.detail).toContain('has the scope agent');
  const { body } = await agent.post('/v1/runs/', { user_id: 'ada' });
  expect(body.decision).toEqual({ outcome: 'DENY', reason: 'KILL_SWITCH_ACTIVE' });
});

test('a revoked key gets 401 for everything, whatever its scope', async () => {
  const owner = await service.register();
  for (const scope of KEY_SCOPES) {
    const { id, key } = (await owner.person.post('/v1/api-keys/', { scope })).body;
    const client = new ApiClient(service.url, key);
    // The service has seen the key, and may remember it.
    await client.post('/v1/runs/', { user_id: 'ada' });
    await owner.person.delete(`/v1/api-keys/${id}`);
    for (const reply of [
      await client.post('/v1/runs/', { user_id: 'ada' }),
      await client.get('/v1/runs/'),
      await client.patch('/v1/workspace/', { name: 'x' }),
    ])
      expectError(reply, 401);
  }
});

describe('the scope of a key', () => {
  test('is admin by default, and shown with the key', async () => {
    const { person } = await service.register();
    const created = await person.post('/v1/api-keys/', { label: 'old client' });
    expect(created.body).toMatchObject({ scope: 'admin', user_id: null });
    service.clock.advance(1);
    const pinned = await person.post('/v1/api-keys/', { scope: 'agent', user_id: 'ada' });
    expect(pinned.body).toMatchObject({ scope: 'agent', user_id: 'ada' });
    expect((await person.get('/v1/api-keys/')).body).toMatchObject([
      { scope: 'agent', user_id: 'ada' },
      { scope: 'admin', user_id: null },
      { scope: 'admin', user_id: null },
    ]);
  });

  test.each([
    [{ scope: 'owner' }, 'body/scope must be one of admin, agent, read'],
    [{ scope: null }, 'body/scope must be string'],
    [{ scope: 'read', user_id: 'ada' }, 'body/user_id requires the scope agent'],
    [{ user_id: 'ada' }, 'body/user_id requires the scope agent'],
    [{ scope: 'agent', user_id: '' }, 'body/user_id must NOT have fewer than 1 characters'],
    [{ scope: 'agent', user_id: 'x'.repeat(256) }, 'body/user_id must NOT have more than 255 characters'],
  ])('%j is refused', async (body, detail) => {
    const reply = await tenant.person.post('/v1/api-keys/', body);
    expectError(reply, 422);
    expect(reply.body.detail).toBe(detail);
  });
});

describe('a key that is pinned to a user', () => {
  let owner: TestTenant;
  let ada: ApiClient;
  let ofAda: string;
  let ofBob: string;
  let stepOfBob: string;
  beforeAll(async () => {
    owner = await service.register({ plan: 'enterprise' });
    ada = await newKey(owner, { scope: 'agent', user_id: 'ada' });
    ofAda = (await startRun(owner.machine, 'ada')).id;
    ofBob = (await startRun(owner.machine, 'bob')).id;
    stepOfBob = (await createStep(owner.machine, ofBob)).id;
  });

  test('starts runs of its user only', async () => {
    const { id } = expectStatus(await ada.post('/v1/runs/', { user_id: 'ada' }), 201).body;
    await endRun(ada, id);
    const before = (await owner.person.get('/v1/runs/')).body.total;
    const reply = await ada.post('/v1/runs/', { user_id: 'bob' });
    expectError(reply, 403);
    expect(reply.body.detail).toBe('This API key can start only runs of its own user');
    expect((await owner.person.get('/v1/runs/')).body.total).toBe(before);
  });

  test('works on the runs of its user', async () => {
    const { body: run } = await ada.post('/v1/runs/', { user_id: 'ada' });
    const step = await createStep(ada, run.id);
    expectStatus(await ada.patch(`/v1/runs/${run.id}/steps/${step.id}`, { status: 'COMPLETED' }), 200);
    expectStatus(await ada.post(`/v1/runs/${run.id}/heartbeat`), 200);
    expectStatus(await ada.get(`/v1/runs/${run.id}`), 200);
    expectStatus(await ada.get(`/v1/runs/${run.id}/decisions`), 200);
    expectStatus(await ada.post(`/v1/runs/${run.id}/end`, { status: 'COMPLETED' }), 200);
  });

  test('gets for a run of another user the answer of a run that does not exist, byte for byte', async () => {
    const before = (await owner.person.get(`/v1/runs/${ofBob}`)).body;
    const step = { type: 'TOOL_CALL', sequence: 9 };
    const requests = (runId: string, stepId: string) =>
      [
        ['GET', `/v1/runs/${runId}`, undefined],
        ['GET', `/v1/runs/${runId}/decisions`, undefined],
        ['POST', `/v1/runs/${runId}/steps`, step],
        ['POST', `/v1/runs/${runId}/steps`, { ...step, reports: [{ step_id: stepId, status: 'FAILED' }] }],
        ['PATCH', `/v1/runs/${runId}/steps/${stepId}`, { status: 'COMPLETED' }],
        ['POST', `/v1/runs/${runId}/heartbeat`, undefined],
        ['POST', `/v1/runs/${runId}/stop`, undefined],
        ['POST', `/v1/runs/${runId}/end`, { status: 'FAILED' }],
      ] as const;
    const absent = '019cec37-b600-7000-8000-000000000000';
    const expected = requests(absent, absent);
    for (const [index, [method, path, body]] of requests(ofBob, stepOfBob).entries()) {
      const [, absentPath, absentBody] = expected[index] ?? ['', '', undefined];
      const reply = await ada.send(method, path, body);
      expectError(reply, 404);
      expect(visible(reply)).toEqual(visible(await ada.send(method, absentPath, absentBody)));
    }
    expect((await owner.person.get(`/v1/runs/${ofBob}`)).body).toEqual(before);
  });

  test('lists the runs of its user only, whatever it filters by', async () => {
    const users = async (query: string) => {
      const { items, total } = expectStatus(await ada.get(`/v1/runs/${query}`), 200).body;
      expect(total).toBe(items.length);
      return [...new Set(items.map(({ user_id }: { user_id: string }) => user_id))];
    };
    expect(await users('')).toEqual(['ada']);
    expect(await users('?user_id=ada')).toEqual(['ada']);
    expect(await users('?user_id=bob')).toEqual([]);
    expect(await users('?status=RUNNING')).toEqual(['ada']);
    expect((await ada.get('/v1/runs/')).text).toContain(ofAda);
  });

  test('cannot replay an answer about another user that was recorded for the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'shared key' };
    const body = { user_id: 'bob' };
    expectStatus(await owner.machine.send('POST', '/v1/runs/', body, headers), 201);
    expectError(await ada.send('POST', '/v1/runs/', body, headers), 403);
  });
});
