/** Reads are compressed and have an ETag; responses with a secret are neither compressed nor cached. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compressReads } from '../../src/http/compression.js';
import { tagReads } from '../../src/http/entity-tags.js';
import type { HttpServer } from '../../src/http/server-types.js';
import { createStep, endRun, startRun } from '../support/agent.js';
import { callRoute, ROUTES } from '../support/routes.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

const BOTH = { 'accept-encoding': 'gzip, deflate, br' };

let service: TestService;
let tenant: TestTenant;
let authorization: string;
beforeAll(async () => {
  service = await startTestService();
  tenant = await service.register();
  authorization = `Bearer ${tenant.apiKey}`;
});
afterAll(() => service.stop());

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** The raw response, which fetch does not show. */
async function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  return read(await open(url, headers, method));
}

async function open(url: string, headers: Record<string, string>, method = 'GET'): Promise<IncomingMessage> {
  const sent = send(url, { method, headers: { authorization, ...headers } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function read(response: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) };
}

const daily = (headers?: Record<string, string>) => get(`${service.url}/v1/usage/daily`, headers);

describe('compression', () => {
  test.each([
    ['gzip', 'gzip', gunzipSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0.5, gzip', 'gzip', gunzipSync],
    ['GZIP;Q=0.1', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
    ['br;q=0, *', 'gzip', gunzipSync],
  ])('for %j an answer is %s, and the same when it is unpacked', async (accepted, encoding, unpack) => {
    const plain = await daily();
    const { status, headers, bytes } = await daily({ 'accept-encoding': accepted });
    expect([status, headers['content-encoding'], headers.vary]).toEqual([200, encoding, 'Accept-Encoding']);
    expect(unpack(bytes)).toEqual(plain.bytes);
    expect(Number(headers['content-length'])).toBe(bytes.length);
    expect(bytes.length).toBeLessThan(plain.bytes.length / 5);
    expect(headers.etag).toBe(plain.headers.etag);
  });

  test.each(['', 'identity', 'deflate', 'gzip;q=0', 'br;q=0, gzip;q=0.0', '*;q=0', 'gzip;q=x', ';', ',,;;='])(
    'for %j an answer is sent uncompressed',
    async (accepted) => {
      const { headers, bytes } = await daily({ 'accept-encoding': accepted });
      expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Accept-Encoding']);
      expect(JSON.parse(bytes.toString())).toHaveLength(30);
    },
  );

  test('an answer of less than 1 KiB is sent uncompressed', async () => {
    const { headers, bytes } = await get(`${service.url}/v1/workspace/`, BOTH);
    expect(bytes.length).toBeLessThan(1_024);
    expect(headers['content-encoding']).toBeUndefined();
  });

  test.each(
    ROUTES.filter(({ method }) => method !== 'GET').map((route) => [`${route.method} ${route.path}`, route]),
  )('the answer to a write is never compressed: %s', async (_, route) => {
    const { headers } = await callRoute(service, route as (typeof ROUTES)[number]);
    expect([headers.get('content-encoding'), headers.get('etag')]).toEqual([null, null]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('a new key with the longest label that can be reflected is not compressed', async () => {
    const reply = await tenant.person.post('/v1/api-keys/', { label: '🎉'.repeat(255) });
    expect([reply.status, reply.headers.get('content-encoding')]).toEqual([201, null]);
    expect(Buffer.byteLength(reply.text)).toBeGreaterThan(1_024);
  });

  test('HEAD returns the length of the uncompressed answer', async () => {
    const plain = await daily();
    const { status, headers, bytes } = await get(`${service.url}/v1/usage/daily`, BOTH, 'HEAD');
    expect([status, bytes.length, headers['content-encoding']]).toEqual([200, 0, undefined]);
    expect(headers['content-length']).toBe(String(plain.bytes.length));
  });
});

describe('conditional requests', () => {
  test('get 304 without a body until something has changed', async () => {
    const path = `${service.url}/v1/users/`;
    const first = await get(path);
    expect(first.headers).toMatchObject({
      etag: expect.stringMatching(/^W\/"[\w-]{43}"$/),
      'cache-control': 'private, no-cache',
    });
    const ask = () => get(path, { ...BOTH, 'if-none-match': String(first.headers.etag) });
    const again = await ask();
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect(again.headers).toMatchObject({ etag: first.headers.etag, 'cache-control': 'private, no-cache' });
    expect(again.headers['content-type']).toBeUndefined();
    expect(again.headers['content-length']).toBeUndefined();
    await tenant.machine.post('/v1/users/ada/block');
    const changed = await ask();
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(first.headers.etag);
  });

  test.each([
    ['*', 304],
    ['"x", TAG , "y"', 304],
    ['STRONG', 304],
    ['"x"', 200],
    ['', 200],
    ['W/', 200],
  ])('If-None-Match: %s answers %d', async (header, status) => {
    const tag = String((await daily()).headers.etag);
    const value = header.replace('TAG', tag).replace('STRONG', tag.slice(2));
    expect((await daily({ 'if-none-match': value })).status).toBe(status);
  });

  test('the tag of one tenant has no meaning for another, who gets its own answer', async () => {
    const other = await service.register();
    const mine = await get(`${service.url}/v1/workspace/`);
    const theirs = await get(`${service.url}/v1/workspace/`, {
      authorization: `Bearer ${other.apiKey}`,
      'if-none-match': String(mine.headers.etag),
    });
    expect([theirs.status, JSON.parse(theirs.bytes.toString()).id]).toEqual([200, other.workspaceId]);
  });

  test('a tag does not replace a credential', async () => {
    const { etag } = (await daily()).headers;
    const refused = await daily({ authorization: 'Bearer nobody', 'if-none-match': String(etag) });
    expect([refused.status, refused.headers.etag]).toEqual([401, undefined]);
  });

  test('a refused request has no tag and is not cached', async () => {
    for (const path of ['/v1/runs/x', '/v1/usage/daily?days=0', '/v1/nothing']) {
      const { headers } = await get(service.url + path, BOTH);
      expect([headers.etag, headers['cache-control']]).toEqual([undefined, 'no-store']);
    }
  });

  test('a run with payloads has a tag like any other read', async () => {
    const { id } = await startRun(tenant.machine, 'grace');
    await createStep(tenant.machine, id, { input_data: { prompt: 'wie spät ist es?' } });
    await endRun(tenant.machine, id);
    const path = `${service.url}/v1/runs/${id}/`;
    const first = await get(path);
    expect(first.headers.etag).toMatch(/^W\/"/);
    expect((await get(path, { 'if-none-match': String(first.headers.etag) })).status).toBe(304);
  });

  test('a run whose duration still grows has another tag each time', async () => {
    const { id } = await startRun(tenant.machine, 'bob');
    await createStep(tenant.machine, id);
    const first = await get(`${service.url}/v1/runs/${id}`);
    service.clock.advance(1_000);
    const again = await get(`${service.url}/v1/runs/${id}`, {
      'if-none-match': String(first.headers.etag ?? '"none"'),
    });
    expect(again.status).toBe(200);
  });
});

describe('streamed and simultaneous answers', () => {
  let server: HttpServer;
  let url: string;
  const held: (() => void)[] = [];
  beforeAll(async () => {
    server = fastify();
    tagReads(server);
    compressReads(server);
    const config = { auth: 'any' } as const;
    server.get('/v1/stream', { config }, (_request, reply) =>
      reply.type('application/json').send(Readable.from(['[', ...Array(5_000).fill('1,'), '1]'])),
    );
    server.get('/v1/held', { config }, (_request, reply) => {
      const stream = new Readable({ read() {} });
      stream.push('x'.repeat(10_000));
      held.push(() => stream.push(null));
      return reply.type('text/plain').send(stream);
    });
    server.get<{ Querystring: { bytes: string; isHeld?: string } }>(
      '/v1/broken',
      { config },
      (request, reply) =>
        reply.type('application/json').send(
          Readable.from(
            (async function* () {
              yield randomBytes(Number(request.query.bytes));
              if (request.query.isHeld !== undefined)
                await new Promise<void>((resolve) => held.push(resolve));
              throw new Error('in the middle');
            })(),
            { objectMode: false },
          ),
        ),
    );
    url = await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  test('a stream is compressed while it is sent, and has no tag', async () => {
    const { headers, bytes } = await get(`${url}/v1/stream`, BOTH);
    expect([headers['content-encoding'], headers.etag]).toEqual(['br', undefined]);
    expect(JSON.parse(brotliDecompressSync(bytes).toString())).toHaveLength(5_001);
    const plain = await get(`${url}/v1/stream`);
    expect(JSON.parse(plain.bytes.toString())).toHaveLength(5_001);
  });

  test('a stream that fails after a part was sent closes the connection: a partial answer is not taken for a complete one', async () => {
    for (const headers of [{}, BOTH]) {
      const response = await open(`${url}/v1/broken?bytes=1000000&isHeld`, headers);
      const refused = expect(read(response)).rejects.toThrow('aborted');
      await expect.poll(() => held.length).toBe(1);
      held.pop()?.();
      await refused;
    }
  });

  test('a stream that fails before anything was sent is answered with an uncompressed error', async () => {
    const { status, headers, bytes } = await get(`${url}/v1/broken?bytes=10`, BOTH);
    expect([status, headers['content-encoding']]).toEqual([500, undefined]);
    expect(JSON.parse(bytes.toString())).toMatchObject({ message: 'in the middle' });
  });

  test('only two answers are compressed at a time; others are sent uncompressed, and later ones are compressed again', async () => {
    const waiting = [1, 2, 3].map(() => get(`${url}/v1/held`, BOTH));
    await expect.poll(() => held.length).toBe(3);
    const whileBusy = await get(`${url}/v1/stream`, BOTH);
    expect(whileBusy.headers['content-encoding']).toBeUndefined();
    for (const finish of held.splice(0)) finish();
    const encodings = (await Promise.all(waiting)).map(({ headers }) => headers['content-encoding']);
    expect(encodings.filter((encoding) => encoding === 'br')).toHaveLength(2);
    expect((await get(`${url}/v1/stream`, BOTH)).headers['content-encoding']).toBe('br');
  });
});
