import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStep, startRun } from '../support/agent.js';
import { expectError } from '../support/error-reply.js';
import { RawConnection, rawRequest, sendRaw } from '../support/raw-http.js';
import { callRoute, nameOf, ROUTES } from '../support/routes.js';
import { startTestService, type TestService } from '../support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('/health answers 200 with the status of the API and its version, without a credential', async () => {
  const reply = await service.anonymous.get('/health');
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  const head = await service.anonymous.send('HEAD', '/health');
  expect([head.status, head.text]).toEqual([200, '']);
});

describe('metrics', () => {
  const metrics = async (of = service) => (await of.anonymous.get('/metrics')).text;
  const figure = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length + 1),
    );

  test('count decisions by kind, outcome and reason, requests by route, and running runs', async () => {
    const fresh = await startTestService();
    const { machine } = await fresh.register();
    const { id } = await startRun(machine);
    await createStep(machine, id);
    await machine.post('/v1/users/mallory/block');
    await startRun(machine, 'mallory');
    await startRun(machine, 'mallory');
    await machine.post(`/v1/runs/${id}/steps`, {});
    const text = await metrics(fresh);
    await fresh.stop();
    const decisions = 'guarded_runs_decisions_total';
    expect(figure(text, `${decisions}{kind="run",outcome="ALLOW",reason="none"}`)).toBe(1);
    expect(figure(text, `${decisions}{kind="run",outcome="DENY",reason="USER_BLOCKED"}`)).toBe(2);
    expect(figure(text, `${decisions}{kind="step",outcome="ALLOW",reason="none"}`)).toBe(1);
    expect(figure(text, 'guarded_runs_active_runs')).toBe(1);
    expect(figure(text, 'guarded_runs_queue_depth')).toBe(0);
    expect(figure(text, 'guarded_runs_commit_batch_size_count')).toBeGreaterThan(0);
    const requests = 'http_request_duration_seconds_count';
    const steps = 'method="POST",route="/v1/runs/:run_id/steps"';
    expect(figure(text, `${requests}{${steps},status="201"}`)).toBe(1);
    expect(figure(text, `${requests}{${steps},status="422"}`)).toBe(1);
  });

  test('are text that Prometheus reads', async () => {
    const reply = await service.anonymous.get('/metrics');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(reply.text).toContain('# TYPE guarded_runs_decisions_total counter');
  });

  test('never have a workspace, a user, an id or any text of a client as a label', async () => {
    const { machine, workspaceId, email } = await service.register();
    const { id } = await startRun(machine, 'a-private-user');
    const { id: stepId } = await createStep(machine, id, { model: 'a-private-model' });
    await machine.post('/v1/users/a-private-user/block');
    await machine.put('/v1/model-pricing/a-private-model', {});
    await machine.get('/v1/an-invented-path?with=an-invented-query');
    await machine.send('DELETE', `/v1/runs/${id}`);
    await machine.send('PROPFIND', '/v1/an-invented-path');
    const text = await metrics();
    for (const secret of [workspaceId, email, id, stepId, 'a-private', 'an-invented', machine.credential]) {
      expect(text).not.toContain(secret);
    }
    const labels = [...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label);
    const ours = ['kind', 'outcome', 'reason', 'method', 'route', 'status'];
    const ofTheRuntime = ['le', 'quantile', 'type', 'kind', 'space', 'version', 'major', 'minor', 'patch'];
    expect([...ours, ...ofTheRuntime]).toEqual(expect.arrayContaining([...new Set(labels)]));
  });
});

describe('every answer', () => {
  test('has a new X-Request-Id, or that of the request when it is safe to log', async () => {
    const idFor = async (given?: string) => {
      const headers = given === undefined ? {} : { 'x-request-id': given };
      return (await service.anonymous.send('GET', '/health', undefined, headers)).headers.get('x-request-id');
    };
    const [first, second] = [await idFor(), await idFor()];
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
    expect(await idFor('trace-1_2.3')).toBe('trace-1_2.3');
    for (const unfit of ['a b', '<script>', 'x'.repeat(129), 'ä']) {
      expect(await idFor(unfit)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test.each(ROUTES.map((route) => [nameOf(route), route] as const))(
    'has the security headers: %s',
    async (_, route) => {
      const { headers } = await callRoute(service, route);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-request-id': expect.any(String),
        ...(route.path.startsWith('/v1/') ? { 'cache-control': cacheControlOf(route) } : {}),
      });
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
    },
  );
});

/** Only the client may cache a read, and must revalidate it each time. A stream is not cached. */
function cacheControlOf({ method, path }: { method: string; path: string }): string {
  return method === 'GET' && path !== '/v1/events' ? 'private, no-cache' : 'no-store';
}

test.each(['/v1/workspace/', 'http://localhost/v1/workspace', '/%76%31/workspace/', '/v1/%77orkspace'])(
  'no shared cache stores an answer, however its path is encoded: %s',
  async (target) => {
    const { apiKey } = await service.register();
    const cacheControl = async (method: string, credential: string) => {
      const headers = { authorization: `Bearer ${credential}`, 'content-length': 0 };
      const reply = await sendRaw(service.url, rawRequest(`${method} ${target} HTTP/1.1`, headers));
      return [reply.status, reply.headers.get('cache-control')];
    };
    expect(await cacheControl('GET', apiKey)).toEqual([200, 'private, no-cache']);
    expect(await cacheControl('GET', 'nobody')).toEqual([401, 'no-store']);
    expect(await cacheControl('PATCH', apiKey)).toEqual([422, 'no-store']);
  },
);

describe('the log', () => {
  test('has one line per answer with the id of the request and the route, and no secret', async () => {
    const logged = await startTestService({ LOG_LEVEL: 'trace' });
    const tenant = await logged.register({ password: 'a very secret password' });
    const { machine, person, apiKey, token, email } = tenant;
    await logged.anonymous.send('GET', '/health', undefined, { 'x-request-id': 'find-me' });
    await logged.anonymous.post('/v1/auth/login', { email, password: 'a very secret password' });
    await logged.anonymous.post('/v1/auth/login', { email, password: 'a wrong secret password' });
    await logged.anonymous.post('/v1/auth/login', '{"password":"a malformed secret');
    const created = (await person.post('/v1/api-keys/')).body.key;
    await machine.post('/v1/runs/', { user_id: 'ada', metadata: { note: 'a private note' } });
    await machine.post('/v1/runs/', { user_id: 5, metadata: 'a private note' });
    await machine.get(`/v1/nothing?token=${token}&key=${apiKey}`);
    await person.post('/v1/auth/change-password', {
      current_password: 'a very secret password',
      new_password: 'another secret password',
    });
    await logged.stop();
    const logs = logged.logs();
    for (const secret of ['secret', 'a private note', apiKey, created, token, apiKey.slice(12)]) {
      expect(logs).not.toContain(secret);
    }
    const line = logs.split('\n').find((text) => text.includes('find-me')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      reqId: 'find-me',
      method: 'GET',
      route: '/health',
      status: 200,
    });
  });
});

test('a service without its store answers 503 everywhere, with details only in the log', async () => {
  const broken = await startTestService();
  const { machine } = await broken.register();
  await broken.app.store.close();
  for (const [method, path, body] of [
    ['GET', '/health'],
    ['GET', '/v1/runs/'],
    ['POST', '/v1/runs/', { user_id: 'ada' }],
  ] as const) {
    const reply = await machine.send(method, path, body);
    expectError(reply, 503);
    expect(reply.text).not.toMatch(/sql|database|pool|node_modules|\.[jt]s\b/i);
  }
  const { text } = await machine.get('/metrics');
  expect(text).toMatch(/^guarded_runs_active_runs Nan$/im);
  expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/health",status="503"} 1');
  expect(broken.logs()).toContain('"stack"');
  // Its store cannot be closed twice.
  await broken.stop().catch(() => {});
});

describe('stopping', () => {
  test('what arrives on an open connection while the service stops is served, and the connection ends', async () => {
    const stopping = await startTestService();
    const { apiKey } = await stopping.register();
    const connection = new RawConnection(stopping.url);
    const request = rawRequest('GET /v1/workspace/ HTTP/1.1', { authorization: `Bearer ${apiKey}` });
    // The second request has begun to arrive when the first is answered.
    connection.write(request + request.slice(0, 30));
    expect((await connection.read()).status).toBe(200);
    const stopped = stopping.stop();
    while (stopping.app.server.server.listening) await setImmediate();
    connection.write(request.slice(30));
    const last = await connection.read();
    expect([last.status, last.headers.get('connection')]).toEqual([200, 'close']);
    expect(JSON.parse(last.text)).toMatchObject({ kill_switch: false });
    await stopped;
  });
});

describe('other origins', () => {
  const APP = 'https://app.example.com';
  let open: TestService;
  beforeAll(async () => {
    open = await startTestService({ CORS_ORIGINS: `${APP}, http://localhost:5173` });
  });
  afterAll(() => open.stop());

  const preflight = (origin: string, method: string, to = open) =>
    to.anonymous.send('OPTIONS', '/v1/workspace/', undefined, {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'that are listed may send %s with a credential and read the answer',
    async (method) => {
      for (const origin of [APP, 'http://localhost:5173']) {
        const { status, headers } = await preflight(origin, method);
        expect(status).toBe(204);
        expect(headers.get('access-control-allow-origin')).toBe(origin);
        expect(headers.get('access-control-allow-methods')?.split(/, */)).toContain(method);
        expect(headers.get('access-control-allow-headers')).toBe('authorization,content-type');
        expect(headers.get('vary')).toContain('Origin');
      }
    },
  );

  test('that are listed may read errors, X-Request-Id and Retry-After', async () => {
    const reply = await open.anonymous.send('GET', '/v1/workspace/', undefined, { origin: APP });
    expectError(reply, 401);
    expect(reply.headers.get('access-control-allow-origin')).toBe(APP);
    const exposed = reply.headers.get('access-control-expose-headers')?.toLowerCase().split(/, */);
    expect(exposed).toEqual(expect.arrayContaining(['x-request-id', 'retry-after']));
  });

  test.each([
    'https://evil.example.com',
    'https://app.example.com.evil.com',
    'http://app.example.com',
    'null',
  ])('that are not listed may not: %s', async (origin) => {
    for (const { headers } of [
      await preflight(origin, 'GET'),
      await open.anonymous.send('GET', '/health', undefined, { origin }),
    ]) {
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('change nothing about unknown paths and wrong methods', async () => {
    expectError(await open.anonymous.get('/v1/nothing'), 404);
    const wrong = await open.anonymous.send('DELETE', '/v1/workspace/');
    expectError(wrong, 405);
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, PATCH');
    const noPreflight = await open.anonymous.send('OPTIONS', '/v1/workspace/');
    expect([noPreflight.status, noPreflight.text]).toEqual([204, '']);
  });

  test('have no access unless configured', async () => {
    const reply = await preflight(APP, 'GET', service);
    expectError(reply, 405);
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });
});
