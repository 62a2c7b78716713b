import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DashboardFiles } from '../../src/http/dashboard-files.js';
import { startTestService, type TestService } from '../support/test-service.js';

const AS_BROWSER = { accept: 'text/html,application/xhtml+xml' };

describe('the dashboard of the service', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });

  afterAll(async () => {
    await service.stop();
  });

  test('is served at / and at each of its paths that a browser opens', async () => {
    for (const path of ['/', '/runs', '/runs/01890000-0000-7000-8000-000000000001', '/settings?x=1']) {
      const reply = await service.anonymous.send('GET', path, undefined, AS_BROWSER);
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(reply.headers.get('cache-control')).toBe('no-cache');
    }
  });

  test('unknown paths get JSON for API clients, and always below /v1 and /assets', async () => {
    const asMachine = await service.anonymous.get('/unknown');
    expect([asMachine.status, asMachine.body]).toEqual([404, { detail: 'Not found' }]);
    for (const path of ['/v1/unknown', '/v1', '/assets/unknown.js', '/assets/..%2findex.html']) {
      const reply = await service.anonymous.send('GET', path, undefined, AS_BROWSER);
      expect([reply.status, reply.body]).toEqual([404, { detail: 'Not found' }]);
    }
  });

  test('does not answer other methods', async () => {
    expect((await service.anonymous.send('POST', '/runs', undefined, AS_BROWSER)).status).toBe(404);
    expect((await service.anonymous.send('POST', '/', undefined, AS_BROWSER)).status).toBe(405);
  });
});

describe('the files of a build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guarded-runs-dashboard-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    '<style nonce="__CSP_NONCE__"></style><b nonce="__CSP_NONCE__"></b>',
  );
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(folder, '.source-hash'), 'secret');
  writeFileSync(join(folder, 'assets', 'app-12345678.js'), 'x'.repeat(2_000));
  writeFileSync(join(folder, 'assets', 'app-12345678.js.br'), brotliCompressSync('x'.repeat(2_000)));
  writeFileSync(join(folder, 'assets', 'plain-12345678.js'), 'y'.repeat(2_000));

  afterAll(() => rmSync(folder, { recursive: true }));

  const serve = (handler: (request: FastifyRequest, reply: FastifyReply) => unknown) => {
    const server = fastify();
    server.get('/*', (request, reply) => handler(request, reply));
    return server;
  };

  test('the page has a new nonce for each request, the same in the policy and in the document', async () => {
    const dashboard = new DashboardFiles(folder);
    const server = serve((_request, reply) => dashboard.sendPage(reply));
    const answers = [await server.inject('/'), await server.inject('/')];
    const nonces = answers.map(({ headers, body }) => {
      const policy = String(headers['content-security-policy']);
      expect(policy).not.toContain('unsafe');
      expect(policy).toContain("script-src 'self';");
      const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      expect(body).toBe(`<style nonce="${nonce}"></style><b nonce="${nonce}"></b>`);
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
  });

  test('hashed files are cached forever and sent compressed; others are revalidated', async () => {
    const dashboard = new DashboardFiles(folder);
    const server = serve((request, reply) => {
      if (!dashboard.sendFile(request.url, request, reply)) reply.code(404).send();
      return reply;
    });
    const script = await server.inject({
      url: '/assets/app-12345678.js',
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
    });
    const icon = await server.inject('/favicon.svg');
    expect(icon.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'image/svg+xml' });
    const again = await server.inject({
      url: '/favicon.svg',
      headers: { 'if-none-match': String(icon.headers['etag']) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    for (const path of ['/index.html', '/.source-hash', '/../package.json', '/assets/']) {
      expect((await server.inject(path)).statusCode).toBe(404);
    }
  });

  test('a script is sent in the best encoding that the build has and the client accepts', async () => {
    const dashboard = new DashboardFiles(folder);
    const server = serve((request, reply) => {
      if (!dashboard.sendFile(request.url, request, reply)) reply.code(404).send();
      return reply;
    });
    const send = (name: string, accepted: string) =>
      server.inject({ url: `/assets/${name}`, headers: { 'accept-encoding': accepted } });
    const encodingOf = async (name: string, accepted: string) =>
      (await send(name, accepted)).headers['content-encoding'];
    expect(await encodingOf('app-12345678.js', 'gzip, deflate, br, zstd')).toBe('br');
    expect(await encodingOf('app-12345678.js', 'gzip, deflate')).toBe('gzip');
    expect(await encodingOf('app-12345678.js', 'gzip, br;q=0')).toBe('gzip');
    expect(await encodingOf('app-12345678.js', 'identity')).toBeUndefined();
    expect(await encodingOf('plain-12345678.js', 'gzip, br')).toBe('gzip');
    expect(await encodingOf('plain-12345678.js', 'br')).toBeUndefined();
    const { rawPayload } = await send('app-12345678.js', 'br');
    expect(brotliDecompressSync(rawPayload).toString()).toBe('x'.repeat(2_000));
    expect((await send('app-12345678.js.br', 'br')).statusCode).toBe(404);
  });

  test('without a build there is a hint instead of the page', async () => {
    const dashboard = new DashboardFiles(join(folder, 'nowhere'));
    const answer = await serve((_request, reply) => dashboard.sendPage(reply)).inject('/');
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain('npm run build');
    expect(dashboard.rootPaths).toEqual([]);
  });
});
