/** A connection stays usable after a body that was refused before it was read. */

import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await service.register();
});
afterAll(() => service.stop());

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(agent: Agent, given: Sent) {
  return new Promise<number>((resolve, reject) => {
    const { method, path, type = 'application/json', body } = given;
    const headers = {
      authorization: `Bearer ${tenant.apiKey}`,
      ...given.headers,
      ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    };
    const sent = request(`${service.url}${path}`, { agent, method, headers, timeout: 10_000 }, (reply) => {
      reply.on('end', () => resolve(reply.statusCode ?? 0));
      reply.resume();
    });
    sent.on('timeout', () => sent.destroy(new Error('The connection hangs')));
    sent.on('error', reject);
    sent.end(body);
  });
}

const LARGE = JSON.stringify({ user_id: 'ada', metadata: { text: 'x'.repeat(900_000) } });

test.each([
  ['of another content type', { method: 'POST', path: '/v1/runs/', type: 'text/plain', body: LARGE }, 415],
  ['for a path that does not exist', { method: 'POST', path: '/v1/nothing', body: LARGE }, 404],
  ['with a method that the path does not have', { method: 'PUT', path: '/v1/runs/', body: LARGE }, 405],
  ['that is not JSON', { method: 'POST', path: '/v1/runs/', body: `${LARGE}!` }, 400],
  ['that is accepted', { method: 'POST', path: '/v1/runs/', body: LARGE }, 201],
])('a large body %s leaves its connection usable', async (_, given, status) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let round = 0; round < 3; round += 1) {
    expect(await send(agent, given)).toBe(status);
    expect(await send(agent, { method: 'GET', path: '/v1/workspace/' })).toBe(200);
  }
  agent.destroy();
});

test.each([
  ['without a valid key', { path: '/v1/runs/', headers: { authorization: 'Bearer lg_x_y' } }, 401],
  ['for a path that does not exist', { path: '/v1/nothing' }, 404],
  ['for a path that is not valid', { path: '/v1/%' }, 400],
  ['of another content type', { path: '/v1/runs/', type: 'text/plain' }, 415],
  ['that is accepted', { path: '/v1/runs/' }, 201],
])('a large body %s of a request to upgrade does not hold up the next request', async (_, given, status) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const upgrade = { connection: 'upgrade', upgrade: 'websocket' };
  const headers = { ...upgrade, ...('headers' in given ? given.headers : {}) };
  for (let round = 0; round < 5; round += 1) {
    expect(await send(agent, { method: 'POST', body: LARGE, ...given, headers })).toBe(status);
    expect(await send(agent, { method: 'GET', path: '/v1/workspace/' })).toBe(200);
  }
  agent.destroy();
});

test('a client that disconnects in the middle of a large body harms nothing', async () => {
  for (let round = 0; round < 20; round += 1) {
    await new Promise<void>((resolve) => {
      const sent = request(`${service.url}/v1/runs/`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.apiKey}`,
          'content-type': 'application/json',
          'content-length': LARGE.length,
        },
      });
      sent.on('error', () => resolve());
      sent.write(LARGE.slice(0, 100_000 + round * 40_000), () => sent.destroy());
    });
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await send(agent, { method: 'POST', path: '/v1/runs/', body: LARGE })).toBe(201);
  agent.destroy();
  expect(service.logs()).not.toContain('"level":50');
});
