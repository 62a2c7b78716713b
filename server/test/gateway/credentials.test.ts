/** Who may use the gateway, and which key reaches the provider. No key reaches another place. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blockWrites } from '../support/blocked-writes.js';
import { type GatewayFixture, MODEL, PROVIDER_KEY, startGateway } from './support/gateway-fixture.js';

/** The service has the keys of the providers. */
let holding: GatewayFixture;
/** Clients have them. */
let passing: GatewayFixture;
beforeAll(async () => {
  holding = await startGateway();
  passing = await startGateway({ GATEWAY_OPENAI_API_KEY: '', GATEWAY_ANTHROPIC_API_KEY: '' });
});
beforeEach(() => {
  for (const { provider } of [holding, passing]) provider.requests.length = 0;
});
afterAll(() => Promise.all([holding.stop(), passing.stop()]));

const CHAT = { path: 'openai/v1/chat/completions', body: { model: MODEL, messages: [] } };
const MESSAGE = { path: 'anthropic/v1/messages', body: { model: MODEL, messages: [], max_tokens: 1 } };
const MODELS = { path: 'openai/v1/models', body: null };

async function call(
  { service }: GatewayFixture,
  { path, body }: { path: string; body: object | null },
  headers: Record<string, string>,
): Promise<{ status: number; body: { detail?: string } }> {
  const response = await fetch(`${service.url}/gateway/${path}`, {
    method: body === null ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body === null ? null : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { detail?: string } };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('a service with the keys of the providers', () => {
  test('replaces the key of the client by its own', async () => {
    const { apiKey } = holding.tenant;
    expect((await call(holding, CHAT, bearer(apiKey))).status).toBe(200);
    expect((await call(holding, MESSAGE, { 'x-api-key': apiKey })).status).toBe(200);
    expect((await call(holding, MESSAGE, bearer(apiKey))).status).toBe(200);
    expect((await call(holding, MODELS, bearer(apiKey))).status).toBe(200);
    const sent = holding.provider.requests.map(
      ({ headers }) => headers.authorization ?? headers['x-api-key'],
    );
    expect(sent).toEqual([`Bearer ${PROVIDER_KEY}`, PROVIDER_KEY, PROVIDER_KEY, `Bearer ${PROVIDER_KEY}`]);
    expect(JSON.stringify(holding.provider.requests)).not.toContain(apiKey);
  });

  test.each([
    ['no key', {}],
    ['an unknown key', bearer('lg_aaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb')],
    ['the key of a provider', bearer('sk-something')],
  ])('refuses %s with 401 and forwards nothing, not even lists of models', async (_name, headers) => {
    for (const request of [CHAT, MODELS]) {
      const answer = await call(holding, request, headers);
      expect(answer).toMatchObject({ status: 401, body: { error: { type: 'guarded_runs' } } });
    }
    expect(holding.provider.requests).toEqual([]);
  });

  test('refuses a key that was revoked, at once', async () => {
    const { body } = await holding.tenant.person.post('/v1/api-keys/', { label: 'soon revoked' });
    expect((await call(holding, CHAT, bearer(body.key))).status).toBe(200);
    await holding.tenant.person.delete(`/v1/api-keys/${body.id}`);
    holding.provider.requests.length = 0;
    expect((await call(holding, CHAT, bearer(body.key))).status).toBe(401);
    expect(holding.provider.requests).toEqual([]);
  });

  test('refuses a key that may only read', async () => {
    const { body } = await holding.tenant.person.post('/v1/api-keys/', { label: 'reader', scope: 'read' });
    expect((await call(holding, CHAT, bearer(body.key))).status).toBe(403);
    expect(holding.provider.requests).toEqual([]);
  });
});

describe('a service without the keys of the providers', () => {
  test('passes the key of the client on, and takes its own from X-Guarded-Key', async () => {
    const headers = { 'x-guarded-key': passing.tenant.apiKey };
    expect((await call(passing, CHAT, { ...headers, ...bearer('sk-mine') })).status).toBe(200);
    expect((await call(passing, MESSAGE, { ...headers, 'x-api-key': 'sk-ant-mine' })).status).toBe(200);
    const sent = passing.provider.requests.map(
      ({ headers: given }) => given.authorization ?? given['x-api-key'],
    );
    expect(sent).toEqual(['Bearer sk-mine', 'sk-ant-mine']);
    expect(JSON.stringify(passing.provider.requests)).not.toContain(passing.tenant.apiKey);
  });

  test('never sends its own key to the provider, wherever the client puts it', async () => {
    const { apiKey } = passing.tenant;
    const known = { 'x-guarded-key': apiKey };
    await call(passing, CHAT, { ...known, 'x-api-key': apiKey, 'api-key': apiKey, ...bearer('sk-mine') });
    await call(passing, CHAT, { ...known, authorization: apiKey });
    await call(passing, MESSAGE, { ...known, 'x-api-key': 'sk-ant-mine', ...bearer(apiKey) });
    expect(passing.provider.requests).toHaveLength(3);
    expect(await call(passing, CHAT, bearer(apiKey))).toMatchObject({ status: 401 });
    await call(passing, CHAT, { ...bearer(apiKey), 'x-guarded-key': apiKey });
    expect(JSON.stringify(passing.provider.requests)).not.toContain(apiKey);
  });
});

test('the API says where the gateway is, and whether it has the keys', async () => {
  const shown = async ({ tenant }: GatewayFixture) => (await tenant.person.get('/v1/gateway')).body.providers;
  expect(await shown(holding)).toEqual([
    { name: 'openai', path: '/gateway/openai', has_key: true },
    { name: 'anthropic', path: '/gateway/anthropic', has_key: true },
  ]);
  expect((await shown(passing)).map(({ has_key }: { has_key: boolean }) => has_key)).toEqual([false, false]);
});

test('a gateway that is off serves nothing', async () => {
  const off = await startGateway({ GATEWAY: 'off' });
  expect((await call(off, CHAT, bearer(off.tenant.apiKey))).status).toBe(404);
  expect((await off.tenant.person.get('/v1/gateway')).body).toEqual({ providers: [] });
  expect(off.provider.requests).toEqual([]);
  await off.stop();
});

test('no key is in the log, of a call that succeeds, is refused or fails', async () => {
  for (const gateway of [holding, passing]) {
    const headers = { ...bearer('sk-secret'), 'x-guarded-key': gateway.tenant.apiKey };
    await call(gateway, CHAT, headers);
    await call(gateway, { ...CHAT, body: {} }, headers);
    await call(gateway, CHAT, { ...headers, 'x-stand-in': '{"resets":true}' });
    for (const secret of ['sk-secret', PROVIDER_KEY, gateway.tenant.apiKey])
      expect(gateway.service.logs()).not.toContain(secret);
  }
});

describe('while the store is away', () => {
  test('nothing is forwarded', async () => {
    const gateway = await startGateway({ DATABASE_TIMEOUT_MS: '500' });
    const writer = await blockWrites(gateway.service.databaseUrl);
    try {
      const answer = await call(gateway, CHAT, bearer(gateway.tenant.apiKey));
      expect([answer.status, gateway.provider.requests.length]).toEqual([503, 0]);
    } finally {
      await writer.stop();
      await gateway.stop();
    }
  });

  test('calls are forwarded unguarded if the operator wants that, and it is said in the answer and the log', async () => {
    const gateway = await startGateway({ DATABASE_TIMEOUT_MS: '500', GATEWAY_ON_UNAVAILABLE: 'allow' });
    const writer = await blockWrites(gateway.service.databaseUrl);
    try {
      const response = await fetch(`${gateway.service.url}/gateway/${CHAT.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(gateway.tenant.apiKey) },
        body: JSON.stringify(CHAT.body),
      });
      expect([response.status, response.headers.get('x-guarded')]).toEqual([200, 'unavailable']);
      expect(gateway.service.logs()).toContain('forwarded without a decision');
    } finally {
      await writer.stop();
      await gateway.stop();
    }
  });
});
