/** The document is correct: it has every route, and every reply matches it. */

import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/http/openapi.js';
import type { ApiReply } from '../support/api-client.js';
import { callRoute, nameOf, ROUTES } from '../support/routes.js';
import { startTestService, type TestService } from '../support/test-service.js';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: string[];
  readonly security: Record<string, string[]>[];
  readonly requestBody?: object;
  readonly responses: Record<string, Response | { readonly $ref: string }>;
}

interface Response {
  readonly content?: Record<string, { schema: object }>;
}

interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<'responses' | 'schemas', Record<string, object>>;
}

/** Routes that serve pages, not the API. */
const PAGES = [
  'GET /',
  'GET /docs',
  'GET /docs/js/scalar.js',
  'GET /{assets}',
  'GET /favicon.svg',
  'GET /start.js',
];

let service: TestService;
let document: OpenApiDocument;
let ajv: Ajv2020;
beforeAll(async () => {
  service = await startTestService();
  document = (await service.anonymous.get('/openapi.json')).body;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
  ajv.addSchema(document, 'openapi.json');
});
afterAll(() => service.stop());

describe('the document', () => {
  test('has every route that is registered, and no other', () => {
    const documented = operations().map(({ name }) => withoutLastSlash(name));
    expect([...documented, ...PAGES].sort()).toEqual(registeredRoutes().sort());
  });

  test('is the committed one', async () => {
    const committed = await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(committed)).toEqual(document);
  });

  test('is OpenAPI 3.1 with an id, a summary and a tag for every operation', () => {
    expect(document.openapi).toBe('3.1.0');
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ROUTES.length);
    for (const { name, operation } of operations()) {
      expect([name, operation]).toEqual([
        name,
        expect.objectContaining({
          operationId: expect.stringMatching(/^[a-z][A-Za-z]+$/),
          summary: expect.stringMatching(/^[A-Z].*[^.]$/),
          tags: [expect.any(String)],
        }),
      ]);
    }
  });

  test('describes every error answer once, and operations refer to it', () => {
    const referred = new Set<string>();
    for (const { name, operation } of operations()) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 300) continue;
        expect([name, status, response]).toEqual([name, status, { $ref: expect.any(String) }]);
        referred.add(Object.values(response).join());
      }
    }
    const described = Object.keys(document.components.responses);
    expect([...referred].sort()).toEqual(described.map((name) => `#/components/responses/${name}`).sort());
  });

  test('names every list of values that is used more than once, unless it allows null', () => {
    const lists: string[] = [];
    JSON.stringify(document, (key, value) => {
      if (key === 'enum' && value.length > 1 && !value.includes(null)) lists.push(value.join());
      return value;
    });
    expect(lists.length).toBeGreaterThan(10);
    expect(lists).toEqual([...new Set(lists)]);
  });

  test('has the credential of each operation', () => {
    const SCHEMES = {
      none: [],
      'api-key': ['apiKey'],
      account: ['dashboardToken'],
      any: ['apiKey', 'dashboardToken'],
    };
    for (const route of ROUTES) {
      const { security, responses } = operationOf(route.method, route.path);
      expect([nameOf(route), security.flatMap(Object.keys)]).toEqual([nameOf(route), SCHEMES[route.auth]]);
      expect(Object.hasOwn(responses, '401')).toBe(route.auth !== 'none' || route.path.endsWith('/login'));
    }
  });
});

describe('every reply is as documented', () => {
  test.each(ROUTES.map((route) => [nameOf(route), route] as const))('%s', async (_, route) => {
    expectDocumented(route, await callRoute(service, route));
  });

  test.each(ROUTES.filter(({ auth }) => auth !== 'none').map((route) => [nameOf(route), route] as const))(
    '%s without a credential',
    async (_, route) => {
      expectDocumented(route, await service.anonymous.send(route.method, route.path));
    },
  );

  test.each(ROUTES.filter(({ body }) => body !== undefined).map((route) => [nameOf(route), route] as const))(
    '%s with an invalid body',
    async (_, route) => {
      for (const body of ['{', '[]']) {
        const reply = await callRoute(service, { ...route, body: () => body });
        expect([400, 422]).toContain(reply.status);
        expectDocumented(route, reply);
      }
    },
  );

  test.each(ROUTES.filter(({ method }) => method !== 'GET').map((route) => [nameOf(route), route] as const))(
    '%s with a body that cannot be stored, whether or not it takes one',
    async (_, route) => {
      for (const body of ['1e400', '{"\\u0000": 1}', '{"\\ud800": 1}']) {
        const reply = await callRoute(service, { ...route, body: () => body });
        expect(reply.status).toBe(422);
        expectDocumented(route, reply);
      }
    },
  );

  test('a run with every kind of step and decision', async () => {
    const { machine } = await service.register({ plan: 'scale' });
    await machine.put('/v1/model-pricing/gpt', { input_cost_per_token: 0.5, output_cost_per_token: 0 });
    await machine.patch('/v1/workspace/', { daily_budget_usd: 1, user_daily_budget_usd: 2.5 });
    const started = await machine.post('/v1/runs/', { user_id: 'ada', metadata: { a: [1, { b: null }] } });
    const steps = `/v1/runs/${started.body.id}/steps`;
    const step = await machine.post(steps, { type: 'MODEL_CALL', sequence: 1, model: 'gpt', input_data: {} });
    await machine.patch(`${steps}/${step.body.id}`, { status: 'FAILED', prompt_tokens: 3, duration_ms: 9 });
    const denied = await machine.post(steps, { type: 'OUTPUT', sequence: 2 });
    expect(denied.body.status).toBe('BLOCKED');
    const blocked = await machine.post('/v1/runs/', { user_id: 'ada' });
    expect(blocked.body.status).toBe('BLOCKED');
    for (const [method, path, reply] of [
      ['POST', '/v1/runs/', blocked],
      ['POST', '/v1/runs/{run_id}/steps', denied],
      ['GET', '/v1/runs/{run_id}', await machine.get(`/v1/runs/${started.body.id}`)],
      ['GET', '/v1/runs/{run_id}', await machine.get(`/v1/runs/${blocked.body.id}`)],
      ['GET', '/v1/runs/{run_id}', await machine.get('/v1/runs/unknown')],
      ['GET', '/v1/runs/{run_id}/decisions', await machine.get(`/v1/runs/${started.body.id}/decisions`)],
      ['GET', '/v1/runs/', await machine.get('/v1/runs/')],
      ['GET', '/v1/runs/', await machine.get('/v1/runs/?page=0')],
      ['GET', '/v1/users/', await machine.get('/v1/users/')],
      ['GET', '/v1/usage/summary', await machine.get('/v1/usage/summary')],
      ['GET', '/v1/usage/daily', await machine.get('/v1/usage/daily')],
      ['GET', '/v1/workspace/', await machine.get('/v1/workspace/')],
      ['GET', '/v1/model-pricing/', await machine.get('/v1/model-pricing/')],
    ] as const) {
      expectDocumented({ method, path }, reply);
    }
  });

  test('a refusal by the plan', async () => {
    const { machine } = await service.register();
    const reply = await machine.post('/v1/workspace/kill-switch', { active: true });
    expect(reply.status).toBe(403);
    expectDocumented({ method: 'POST', path: '/v1/workspace/kill-switch' }, reply);
  });
});

describe('the reference page', () => {
  test('is served entirely from its own origin and names no other host', async () => {
    for (const path of ['/docs', '/docs/']) {
      const page = await service.anonymous.get(path);
      expect(page.status).toBe(200);
      expect(page.text).toContain('Guarded Runs API');
      expect(page.text).toContain('/openapi.json');
      expect(page.text).not.toMatch(/(https?:)?\/\/[a-z0-9-]+\.[a-z]/i);
      const [, script = ''] = /<script src="([^"]+)"/.exec(page.text) ?? [];
      const loaded = await fetch(new URL(script, service.url + path));
      expect([loaded.status, new URL(loaded.url).origin]).toEqual([200, service.url]);
      expect(loaded.headers.get('content-type')).toContain('javascript');
      expect((await loaded.text()).length).toBeGreaterThan(100_000);
    }
  });

  test('may connect only to its own origin', async () => {
    const policy = (await service.anonymous.get('/docs')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
  });
});

function operations() {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: nameOf({ method: method.toUpperCase(), path }),
      operation,
    })),
  );
}

function operationOf(method: string, path: string): Operation {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not documented`);
  return operation;
}

/** The status is documented, and the body matches its schema. */
function expectDocumented(route: { method: string; path: string }, reply: ApiReply): void {
  const { method, path } = route;
  const documented = operationOf(method, path).responses[reply.status];
  if (documented === undefined) throw new Error(`${nameOf(route)}: ${reply.status} is not documented`);
  const pointer =
    '$ref' in documented
      ? documented.$ref.split('/').slice(1)
      : ['paths', path, method.toLowerCase(), 'responses', String(reply.status)];
  const response = valueAt(pointer) as Response;
  if (response.content === undefined) {
    expect(reply.text).toBe('');
    return;
  }
  const [type = ''] = (reply.headers.get('content-type') ?? '').split(';');
  expect(Object.keys(response.content)).toContain(type);
  const escaped = [...pointer, 'content', type].map((part) =>
    encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  const validate = ajv.getSchema(`openapi.json#/${escaped.join('/')}/schema`);
  if (validate === undefined) throw new Error(`${nameOf(route)} has no schema for ${reply.status}`);
  validate(reply.body);
  expect([nameOf(route), reply.status, validate.errors]).toEqual([nameOf(route), reply.status, null]);
}

function valueAt(pointer: readonly string[]): unknown {
  return pointer.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document);
}

/** From the router itself; every GET route also has HEAD. */
function registeredRoutes(): string[] {
  const parents: string[] = [];
  const { server } = service.app;
  // Wildcards below a path that is no route itself are printed as one, without their paths.
  const hidden = server.hasRoute({ method: 'GET', url: '/v1/models/*' }) ? ['GET /v1/models/{model}'] : [];
  const printed = server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?/.exec(line) ?? [];
      if (part === '') return [];
      parents.length = indent.length / 4;
      // The wildcard directly below the root is the assets folder of the dashboard.
      parents.push(part.replace('*', indent.length <= 4 ? ':assets' : '/:model'));
      const path = parents.join('').replace(/:(\w+)/g, '{$1}');
      return methods.split(', ').flatMap((method) => (method === 'HEAD' ? [] : [`${method} ${path}`]));
    });
  return [...printed, ...hidden];
}

function withoutLastSlash(text: string): string {
  return text.replace(/\/$/, '');
}

test('serving the document costs less than building it, so that requests for it cannot keep the service busy', async () => {
  const cpuMs = async (work: () => unknown) => {
    await work();
    const before = process.cpuUsage();
    for (let count = 0; count < 20; count += 1) await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const asked = await cpuMs(() => service.app.server.inject('/openapi.json'));
  expect(asked).toBeLessThan(await cpuMs(() => openApiDocument(service.app.server)));
});
