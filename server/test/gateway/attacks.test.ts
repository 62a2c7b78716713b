/** Nothing leaves but to the configured providers, on the paths that are served, and nothing leaks. */

import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exchangeRaw } from '../support/raw-http.js';
import { type GatewayFixture, MODEL, PROVIDER_KEY, startGateway } from './support/gateway-fixture.js';
import { BEHAVIOUR_HEADER } from './support/provider-stand-in.js';

let gateway: GatewayFixture;
/** Where an attacker would like calls to go. */
let elsewhere: Server;
let elsewhereUrl: string;
let strayRequests: number;
beforeAll(async () => {
  gateway = await startGateway({ GATEWAY_BODY_LIMIT_BYTES: '1048576' });
  elsewhere = createServer((_request, response) => {
    strayRequests += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
});
beforeEach(() => {
  strayRequests = 0;
  gateway.provider.requests.length = 0;
});
afterAll(async () => {
  await gateway.stop();
  elsewhere.close();
});

const BODY = JSON.stringify({ model: MODEL, messages: [] });

/** A request as bytes, so that no client normalizes it. */
async function raw({
  target = '/gateway/openai/v1/chat/completions',
  method = 'POST',
  headers = [] as string[],
  body = BODY,
}): Promise<{ status: number; text: string; headers: Headers | null }> {
  const head = [
    `${method} ${target} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${gateway.tenant.apiKey}`,
    'content-type: application/json',
    ...headers,
    ...(headers.some((line) => /^(content-length|transfer-encoding)/i.test(line))
      ? []
      : [`content-length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n');
  const { replies } = await exchangeRaw(gateway.service.url, Buffer.from(head), { timeoutMs: 20_000 });
  return {
    status: replies[0]?.status ?? 0,
    text: replies[0]?.text ?? '',
    headers: replies[0]?.headers ?? null,
  };
}

describe('paths', () => {
  test.each([
    '/gateway/openai/v1/files',
    '/gateway/openai/v1/chat/completions/',
    '/gateway/openai/v1/chat/completions/x',
    '/gateway/openai/v1/chat/../files',
    '/gateway/openai/v1/chat/completions/../../files',
    '/gateway/openai/v1/%63hat/completions',
    '/gateway/openai/v1/chat%2Fcompletions',
    '/gateway/openai/v1//chat/completions',
    '/gateway/openai//v1/chat/completions',
    '/gateway/openai/v1/chat/completions;x=1',
    '/gateway/OpenAI/v1/chat/completions',
    '/gateway/openai/v1/models/a-model',
    '/gateway/other/v1/chat/completions',
    '/gateway/openai@127.0.0.1/v1/chat/completions',
    '/gateway/',
    '/gateway/http://127.0.0.1/v1/chat/completions',
    '/gateway/anthropic/v1/complete',
  ])('%s is not served, and nothing is forwarded', async (target) => {
    expect((await raw({ target })).status).toBe(404);
    expect([gateway.provider.requests.length, strayRequests]).toEqual([0, 0]);
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD'])('%s is not served', async (method) => {
    const headers = { authorization: `Bearer ${gateway.tenant.apiKey}` };
    const response = await fetch(`${gateway.openaiUrl}/chat/completions`, { method, headers });
    expect(response.status).toBe(404);
    expect(gateway.provider.requests).toEqual([]);
  });

  test('a browser that opens an unknown path gets an error and not the dashboard', async () => {
    const { status, text } = await raw({
      method: 'GET',
      target: '/gateway/x',
      body: '',
      headers: ['accept: text/html'],
    });
    expect([status, text.includes('<html')]).toEqual([404, false]);
  });

  test('an absolute URL, and another Host, reach only the provider', async () => {
    await raw({ target: `${elsewhereUrl}/gateway/openai/v1/chat/completions` });
    await raw({ headers: [`x-forwarded-host: ${elsewhereUrl}`, `forwarded: host=${elsewhereUrl}`] });
    expect(strayRequests).toBe(0);
    for (const { headers } of gateway.provider.requests) {
      expect(`http://${headers.host}`).toBe(gateway.provider.url);
      expect(Object.keys(headers).filter((name) => name.includes('forwarded'))).toEqual([]);
    }
  });

  test('the query is forwarded, and stays a query', async () => {
    await raw({ target: '/gateway/openai/v1/chat/completions?beta=true&x=/../..%2f#y' });
    expect(gateway.provider.requests.map(({ path }) => path.split('?')[0])).toEqual(['/v1/chat/completions']);
  });
});

describe('headers', () => {
  test('of this service and of the connection are not forwarded', async () => {
    await raw({
      headers: [
        'x-guarded-user: ann',
        `x-guarded-key: ${gateway.tenant.apiKey}`,
        'connection: keep-alive, x-private',
        'x-private: 1',
        'te: trailers',
        'cookie: session=1',
        'proxy-authorization: Basic eA==',
        'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        'openai-organization: org-1',
      ],
    });
    const headers = gateway.provider.requests[0]?.headers ?? {};
    expect(Object.keys(headers).toSorted()).toEqual([
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'openai-organization',
      'traceparent',
    ]);
    expect(headers['accept-encoding']).toBe('identity');
  });

  test.each([
    ['two lengths', ['content-length: 5', 'content-length: 6']],
    ['a length and chunks', ['content-length: 5', 'transfer-encoding: chunked']],
    ['an unknown encoding', ['transfer-encoding: gzip']],
    ['a folded line', ['x-a: 1\r\n b: 2']],
    ['a NUL', ['x-a: \0']],
    ['17 KiB of headers', [`x-a: ${'a'.repeat(17_000)}`]],
  ])('%s: refused, and nothing is forwarded', async (_name, headers) => {
    const { status } = await raw({ headers });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(gateway.provider.requests).toEqual([]);
  });

  test('of the provider that are about its host do not reach the client', async () => {
    const headers = {
      'strict-transport-security': 'max-age=1',
      'set-cookie': 'a=b',
      'alt-svc': 'h3=":443"',
      'x-kept': 'yes',
    };
    const answer = await raw({ headers: [`${BEHAVIOUR_HEADER}: ${JSON.stringify({ headers })}`] });
    expect(Object.keys(headers).filter((name) => answer.headers?.has(name))).toEqual(['x-kept']);
  });
});

describe('bodies', () => {
  test('over the limit are refused, whether their length is declared or not', async () => {
    const body = JSON.stringify({ model: MODEL, messages: ['x'.repeat(1_048_576)] });
    expect((await raw({ body })).status).toBe(413);
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    expect((await raw({ body: chunk, headers: ['transfer-encoding: chunked'] })).status).toBe(413);
    expect(gateway.provider.requests).toEqual([]);
  });

  test('that are compressed are refused', async () => {
    expect((await raw({ headers: ['content-encoding: gzip'] })).status).toBe(415);
  });

  test('of an unknown caller are not read', async () => {
    const head =
      'POST /gateway/openai/v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n';
    const { replies } = await exchangeRaw(gateway.service.url, Buffer.from(head), { timeoutMs: 20_000 });
    expect(replies[0]?.status).toBe(401);
    expect(replies[0]?.headers.get('connection')).toBe('close');
  });
});

describe('an answer of the provider', () => {
  test.each([301, 302, 307, 308])('that redirects (%i) is not followed by anyone', async (status) => {
    const behaviour = JSON.stringify({
      status,
      headers: { location: `${elsewhereUrl}/v1/chat/completions` },
    });
    const response = await fetch(`${gateway.openaiUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.tenant.apiKey}`,
        'content-type': 'application/json',
        [BEHAVIOUR_HEADER]: behaviour,
      },
      body: BODY,
    });
    expect([response.status, response.headers.get('location')]).toEqual([502, null]);
    expect(strayRequests).toBe(0);
  });

  test('that resets the connection is 502 in the shape of the provider, without its address or key', async () => {
    const { status, text } = await raw({ headers: [`${BEHAVIOUR_HEADER}: {"resets":true}`] });
    expect([status, JSON.parse(text).error.type]).toEqual([502, 'guarded_runs']);
    expect(text).not.toContain('127.0.0.1');
    expect(text).not.toContain(PROVIDER_KEY);
  });
});

test('calls that wait behind each other in one connection end when it does', async () => {
  const { hostname, port } = new URL(gateway.service.url);
  const { body: run } = await gateway.tenant.machine.post('/v1/runs/', { user_id: 'pipeline' });
  const call = [
    'POST /gateway/openai/v1/chat/completions HTTP/1.1',
    'host: x',
    `authorization: Bearer ${gateway.tenant.apiKey}`,
    `x-guarded-run-id: ${run.id}`,
    `${BEHAVIOUR_HEADER}: {"hangs":true}`,
    `content-length: ${BODY.length}`,
    '',
    BODY,
  ].join('\r\n');
  const socket = connect(Number(port), hostname);
  socket.write(call.repeat(5));
  await expect.poll(() => gateway.provider.requests.length).toBe(5);
  socket.destroy();
  const statuses = async () => {
    const { steps } = (await gateway.tenant.person.get(`/v1/runs/${run.id}`)).body;
    return steps.map(({ status }: { status: string }) => status);
  };
  await expect.poll(statuses).toEqual(Array(5).fill('FAILED'));
});

test('requests that are declared to be large, and do not arrive, take no room from those of others', async () => {
  const { hostname, port } = new URL(gateway.service.url);
  const sockets = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const socket = connect(Number(port), hostname);
      socket.write(
        [
          'POST /gateway/openai/v1/chat/completions HTTP/1.1',
          'host: x',
          `authorization: Bearer ${gateway.tenant.apiKey}`,
          'content-length: 1000000',
          '',
          `{"messages":"${'x'.repeat(100)}`,
        ].join('\r\n'),
      );
      return socket;
    }),
  );
  const body = JSON.stringify({ model: MODEL, messages: ['x'.repeat(500_000)] });
  expect((await raw({ body })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('a client that reads nothing holds back the provider, and not the service', async () => {
  const { hostname, port } = new URL(gateway.service.url);
  const body = JSON.stringify({ model: MODEL, messages: [], stream: true });
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(
    [
      'POST /gateway/openai/v1/chat/completions HTTP/1.1',
      'host: x',
      `authorization: Bearer ${gateway.tenant.apiKey}`,
      `${BEHAVIOUR_HEADER}: {"tokens":1000,"padding":100000}`,
      `content-length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  await expect.poll(() => gateway.provider.requests.length).toBe(1);
  const before = process.memoryUsage().rss;
  // 100 MB are not sent to a client that takes nothing: the provider is held back.
  await expect.poll(() => gateway.provider.bills.at(-1)?.completionTokens ?? 0).toBeGreaterThan(0);
  expect((await raw({})).status).toBe(200);
  expect(gateway.provider.bills.at(-2)?.completionTokens).toBeLessThan(500);
  expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  socket.destroy();
});
