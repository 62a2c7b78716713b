/** What a member may do: every route × every role, and members who come, change and go. */

import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../src/domain/access.js';
import { INVITATION_TTL_MS } from '../../src/domain/member.js';
import { ApiClient, visible } from '../support/api-client.js';
import { expectError } from '../support/error-reply.js';
import { addMember } from '../support/members.js';
import { fillPath, nameOf, ROUTES } from '../support/routes.js';
import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/test-service.js';
import { stateOf, withoutUse } from '../support/workspace-state.js';

let service: TestService;
let readTenant: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  readTenant = await service.register({ plan: 'scale' });
});
afterAll(() => service.stop());

let invited = 0;
function newMember(owner: TestTenant, role: Role) {
  invited += 1;
  return addMember(owner.person, { email: `member-${invited}@example.com`, role });
}

const FOR_MEMBERS = ROUTES.filter(({ auth }) => auth === 'account' || auth === 'any');

test('every route for accounts says which roles may call it, and an owner may call all of them', () => {
  for (const route of FOR_MEMBERS)
    expect([nameOf(route), route.roles]).toEqual([nameOf(route), expect.arrayContaining(['owner'])]);
  expect(ROUTES.filter((route) => route.roles !== undefined)).toEqual(FOR_MEMBERS);
});

test('a refusal by role is documented where there is one', async () => {
  const { paths } = (await service.anonymous.get('/openapi.json')).body;
  for (const { method, path, roles } of FOR_MEMBERS) {
    const { responses } = paths[path][method.toLowerCase()];
    if (roles?.length !== ROLES.length)
      expect([path, Object.keys(responses)]).toEqual([path, expect.arrayContaining(['403'])]);
  }
});

describe.each(ROLES)('a member with the role %s', (role) => {
  test.each(FOR_MEMBERS.map((route) => [nameOf(route), route] as const))('%s', async (_, route) => {
    const owner = route.method === 'GET' ? readTenant : await service.register({ plan: 'scale' });
    const member = await newMember(owner, role);
    const path = await fillPath(owner, route.path);
    const before = await stateOf(owner.person);
    const reply = await member.person.send(route.method, path, route.body?.({ ...owner, ...member }));
    if (route.roles?.includes(role)) {
      expectStatus(reply, route.status);
      return;
    }
    expectError(reply, 403);
    expect(reply.body.detail).toBe(
      `You have the role ${role}; this endpoint needs ${route.roles?.join(' or ')}`,
    );
    // The role is checked before the body and the ids.
    const nowhere = route.path.replace(/\{\w+\}/g, 'nothing');
    const body = route.method === 'GET' ? undefined : '{';
    expect(visible(await member.person.send(route.method, nowhere, body))).toEqual(visible(reply));
    expect(await stateOf(owner.person)).toEqual(before);
  });
});

describe('an invitation', () => {
  test('is shown once, with a link that registers the member', async () => {
    const { person, workspaceId } = await service.register();
    const { body } = expectStatus(
      await person.post('/v1/members/invitations', { email: 'Grace@example.com', role: 'admin' }),
      201,
    );
    const { hash, pathname } = new URL(body.url);
    expect(pathname).toBe('/join');
    expect(Object.fromEntries(new URLSearchParams(hash.slice(1)))).toEqual({
      email: 'Grace@example.com',
      token: body.token,
    });
    const { token, url: _, ...shown } = body;
    const listed = await person.get('/v1/members/invitations');
    expect(listed.body).toEqual([shown]);
    expect(listed.text).not.toContain(token);
    expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBe(INVITATION_TTL_MS);

    service.clock.advance(1);
    const registered = expectStatus(
      await service.anonymous.post('/v1/auth/register', {
        email: 'grace@Example.com',
        password: 'battery staple',
        name: 'Grace',
        invitation: token,
      }),
      201,
    ).body;
    expect(registered).toMatchObject({
      api_key: null,
      user: { email: 'grace@Example.com', name: 'Grace', role: 'admin' },
      workspace: { id: workspaceId },
    });
    const grace = new ApiClient(service.url, registered.access_token);
    expect((await grace.get('/v1/auth/me')).body).toMatchObject({ role: 'admin', workspace_id: workspaceId });
    expect((await grace.get('/v1/members/invitations')).body).toEqual([]);
    expect((await person.get('/v1/members/')).body).toMatchObject([
      { role: 'owner' },
      { role: 'admin', email: 'grace@Example.com', name: 'Grace' },
    ]);
  });

  test('can be used once, also by two registrations at the same time', async () => {
    const { person } = await service.register();
    const email = 'twice@example.com';
    const { token } = (await person.post('/v1/members/invitations', { email, role: 'viewer' })).body;
    const join = () =>
      service.anonymous.post('/v1/auth/register', { email, password: 'battery staple', invitation: token });
    const statuses = (await Promise.all([join(), join(), join()])).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 400, 400]);
    expect((await person.get('/v1/members/')).body).toHaveLength(2);
  });

  test('is refused after seven days, when it was revoked, replaced or changed, and for another e-mail', async () => {
    const { person, ...owner } = await service.register();
    const email = 'late@example.com';
    const invite = async () =>
      expectStatus(await person.post('/v1/members/invitations', { email, role: 'viewer' }), 201).body;
    const join = async (invitation: string, as = email) => {
      const body = { email: as, password: 'battery staple', invitation };
      const reply = await service.anonymous.post('/v1/auth/register', body);
      expectError(reply, 400);
      return reply.body.detail;
    };
    const invalid = 'The invitation is invalid, has expired or was used before';
    const replaced = await invite();
    const revoked = await invite();
    expect(await join(replaced.token)).toBe(invalid);
    expectStatus(await person.delete(`/v1/members/invitations/${revoked.id}`), 204);
    expectError(await person.delete(`/v1/members/invitations/${revoked.id}`), 404);
    expect(await join(revoked.token)).toBe(invalid);
    const open = await invite();
    expect(await join(`${open.token}A`)).toBe(invalid);
    expect(await join('')).toBe(invalid);
    expect(await join(open.token, 'other@example.com')).toBe('The invitation is for another e-mail');
    expect((await person.get('/v1/members/')).body).toHaveLength(1);
    service.clock.advance(INVITATION_TTL_MS);
    expect(await join(open.token)).toBe(invalid);
    const session = { email: owner.email, password: owner.password };
    const { access_token } = expectStatus(await service.anonymous.post('/v1/auth/login', session), 200).body;
    const signedInAgain = person.withCredential(access_token);
    expectError(await signedInAgain.delete(`/v1/members/invitations/${open.id}`), 404);
  });

  test.each(['removed', 'demoted'])(
    'of an owner who is %s is revoked, with an entry of its own',
    async (fate) => {
      const { person } = await service.register();
      const own = { email: 'kept@example.com', role: 'viewer' };
      expectStatus(await person.post('/v1/members/invitations', own), 201);
      const second = await addMember(person, { email: `second-${fate}@example.com`, role: 'owner' });
      const invited = { email: 'accomplice@example.com', role: 'owner' };
      const { token } = expectStatus(await second.person.post('/v1/members/invitations', invited), 201).body;
      service.clock.advance(1);
      const path = `/v1/members/${second.id}`;
      if (fate === 'removed') expectStatus(await person.delete(path), 204);
      else expectStatus(await person.patch(path, { role: 'admin' }), 200);

      expect((await person.get('/v1/members/invitations')).body).toMatchObject([own]);
      const body = { email: invited.email, password: 'battery staple', invitation: token };
      expectError(await service.anonymous.post('/v1/auth/register', body), 400);
      const { items } = (await person.get('/v1/audit-log/?per_page=2')).body;
      expect(items).toMatchObject([
        { action: 'invitation.revoked', target: invited.email, after: null },
        { action: fate === 'removed' ? 'member.removed' : 'member.role_changed', target: second.email },
      ]);
    },
  );

  test('of a member, and with the name of a workspace, is refused', async () => {
    const owner = await service.register();
    const member = await newMember(owner, 'viewer');
    const again = await owner.person.post('/v1/members/invitations', {
      email: member.email.toUpperCase(),
      role: 'owner',
    });
    expectError(again, 400);
    expect(again.body.detail).toBe(`${member.email.toUpperCase()} is a member already`);
    const { token } = (
      await owner.person.post('/v1/members/invitations', { email: 'x@example.com', role: 'owner' })
    ).body;
    const body = {
      email: 'x@example.com',
      password: 'battery staple',
      workspace_name: 'X',
      invitation: token,
    };
    expectError(await service.anonymous.post('/v1/auth/register', body), 422);
  });

  test('does not help an e-mail that has an account, and is not used up by it', async () => {
    const owner = await service.register();
    const other = await service.register();
    const { token } = (
      await owner.person.post('/v1/members/invitations', { email: other.email, role: 'viewer' })
    ).body;
    const body = { email: other.email, password: 'battery staple', invitation: token };
    const reply = await service.anonymous.post('/v1/auth/register', body);
    expectError(reply, 400);
    expect(reply.body.detail).toBe('An account with this e-mail already exists');
    expect((await owner.person.get('/v1/members/invitations')).body).toHaveLength(1);
  });
});

describe('the last owner', () => {
  test('cannot be demoted or removed, also by two owners who demote each other at the same time', async () => {
    const first = await service.register();
    const id = (await first.person.get('/v1/auth/me')).body.id;
    const detail = 'A workspace needs an owner: make another member an owner first';
    for (const reply of [
      await first.person.patch(`/v1/members/${id}`, { role: 'admin' }),
      await first.person.delete(`/v1/members/${id}`),
    ]) {
      expectError(reply, 400);
      expect(reply.body.detail).toBe(detail);
    }
    expectStatus(await first.person.patch(`/v1/members/${id}`, { role: 'owner' }), 200);
    const second = await newMember(first, 'owner');
    const replies = await Promise.all([
      first.person.patch(`/v1/members/${second.id}`, { role: 'viewer' }),
      second.person.patch(`/v1/members/${id}`, { role: 'viewer' }),
    ]);
    expect(replies.map(({ status }) => status)).toContain(200);
    const roles = (await first.person.get('/v1/members/')).body
      .map(({ role }: { role: Role }) => role)
      .sort();
    expect(roles).toEqual(['owner', 'viewer']);
  });

  test('can leave when there is another one', async () => {
    const first = await service.register();
    const second = await newMember(first, 'owner');
    const id = (await first.person.get('/v1/auth/me')).body.id;
    expectStatus(await first.person.delete(`/v1/members/${id}`), 204);
    expectError(await first.person.get('/v1/auth/me'), 401);
    expect((await second.person.get('/v1/members/')).body).toMatchObject([{ id: second.id }]);
  });
});

test('a new role applies to the next request, and a removed member gets 401 for everything', async () => {
  const owner = await service.register({ plan: 'scale' });
  const member = await newMember(owner, 'admin');
  expectStatus(await member.person.post('/v1/workspace/kill-switch', { active: true }), 200);
  expectStatus(await owner.person.patch(`/v1/members/${member.id}`, { role: 'viewer' }), 200);
  expectError(await member.person.post('/v1/workspace/kill-switch', { active: false }), 403);
  expectStatus(await member.person.get('/v1/workspace/'), 200);
  expectStatus(await owner.person.delete(`/v1/members/${member.id}`), 204);
  for (const route of FOR_MEMBERS) {
    const path = route.path.replace(/\{\w+\}/g, 'nothing');
    expectError(await member.person.send(route.method, path, route.body?.(owner)), 401);
  }
  const signIn = { email: member.email, password: member.password };
  expectError(await service.anonymous.post('/v1/auth/login', signIn), 401);
  // The e-mail is free again.
  await addMember(owner.person, { email: member.email, role: 'viewer' });
});

describe('a request whose body arrives after its sender has lost the right is refused', () => {
  test.each([
    [
      'demoted',
      403,
      (owner: TestTenant, id: string) => owner.person.patch(`/v1/members/${id}`, { role: 'viewer' }),
    ],
    ['removed', 401, (owner: TestTenant, id: string) => owner.person.delete(`/v1/members/${id}`)],
  ] as const)('a member who was %s', async (_, status, change) => {
    const owner = await service.register();
    const member = await newMember(owner, 'owner');
    const requests = [
      await holdBack(member.person, 'PATCH', `/v1/members/${member.id}`, { role: 'owner' }),
      await holdBack(member.person, 'POST', '/v1/members/invitations', { email: 'x@y.z', role: 'owner' }),
      await holdBack(member.person, 'POST', '/v1/api-keys/', { scope: 'admin' }),
      await holdBack(member.person, 'PATCH', '/v1/workspace/', { name: 'Taken over' }),
    ];
    expect((await change(owner, member.id)).status).toBeLessThan(300);
    const before = withoutUse(await stateOf(owner.person));
    for (const finish of requests) expect(await finish()).toBe(status);
    expect(withoutUse(await stateOf(owner.person))).toEqual(before);
  });

  test('a key that was revoked', async () => {
    const owner = await service.register();
    const finish = await holdBack(owner.machine, 'POST', '/v1/api-keys/', { scope: 'admin' });
    const { key } = (await owner.person.post('/v1/api-keys/regenerate')).body;
    expect(await finish()).toBe(401);
    const active = (await new ApiClient(service.url, key).get('/v1/api-keys/')).body.filter(
      ({ is_active }: { is_active: boolean }) => is_active,
    );
    expect(active).toHaveLength(1);
  });

  /** Sends all but the last byte, and resolves when the service has begun with the request; then sends it, for the status. */
  async function holdBack(client: ApiClient, method: string, path: string, body: unknown) {
    const text = JSON.stringify(body);
    const request = httpRequest(service.url + path, {
      method,
      headers: {
        authorization: `Bearer ${client.credential}`,
        'content-type': 'application/json',
        'content-length': text.length,
        expect: '100-continue',
      },
    });
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    answered.catch(() => {});
    request.flushHeaders();
    await once(request, 'continue');
    request.write(text.slice(0, -1));
    return async () => {
      request.end(text.slice(-1));
      const [response] = await answered;
      response.resume();
      return response.statusCode;
    };
  }
});

test('keys say whom they were made by, and outlive a member', async () => {
  const owner = await service.register();
  const member = await newMember(owner, 'admin');
  const { key } = (await member.person.post('/v1/api-keys/', { label: 'theirs', scope: 'agent' })).body;
  const admin = owner.machine;
  await admin.post('/v1/api-keys/', { label: 'by a key', scope: 'agent' });
  expectStatus(await owner.person.delete(`/v1/members/${member.id}`), 204);
  const keys = (await owner.person.get('/v1/api-keys/')).body;
  const makers = Object.fromEntries(
    keys.map(({ label, created_by }: { label: string; created_by: string }) => [label, created_by]),
  );
  expect(makers).toEqual({ default: owner.email, theirs: member.email, 'by a key': 'key default' });
  expectStatus(await new ApiClient(service.url, key).post('/v1/runs/', { user_id: 'ada' }), 201);
});
