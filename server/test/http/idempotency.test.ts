import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiClient, ApiReply } from '../support/api-client.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

const DAY_MS = 86_400_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ DEFAULT_PLAN: 'enterprise', JWT_TTL_SECONDS: '31536000' });
});
afterAll(() => service.stop());

const withKey = (key: string) => ({ 'idempotency-key': key });

function start(client: ApiClient, key: string, userId = 'u'): Promise<ApiReply> {
  return client.send('POST', '/v1/runs/', { user_id: userId }, withKey(key));
}

async function runCount({ person }: TestTenant): Promise<number> {
  return (await person.get('/v1/runs/')).body.total;
}

test('the same request with the same key gets the first answer and has one effect', async () => {
  const tenant = await service.register();
  const { machine } = tenant;
  const first = await start(machine, 'start-1');
  const again = await start(machine, 'start-1');
  expect(again).toMatchObject({ status: 201, text: first.text });
  expect(await runCount(tenant)).toBe(1);

  const path = `/v1/runs/${first.body.id}/steps`;
  const step = { type: 'INPUT', sequence: 1 };
  const created = await machine.send('POST', path, step, withKey('step-1'));
  expect((await machine.send('POST', path, step, withKey('step-1'))).text).toBe(created.text);

  const report = { status: 'COMPLETED', prompt_tokens: 5 };
  const updated = await machine.send('PATCH', `${path}/${created.body.id}`, report, withKey('update-1'));
  expect((await machine.send('PATCH', `${path}/${created.body.id}`, report, withKey('update-1'))).text).toBe(
    updated.text,
  );

  const ended = await machine.send(
    'POST',
    `/v1/runs/${first.body.id}/end`,
    { status: 'FAILED' },
    withKey('end-1'),
  );
  expect(
    (await machine.send('POST', `/v1/runs/${first.body.id}/end`, { status: 'FAILED' }, withKey('end-1')))
      .text,
  ).toBe(ended.text);
  const detail = await machine.get(`/v1/runs/${first.body.id}`);
  expect(detail.body.steps).toHaveLength(1);
  expect(detail.body.total_tokens).toBe(5);
});

test('the first answer is repeated even when the same request would now be decided differently', async () => {
  const tenant = await service.register();
  const allowed = await start(tenant.machine, 'k');
  await tenant.person.post('/v1/workspace/kill-switch', { active: true });
  expect((await start(tenant.machine, 'k')).text).toBe(allowed.text);
  expect((await start(tenant.machine, 'other')).body.decision.reason).toBe('KILL_SWITCH_ACTIVE');
});

test('requests sent several times at once have one effect and one answer', async () => {
  const tenant = await service.register();
  const replies = await Promise.all(Array.from({ length: 20 }, () => start(tenant.machine, 'at-once')));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(await runCount(tenant)).toBe(1);
});

test('another request with the same key is refused with 400 and changes nothing', async () => {
  const tenant = await service.register();
  const { body } = await start(tenant.machine, 'k', 'ada');
  for (const reply of [
    await start(tenant.machine, 'k', 'bob'),
    await tenant.machine.send('POST', `/v1/runs/${body.id}/end`, { status: 'COMPLETED' }, withKey('k')),
    await tenant.machine.send('POST', '/v1/api-keys/', { label: 'x' }, withKey('k')),
  ]) {
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ detail: 'This Idempotency-Key was used with another request' });
  }
  expect(await runCount(tenant)).toBe(1);
});

test('a refused request is not recorded', async () => {
  const tenant = await service.register();
  expect((await tenant.machine.send('POST', '/v1/runs/', { user_id: 7 }, withKey('k'))).status).toBe(422);
  const missing = '/v1/runs/00000000-0000-7000-8000-000000000000/end';
  expect((await tenant.machine.send('POST', missing, { status: 'COMPLETED' }, withKey('k'))).status).toBe(
    404,
  );
  expect((await start(tenant.machine, 'k')).status).toBe(201);
});

test('keys of different workspaces are independent', async () => {
  const [one, other] = [await service.register(), await service.register()];
  const first = await start(one.machine, 'shared');
  const second = await start(other.machine, 'shared');
  expect(second.status).toBe(201);
  expect(second.body.id).not.toBe(first.body.id);
});

test('an answer is recorded for 24 hours and not longer', async () => {
  const tenant = await service.register();
  const first = await start(tenant.machine, 'daily');
  service.clock.advance(DAY_MS - 1);
  expect((await start(tenant.machine, 'daily')).body.id).toBe(first.body.id);
  service.clock.advance(1);
  const next = await start(tenant.machine, 'daily');
  expect(next.body.id).not.toBe(first.body.id);
  expect((await start(tenant.machine, 'daily')).body.id).toBe(next.body.id);
});

test('creating an API key again returns the same key, which is stored nowhere in plain text', async () => {
  const tenant = await service.register();
  const create = (label: string) =>
    tenant.person.send('POST', '/v1/api-keys/', { label }, withKey('new key'));
  const first = await create('ci');
  const replies = [await create('ci'), ...(await Promise.all([create('ci'), create('ci')]))];
  for (const reply of replies) expect(reply).toMatchObject({ status: 201, text: first.text });
  expect((await tenant.person.get('/v1/api-keys/')).body).toHaveLength(2);
  expect((await create('other')).status).toBe(400);
});

test.each(['revoked', 'replaced'])(
  'a key %s after its creation is not shown as active when the creation is repeated',
  async (what) => {
    const { person } = await service.register();
    const create = () => person.send('POST', '/v1/api-keys/', { label: 'CI' }, withKey('new key'));
    const { status, body: created } = await create();
    expect([status, created.is_active]).toEqual([201, true]);
    expect((await create()).body).toEqual(created);
    if (what === 'revoked') await person.send('DELETE', `/v1/api-keys/${created.id}`);
    else await person.post('/v1/api-keys/regenerate');
    const repeated = await create();
    expect([repeated.status, repeated.body]).toEqual([201, { ...created, is_active: false }]);
  },
);

test.each(['', 'x'.repeat(256)])('a key that is empty or too long is refused with 422', async (key) => {
  const tenant = await service.register();
  expect((await start(tenant.machine, key)).status).toBe(422);
});

test('old idempotency records are deleted, younger ones are not', async () => {
  const tenant = await service.register();
  await start(tenant.machine, 'old');
  service.clock.advance(DAY_MS + 1);
  const young = await start(tenant.machine, 'young');
  const before = service.clock.now() - DAY_MS;
  expect(
    await service.app.store.maintenance.deleteIdempotencyRecords({ before, limit: 1_000 }),
  ).toBeGreaterThan(0);
  expect(await service.app.store.maintenance.deleteIdempotencyRecords({ before, limit: 1_000 })).toBe(0);
  expect((await start(tenant.machine, 'young')).text).toBe(young.text);
});
