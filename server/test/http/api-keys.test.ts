import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRun } from '../support/agent.js';
import { ApiClient } from '../support/api-client.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const KEY = /^lg_([a-z0-9]{8})_([A-Za-z0-9_-]{43})$/;

let service: TestService;
/** For refused requests, which change nothing. */
let refused: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  refused = await service.register();
});
beforeEach(() => service.clock.set(NOON));
afterAll(() => service.stop());

const clientOf = (key: string) => new ApiClient(service.url, key);
const isAccepted = async (key: string) =>
  (await clientOf(key).post('/v1/runs/', { user_id: 'ada' })).status === 201;

describe('listing', () => {
  test('shows the key of the registration by its prefix and never by its secret', async () => {
    const { person, apiKey, email } = await service.register();
    expect(apiKey).toMatch(KEY);
    const [, prefix, secret] = KEY.exec(apiKey) ?? [];
    const reply = await person.get('/v1/api-keys/');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual([
      {
        id: expect.any(String),
        prefix,
        label: 'default',
        is_active: true,
        created_at: NOON,
        last_used_at: null,
        scope: 'admin',
        user_id: null,
        created_by: email,
      },
    ]);
    expect(secret).toHaveLength(43);
    expect(reply.text).not.toContain(secret);
  });

  test('last_used_at follows the use of the key to the minute', async () => {
    const { person, machine } = await service.register();
    const lastUsed = async () => (await person.get('/v1/api-keys/')).body[0].last_used_at;
    await machine.get('/v1/workspace/');
    expect(await lastUsed()).toBe(NOON);
    service.clock.advance(59_999);
    await machine.get('/v1/workspace/');
    expect(await lastUsed()).toBe(NOON);
    service.clock.advance(1);
    await machine.get('/v1/workspace/');
    expect(await lastUsed()).toBe('2026-03-14T12:01:00.000Z');
  });
});

describe('creating', () => {
  test('returns the key once; it works beside the older ones, and is listed first', async () => {
    const { person, apiKey, email } = await service.register();
    service.clock.advance(1_000);
    const reply = await person.post('/v1/api-keys/', { label: 'CI 🤖' });
    expect(reply.status).toBe(201);
    const { key, ...record } = reply.body;
    expect(key).toMatch(KEY);
    expect(record).toEqual({
      id: expect.any(String),
      prefix: key.slice(3, 11),
      label: 'CI 🤖',
      is_active: true,
      created_at: '2026-03-14T12:00:01.000Z',
      last_used_at: null,
      scope: 'admin',
      user_id: null,
      created_by: email,
    });
    expect((await person.get('/v1/api-keys/')).body[0]).toEqual(record);
    expect([await isAccepted(key), await isAccepted(apiKey)]).toEqual([true, true]);
  });

  test.each([
    ['without a body', undefined],
    ['with an empty object', {}],
    ['with null', { label: null }],
  ])('needs no label: %s', async (_, body) => {
    const { machine } = await service.register();
    const reply = await machine.post('/v1/api-keys/', body);
    expect([reply.status, reply.body.label]).toEqual([201, null]);
  });

  test.each([{ label: '' }, { label: 'x'.repeat(256) }, { label: 5 }, []])(
    'refuses an invalid label with 422: %j',
    async (body) => {
      const { machine } = refused;
      expect((await machine.post('/v1/api-keys/', body)).status).toBe(422);
      expect((await machine.get('/v1/api-keys/')).body).toHaveLength(1);
    },
  );
});

describe('revoking', () => {
  test('returns 204 without a body; the key stops working at once and is shown as inactive', async () => {
    const { person, machine, apiKey } = await service.register();
    const { id: runId } = await startRun(machine);
    const [{ id }] = (await person.get('/v1/api-keys/')).body;
    const reply = await person.delete(`/v1/api-keys/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await isAccepted(apiKey)).toBe(false);
    const refused = await machine.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED' });
    expect([refused.status, refused.body]).toEqual([401, { detail: 'No active API key' }]);
    expect((await person.get('/v1/api-keys/')).body).toMatchObject([{ id, is_active: false }]);
  });

  test('a revoked key that was in use is refused before the request is validated', async () => {
    const { machine, person } = await service.register();
    const { id, key } = (await person.post('/v1/api-keys/')).body;
    const { id: runId } = await startRun(clientOf(key));
    await person.delete(`/v1/api-keys/${id}`);
    for (const [path, body] of [
      ['/v1/runs/', { user_id: 'ada' }],
      ['/v1/runs/', '{"malformed":'],
      ['/v1/runs/', { user_id: 5 }],
      [`/v1/runs/${runId}/end`, { status: 'UNKNOWN' }],
      ['/v1/runs/no-such-run/end', { status: 'COMPLETED' }],
    ] as const) {
      const reply = await clientOf(key).post(path, body);
      expect([reply.status, reply.body]).toEqual([401, { detail: 'No active API key' }]);
    }
    expect((await machine.get(`/v1/runs/${runId}`)).body.status).toBe('RUNNING');
  });
  test('twice is the same as once; a key may revoke itself', async () => {
    const { person, machine } = await service.register();
    const [{ id }] = (await person.get('/v1/api-keys/')).body;
    expect((await machine.delete(`/v1/api-keys/${id}`)).status).toBe(204);
    expect((await machine.get('/v1/api-keys/')).status).toBe(401);
    expect((await person.delete(`/v1/api-keys/${id}`)).status).toBe(204);
  });

  test('does not affect the other keys of the workspace', async () => {
    const { person, apiKey } = await service.register();
    const { id, key } = (await person.post('/v1/api-keys/')).body;
    await person.delete(`/v1/api-keys/${id}`);
    expect([await isAccepted(key), await isAccepted(apiKey)]).toEqual([false, true]);
  });
});

describe('regenerating', () => {
  test('returns one new key, and every earlier key of the workspace stops working at once', async () => {
    const { person, apiKey } = await service.register();
    const second = (await person.post('/v1/api-keys/')).body.key;
    const reply = await person.post('/v1/api-keys/regenerate');
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ key: expect.stringMatching(KEY), is_active: true });
    expect([await isAccepted(apiKey), await isAccepted(second), await isAccepted(reply.body.key)]).toEqual([
      false,
      false,
      true,
    ]);
    const active = (await person.get('/v1/api-keys/')).body.filter(
      (record: { is_active: boolean }) => record.is_active,
    );
    expect(active).toMatchObject([{ id: reply.body.id }]);
  });

  test('works with the key that it replaces, and affects no other workspace', async () => {
    const neighbour = await service.register();
    const { machine, apiKey } = await service.register();
    const { key } = (await machine.post('/v1/api-keys/regenerate')).body;
    expect([await isAccepted(apiKey), await isAccepted(key)]).toEqual([false, true]);
    expect(await isAccepted(neighbour.apiKey)).toBe(true);
  });
});

describe('a key that is not exactly correct', () => {
  test.each([
    ['another secret', (key: string) => `${key.slice(0, -43)}${'A'.repeat(43)}`],
    ['the last letter changed', (key: string) => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')],
    ['another prefix', (key: string) => key.replace(/^lg_.{8}/, 'lg_00000000')],
    ['a letter missing', (key: string) => key.slice(0, -1)],
    ['a letter too many', (key: string) => `${key}A`],
    ['only the prefix', (key: string) => key.slice(0, 12)],
    ['a capital in the prefix', (key: string) => `lg_A${key.slice(4)}`],
  ])('is refused like an unknown one: %s', async (_, spoil) => {
    const { apiKey } = await service.register();
    const reply = await clientOf(spoil(apiKey)).get('/v1/workspace/');
    expect([reply.status, reply.body]).toEqual([401, { detail: 'No active API key' }]);
  });
});
