import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { startTestService, type TestService } from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const DAY_MS = 86_400_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(() => service.clock.set(NOON));
afterAll(() => service.stop());

const withToken = (token: string) => new ApiClient(service.url, token);

describe('registering', () => {
  test('returns a token, the first API key, the account and its workspace on Basic', async () => {
    const reply = await service.anonymous.post('/v1/auth/register', {
      email: 'Ada@Example.com',
      password: 'correct horse',
      name: 'Ada',
      workspace_name: 'Analytical Engines',
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      api_key: expect.stringMatching(/^lg_[a-z0-9]{8}_[A-Za-z0-9_-]{43}$/),
      user: {
        id: expect.any(String),
        email: 'Ada@Example.com',
        name: 'Ada',
        role: 'owner',
        created_at: NOON,
      },
      workspace: {
        id: expect.any(String),
        name: 'Analytical Engines',
        slug: expect.stringMatching(/^analytical-engines-[0-9a-f]+$/),
        kill_switch: false,
        daily_budget_usd: null,
        user_daily_budget_usd: null,
        max_concurrent_runs: 3,
        run_lease_seconds: 86_400,
        run_limits: expect.objectContaining({ max_steps: null }),
        require_holds: false,
        deny_unpriced_models: false,
      },
    });
    const { access_token, api_key, workspace, user } = reply.body;
    expect((await withToken(access_token).get('/v1/auth/me')).body).toEqual({
      ...user,
      workspace_id: workspace.id,
      plan: 'basic',
    });
    expect((await withToken(api_key).get('/v1/workspace/')).body).toEqual(workspace);
  });

  test('needs only e-mail and password', async () => {
    const reply = await service.anonymous.post('/v1/auth/register', {
      email: 'bare@example.com',
      password: '12345678',
      name: null,
      workspace_name: null,
    });
    expect(reply.status).toBe(201);
    expect(reply.body.user.name).toBeNull();
    expect(reply.body.workspace.name).toBe("bare's workspace");
  });

  test('a taken e-mail is a 400, in upper or lower case, also for two at the same time', async () => {
    const register = (email: string) =>
      service.anonymous.post('/v1/auth/register', { email, password: 'correct horse' });
    const racing = await Promise.all([register('twice@example.com'), register('TWICE@example.com')]);
    expect(racing.map(({ status }) => status).sort()).toEqual([201, 400]);
    const again = await register('Twice@Example.com');
    expect([again.status, again.body]).toEqual([
      400,
      { detail: 'An account with this e-mail already exists' },
    ]);
  });

  test('an e-mail is the same address in either Unicode form of its letters', async () => {
    const register = (email: string) =>
      service.anonymous.post('/v1/auth/register', { email, password: 'correct horse' });
    expect((await register('zoe\u0308@example.com')).status).toBe(201);
    expect((await register('zo\u00eb@example.com')).status).toBe(400);
  });

  test('a workspace whose name has no URL-safe letters still has a slug', async () => {
    const reply = await service.anonymous.post('/v1/auth/register', {
      email: 'party@example.com',
      password: 'correct horse',
      workspace_name: '🎉',
    });
    expect(reply.body.workspace).toMatchObject({
      name: '🎉',
      slug: expect.stringMatching(/^workspace-[0-9a-f]{8}$/),
    });
  });

  test.each([8, 1_024])('a password may have %d characters', async (length) => {
    const password = 'ü'.repeat(length);
    const { email } = await service.register({ password });
    expect((await service.anonymous.post('/v1/auth/login', { email, password })).status).toBe(200);
  });

  const valid = { email: 'new@example.com', password: 'correct horse' };
  test.each([
    ['no e-mail', { password: valid.password }],
    ['no password', { email: valid.email }],
    ['no address', { ...valid, email: 'example.com' }],
    ['an e-mail with a space', { ...valid, email: 'a b@example.com' }],
    ['an e-mail of 255 characters', { ...valid, email: `${'a'.repeat(243)}@example.com` }],
    ['a password of 7 characters', { ...valid, password: '1234567' }],
    ['a password of 1,025 characters', { ...valid, password: 'x'.repeat(1_025) }],
    ['a password that is a number', { ...valid, password: 12_345_678 }],
    ['an empty name', { ...valid, name: '' }],
    ['an empty workspace name', { ...valid, workspace_name: '' }],
  ])('is refused with 422: %s', async (_, body) => {
    const reply = await service.anonymous.post('/v1/auth/register', body);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ detail: expect.stringMatching(/^body/) });
  });
});

describe('signing in', () => {
  test('returns a bearer token for the account; the e-mail is case-insensitive', async () => {
    const { email, password, workspaceId } = await service.register();
    const reply = await service.anonymous.post('/v1/auth/login', {
      email: email.toUpperCase(),
      password,
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ access_token: expect.any(String), token_type: 'bearer' });
    const me = await withToken(reply.body.access_token).get('/v1/auth/me');
    expect(me.body).toMatchObject({ email, workspace_id: workspaceId });
  });

  test('a wrong password and an unknown e-mail get the same 401', async () => {
    const { email } = await service.register();
    const wrong = await service.anonymous.post('/v1/auth/login', { email, password: 'battery staple' });
    const unknown = await service.anonymous.post('/v1/auth/login', {
      email: 'nobody@example.com',
      password: 'battery staple',
    });
    expect([wrong.status, wrong.text]).toEqual([401, '{"detail":"Incorrect e-mail or password"}']);
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('an unknown e-mail takes as long as a wrong password: the same work is done', async () => {
    const accounts = await Promise.all([service.register(), service.register(), service.register()]);
    const times = { known: [] as number[], unknown: [] as number[] };
    // In turns, so that other load on the machine slows both; few enough not to be throttled.
    for (let turn = 0; turn < 24; turn += 1) {
      const known = accounts[turn % accounts.length]?.email ?? '';
      for (const [kind, email] of [
        ['known', known],
        ['unknown', `nobody-${turn}@example.com`],
      ] as const) {
        const begun = performance.now();
        expect(
          (await service.anonymous.post('/v1/auth/login', { email, password: 'a wrong guess' })).status,
        ).toBe(401);
        times[kind].push(performance.now() - begun);
      }
    }
    const median = (values: number[]) => values.sort((left, right) => left - right)[12] ?? Number.NaN;
    const ratio = median(times.unknown) / median(times.known);
    // Without hashing for an unknown e-mail it would be a twentieth.
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  test('the password is compared exactly', async () => {
    const { email, password } = await service.register();
    for (const tried of [password.toUpperCase(), `${password} `, password.slice(0, -1), '']) {
      const reply = await service.anonymous.post('/v1/auth/login', { email, password: tried });
      expect(reply.status).toBe(401);
    }
  });

  test.each([
    {},
    { email: 'a@b' },
    { password: 'x' },
    { email: null, password: 'x' },
    { email: ['a@b'], password: 'x' },
    { email: { $ne: null }, password: { $ne: null } },
    { email: 'a@b', password: 'x'.repeat(1_025) },
  ])('is refused with 422 unless both are text: %j', async (body) => {
    expect((await service.anonymous.post('/v1/auth/login', body)).status).toBe(422);
  });
});

describe('the token', () => {
  test('works for 24 hours and not a second longer', async () => {
    const { person } = await service.register();
    service.clock.advance(DAY_MS - 1_000);
    expect((await person.get('/v1/auth/me')).status).toBe(200);
    service.clock.advance(1_000);
    const expired = await person.get('/v1/auth/me');
    expect([expired.status, expired.body]).toEqual([401, { detail: 'The token is invalid or has expired' }]);
  });

  test('of a new sign-in works when the old one has expired; API keys do not expire', async () => {
    const { email, password, person, machine } = await service.register();
    service.clock.advance(30 * DAY_MS);
    const { access_token } = (await service.anonymous.post('/v1/auth/login', { email, password })).body;
    expect((await withToken(access_token).get('/v1/auth/me')).status).toBe(200);
    expect((await person.get('/v1/auth/me')).status).toBe(401);
    expect((await machine.get('/v1/workspace/')).status).toBe(200);
  });

  test('is accepted with the word Bearer in any case, and in no other scheme or place', async () => {
    const { token } = await service.register();
    const status = async (authorization: string, path = '/v1/auth/me') =>
      (await service.anonymous.send('GET', path, undefined, { authorization })).status;
    expect(await status(`bearer ${token}`)).toBe(200);
    expect(await status(`BEARER  ${token}`)).toBe(200);
    for (const header of [token, `Basic ${token}`, `Token ${token}`, `Bearer${token}`, `Bearer ${token} x`]) {
      expect(await status(header)).toBe(401);
    }
    expect(await status('', `/v1/auth/me?access_token=${token}&token=${token}`)).toBe(401);
  });
});

describe('changing the password', () => {
  const change = (client: ApiClient, current: string, next: unknown) =>
    client.post('/v1/auth/change-password', { current_password: current, new_password: next });

  test('returns a new token; every older token stops working, and only the new password signs in', async () => {
    const { email, password, person, machine } = await service.register();
    const login = (tried: string) => service.anonymous.post('/v1/auth/login', { email, password: tried });
    const other = withToken((await login(password)).body.access_token);

    const reply = await change(person, password, 'battery staple');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ access_token: expect.any(String), token_type: 'bearer' });
    const renewed = withToken(reply.body.access_token);
    const statuses = await Promise.all(
      [person, other, renewed].map(async (client) => (await client.get('/v1/auth/me')).status),
    );
    expect(statuses).toEqual([401, 401, 200]);
    expect([(await login(password)).status, (await login('battery staple')).status]).toEqual([401, 200]);
    expect((await machine.get('/v1/workspace/')).status).toBe(200);
  });

  test('with a wrong current password is a 400 and changes nothing', async () => {
    const { person } = await service.register();
    const reply = await change(person, 'wrong password', 'battery staple');
    expect([reply.status, reply.body]).toEqual([400, { detail: 'The current password is incorrect' }]);
    expect((await person.get('/v1/auth/me')).status).toBe(200);
  });

  test.each(['short', 'x'.repeat(1_025), null, 12_345_678])(
    'to an invalid password is a 422 and changes nothing: %s',
    async (next) => {
      const { person, password } = await service.register();
      expect((await change(person, password, next)).status).toBe(422);
      expect((await person.get('/v1/auth/me')).status).toBe(200);
    },
  );

  test('twice at the same time with one token succeeds once', async () => {
    const { person, password } = await service.register();
    const racing = await Promise.all([
      change(person, password, 'battery staple one'),
      change(person, password, 'battery staple two'),
    ]);
    expect(racing.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});
