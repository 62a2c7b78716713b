/** Every route × every credential that is not good enough. A route that this table does not know fails it. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { expectError } from '../support/error-reply.js';
import { callRoute, fillPath, nameOf, ROUTES, type Route } from '../support/routes.js';
import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/test-service.js';

const TWO_DAYS_AGO = '2026-03-12T12:00:00.000Z';
const NOON = '2026-03-14T12:00:00.000Z';

let service: TestService;
let tenant: TestTenant;
let badCredentials: Readonly<Record<string, string | null>>;
beforeAll(async () => {
  service = await startTestService();
  service.clock.set(TWO_DAYS_AGO);
  const expired = await service.register();
  service.clock.set(NOON);
  tenant = await service.register();
  badCredentials = {
    'no credential': null,
    'a garbage token': 'garbage',
    'a garbage JWT': 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl',
    'a garbage key': 'lg_garbage',
    'an unknown key': `lg_abcdefgh_${'A'.repeat(43)}`,
    'a revoked key': await revokedKey(),
    'an expired token': expired.token,
    'a token from before the password was changed': await outdatedToken(),
  };
});
afterAll(() => service.stop());

const PROTECTED = ROUTES.filter(({ auth }) => auth !== 'none');
const named = (routes: readonly Route[]) => routes.map((route) => [nameOf(route), route] as const);

test('the table has every route of the service', async () => {
  const { paths } = (await service.anonymous.get('/openapi.json')).body;
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations ?? {}).map((method) => nameOf({ method: method.toUpperCase(), path })),
  );
  expect(documented.sort()).toEqual(ROUTES.map(nameOf).sort());
});

test.each(named(PROTECTED))(
  '%s answers 401 with WWW-Authenticate to every bad credential',
  async (_, route) => {
    const path = await fillPath(tenant, route.path);
    for (const [kind, credential] of Object.entries(badCredentials)) {
      // Neither body nor ids are looked at before the credential is.
      for (const body of route.method === 'GET' ? [undefined] : [route.body?.(tenant), '{"malformed":']) {
        const reply = await new ApiClient(service.url, credential).send(route.method, path, body);
        expect([kind, reply.status]).toEqual([kind, 401]);
        expectError(reply, 401);
        expect(reply.headers.get('www-authenticate')).toBe('Bearer');
      }
    }
  },
);

test.each(named(PROTECTED.filter(({ auth }) => auth !== 'any')))(
  '%s answers 401 to a good credential of the wrong kind',
  async (_, route) => {
    const path = await fillPath(tenant, route.path);
    const wrong = route.auth === 'api-key' ? tenant.person : tenant.machine;
    const reply = await wrong.send(route.method, path, route.body?.(tenant));
    expectError(reply, 401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  },
);

test.each(named(PROTECTED.filter(({ auth }) => auth === 'any')))(
  '%s takes an API key as well as a dashboard token',
  async (_, route) => {
    for (const kind of ['machine', 'person'] as const) {
      const caller = await service.register({ plan: 'scale' });
      const path = await fillPath(caller, route.path);
      expectStatus(await caller[kind].send(route.method, path, route.body?.(caller)), route.status);
    }
  },
);

test.each(named(ROUTES))('%s accepts the credential it demands', async (_, route) => {
  expectStatus(await callRoute(service, route), route.status);
  if (route.auth === 'none') {
    const reply = await new ApiClient(service.url, 'garbage').send(
      route.method,
      route.path,
      route.path.endsWith('login') ? { email: tenant.email, password: tenant.password } : undefined,
    );
    expect(reply.status).not.toBe(401);
  }
});

test('HEAD demands the credential that GET demands', async () => {
  for (const { path } of PROTECTED.filter(({ method }) => method === 'GET')) {
    const reply = await service.anonymous.send('HEAD', await fillPath(tenant, path));
    expect([path, reply.status, reply.text]).toEqual([path, 401, '']);
  }
});

async function revokedKey(): Promise<string> {
  const { id, key } = (await tenant.machine.post('/v1/api-keys/')).body;
  expectStatus(await tenant.machine.delete(`/v1/api-keys/${id}`), 204);
  return key;
}

async function outdatedToken(): Promise<string> {
  const { person, password, token } = await service.register();
  const body = { current_password: password, new_password: 'battery staple' };
  expectStatus(await person.post('/v1/auth/change-password', body), 200);
  return token;
}
