/** A forgotten password is reset with a link, and sessions can be ended. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { expectError } from '../support/error-reply.js';
import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const HOUR_MS = 3_600_000;
const INVALID = 'The link is invalid, has expired or was used before';

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  service.clock.set(NOON);
  tenant = await service.register();
});
afterAll(() => service.stop());

const reset = (token: string, password = 'battery staple') =>
  service.anonymous.post('/v1/auth/reset-password', { token, new_password: password });
const login = (password: string) =>
  service.anonymous.post('/v1/auth/login', { email: tenant.email, password });

describe('a link', () => {
  test('sets the password, signs in, and invalidates all older tokens and the old password', async () => {
    const { access_token } = expectStatus(await reset(tenant.resetToken), 200).body;
    expectStatus(await new ApiClient(service.url, access_token).get('/v1/auth/me'), 200);
    expectError(await tenant.person.get('/v1/auth/me'), 401);
    expectError(await login(tenant.password), 401);
    expectStatus(await login('battery staple'), 200);
    // The keys of agents keep working.
    expectStatus(await tenant.machine.post('/v1/runs/', { user_id: 'ada' }), 201);
  });

  test('is valid once, also if it is used ten times at the same moment', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => reset(tenant.resetToken, `battery staple ${index}`)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 400),
    ]);
    const winner = replies.findIndex(({ status }) => status === 200);
    expectStatus(await login(`battery staple ${winner}`), 200);
    expect(expectStatus(await reset(tenant.resetToken), 400).body.detail).toBe(INVALID);
  });

  test('is valid for an hour', async () => {
    service.clock.advance(HOUR_MS - 1_000);
    expectStatus(await reset(tenant.resetToken), 200);
    tenant = await service.register();
    service.clock.advance(HOUR_MS);
    expect(expectStatus(await reset(tenant.resetToken), 400).body.detail).toBe(INVALID);
    expectStatus(await login(tenant.password), 200);
  });

  test('is invalid after the password was changed', async () => {
    await tenant.person.post('/v1/auth/change-password', {
      current_password: tenant.password,
      new_password: 'another horse',
    });
    expect(expectStatus(await reset(tenant.resetToken), 400).body.detail).toBe(INVALID);
    expectStatus(await login('another horse'), 200);
  });

  test('is no dashboard token, and a dashboard token is no link', async () => {
    expectError(await new ApiClient(service.url, tenant.resetToken).get('/v1/auth/me'), 401);
    expect(expectStatus(await reset(tenant.token), 400).body.detail).toBe(INVALID);
    expectStatus(await login(tenant.password), 200);
  });

  test.each([
    ['an empty one', () => ''],
    ['a garbage one', () => 'a.b.c'],
    ['one with a changed last character', () => `${tenant.resetToken.slice(0, -1)}_`],
    ['an API key', () => tenant.apiKey],
  ])('%s is refused', async (_, token) => {
    expect(expectStatus(await reset(token()), 400).body.detail).toBe(INVALID);
  });

  test('with a password that is too short stays valid', async () => {
    expectError(await reset(tenant.resetToken, 'short'), 422);
    expectStatus(await reset(tenant.resetToken), 200);
  });

  test('is in no log', async () => {
    await reset(tenant.resetToken);
    expect(service.logs()).not.toContain(tenant.resetToken.split('.')[2]);
  });
});

describe('ending all sessions', () => {
  test('invalidates every token of the account with the next request, and no other', async () => {
    const other = await service.register();
    const second = new ApiClient(service.url, (await login(tenant.password)).body.access_token);
    expectStatus(await second.post('/v1/auth/logout-everywhere'), 204);
    for (const client of [tenant.person, second]) expectError(await client.get('/v1/auth/me'), 401);
    expect(expectStatus(await reset(tenant.resetToken), 400).body.detail).toBe(INVALID);
    expectStatus(await other.person.get('/v1/auth/me'), 200);
    expectStatus(await tenant.machine.post('/v1/runs/', { user_id: 'ada' }), 201);
    expectStatus(await login(tenant.password), 200);
  });
});
