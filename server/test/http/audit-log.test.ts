/** Who changed what: each change of the control plane has one entry, and nothing else has one. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditAction } from '../../src/domain/audit.js';
import { startRun } from '../support/agent.js';
import { ApiClient } from '../support/api-client.js';
import { expectError } from '../support/error-reply.js';
import { addMember } from '../support/members.js';
import { fillPath, nameOf, ROUTES, type Route } from '../support/routes.js';
import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const DAY_MS = 24 * 60 * 60 * 1000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  service.clock.set(NOON);
});
afterAll(() => service.stop());

interface Entry {
  readonly id: string;
  readonly created_at: string;
  readonly actor: { readonly type: string; readonly id: string | null; readonly label: string };
  readonly action: AuditAction;
  readonly target: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly request_id: string | null;
  readonly ip_address: string | null;
}

async function logOf(client: ApiClient, query = ''): Promise<{ items: Entry[]; total: number }> {
  return expectStatus(await client.get(`/v1/audit-log/${query}`), 200).body;
}

/** By route: the change it makes. null: the data plane, which has runs and steps as its record. */
const ACTIONS: Readonly<Record<string, AuditAction | null>> = {
  'POST /v1/runs/': null,
  'POST /v1/runs/{run_id}/end': null,
  'POST /v1/runs/{run_id}/heartbeat': null,
  'POST /v1/runs/{run_id}/steps': null,
  'PATCH /v1/runs/{run_id}/steps/{step_id}': null,
  'POST /v1/runs/{run_id}/stop': 'run.stopped',
  'PUT /v1/model-pricing/{model}': 'price.set',
  'PATCH /v1/workspace/': 'workspace.updated',
  'POST /v1/workspace/kill-switch': 'kill_switch.turned_on',
  'POST /v1/users/{user_id}/block': 'user.blocked',
  'POST /v1/users/{user_id}/unblock': 'user.unblocked',
  'POST /v1/users/block': 'user.blocked',
  'POST /v1/users/unblock': 'user.unblocked',
  'POST /v1/api-keys/': 'api_key.created',
  'DELETE /v1/api-keys/{id}': 'api_key.revoked',
  'POST /v1/api-keys/regenerate': 'api_keys.regenerated',
  'PUT /v1/billing/plan': 'plan.changed',
  'POST /v1/auth/change-password': 'account.password_changed',
  'POST /v1/auth/register': 'account.registered',
  'POST /v1/auth/login': 'account.signed_in',
  'POST /v1/auth/reset-password': 'account.password_reset',
  'POST /v1/auth/logout-everywhere': 'account.sessions_ended',
  'PATCH /v1/members/{member_id}': 'member.role_changed',
  'DELETE /v1/members/{member_id}': 'member.removed',
  'POST /v1/members/invitations': 'member.invited',
  'DELETE /v1/members/invitations/{invitation_id}': 'invitation.revoked',
};

const WRITES = ROUTES.filter(({ method }) => method !== 'GET');
/** Every secret of a request or a response; keys also have the label of the actor. */
const SECRETS = /lg_\w{8}_\w{20}|eyJ|battery staple|correct horse/;

test('the table has every route that writes', () => {
  expect(WRITES.map(nameOf).sort()).toEqual(Object.keys(ACTIONS).sort());
});

describe.each(WRITES.map((route) => [nameOf(route), route] as const))('%s', (name, route) => {
  const expected = ACTIONS[name] ?? null;
  test.each(route.auth === 'any' ? ['person', 'machine'] : [route.auth === 'api-key' ? 'machine' : 'person'])(
    `has ${expected === null ? 'no entry' : `one entry, ${expected}`}, as %s`,
    async (kind) => {
      const tenant = await service.register({ plan: 'scale' });
      const reader = await newAdminKey(tenant);
      if (name.includes('unblock')) await tenant.person.post('/v1/users/ada/block');
      const path = await fillPath(tenant, route.path);
      const { total } = await logOf(reader);
      const client =
        route.auth === 'none' ? service.anonymous : kind === 'person' ? tenant.person : tenant.machine;
      const reply = expectStatus(await client.send(route.method, path, route.body?.(tenant)), route.status);
      if (name === 'POST /v1/auth/register') {
        const { items } = await logOf(new ApiClient(service.url, reply.body.access_token));
        expect(items).toMatchObject([{ action: expected, actor: { type: 'account' } }]);
        return;
      }
      const log = await logOf(new ApiClient(service.url, await workingToken(tenant, route, reply.body)));
      expect(log.total - total).toBe(expected === null ? 0 : 1);
      if (expected === null) return;
      const [entry] = log.items;
      expect(entry).toMatchObject({
        action: expected,
        actor:
          kind === 'person'
            ? { type: 'account', label: tenant.email }
            : { type: 'api_key', label: 'default' },
        request_id: reply.headers.get('x-request-id'),
        ip_address: '127.0.0.1',
      });
      expect(JSON.stringify(log.items)).not.toMatch(SECRETS);
    },
  );
});

/** A credential that still works after the request. */
async function workingToken(
  tenant: TestTenant,
  { path }: Route,
  body: { access_token?: string; key?: string } | null,
): Promise<string> {
  if (body?.access_token !== undefined) return body.access_token;
  if (path.endsWith('regenerate')) return body?.key ?? '';
  return path.endsWith('logout-everywhere') ? tenant.apiKey : tenant.token;
}

async function newAdminKey(tenant: TestTenant): Promise<ApiClient> {
  const { key } = expectStatus(await tenant.machine.post('/v1/api-keys/', { label: 'reader' }), 201).body;
  return new ApiClient(service.url, key);
}

describe('an entry', () => {
  test('has the fields that changed, before and after, as the API shows them', async () => {
    const { person } = await service.register({ plan: 'scale' });
    await person.patch('/v1/workspace/', { daily_budget_usd: 10, name: 'Acme' });
    await person.patch('/v1/workspace/', { daily_budget_usd: 50, name: 'Acme' });
    await person.put('/v1/model-pricing/gpt', { input_cost_per_token: 0.1, output_cost_per_token: 0.2 });
    await person.put('/v1/model-pricing/gpt', { input_cost_per_token: 0.1, output_cost_per_token: 0.3 });
    const [price, newPrice, budget] = (await logOf(person)).items;
    expect(price).toMatchObject({
      target: 'gpt',
      before: { output_cost_per_token: 0.2 },
      after: { output_cost_per_token: 0.3 },
    });
    expect(newPrice).toMatchObject({ before: null, after: { model: 'gpt', output_cost_per_token: 0.2 } });
    expect(budget).toMatchObject({
      action: 'workspace.updated',
      target: null,
      before: { daily_budget_usd: 10 },
      after: { daily_budget_usd: 50 },
    });
    expect(Object.keys(budget?.after ?? {})).toEqual(['daily_budget_usd']);
  });

  test('is not written for a request that changes nothing, or is refused', async () => {
    const tenant = await service.register({ plan: 'scale' });
    const { person } = tenant;
    const { id } = (await person.post('/v1/api-keys/', {})).body;
    const { id: runId } = await startRun(tenant.machine);
    const changes: (() => Promise<unknown>)[] = [
      () => person.patch('/v1/workspace/', { daily_budget_usd: 10 }),
      () => person.post('/v1/workspace/kill-switch', { active: true }),
      () => person.post('/v1/users/ada/block'),
      () => person.delete(`/v1/api-keys/${id}`),
      () => person.put('/v1/model-pricing/gpt', { input_cost_per_token: 0, output_cost_per_token: 1 }),
      () => person.put('/v1/billing/plan', { plan: 'pro' }),
      () => person.post(`/v1/runs/${runId}/stop`),
    ];
    for (const change of changes) await change();
    const { total } = await logOf(person);
    for (const change of changes) await change();
    await person.post('/v1/users/nobody/unblock');
    await person.patch('/v1/workspace/', { daily_budget_usd: -1 });
    await person.post('/v1/auth/change-password', { current_password: 'wrong', new_password: 'x'.repeat(9) });
    await service.anonymous.post('/v1/auth/login', { email: tenant.email, password: 'wrong' });
    expect((await logOf(person)).total).toBe(total);
  });

  test('says that the command line made a change', async () => {
    const { person, workspaceId } = await service.register();
    const { OPERATOR } = await import('../../src/domain/audit.js');
    await service.app.store.workspaces.change(workspaceId, { kind: 'plan', plan: 'pro' }, OPERATOR);
    expect((await logOf(person)).items[0]).toMatchObject({
      actor: { type: 'operator', id: null, label: 'command line' },
      request_id: null,
      ip_address: null,
    });
  });
});

describe('the list', () => {
  test('is newest first, in pages, and can be filtered', async () => {
    const owner = await service.register({ plan: 'scale' });
    const member = await addMember(owner.person, { email: 'filter@example.com', role: 'admin' });
    const begun = service.clock.now();
    for (let index = 0; index < 5; index += 1) {
      service.clock.advance(1_000);
      await member.person.patch('/v1/workspace/', { daily_budget_usd: index + 1 });
      await owner.person.post(`/v1/users/user-${index}/block`);
    }
    const all = await logOf(owner.person, '?per_page=100');
    expect(all.items).toHaveLength(all.total);
    const pages = [];
    for (let page = 1; page <= Math.ceil(all.total / 4); page += 1)
      pages.push(...(await logOf(owner.person, `?per_page=4&page=${page}`)).items);
    expect(pages).toEqual(all.items);
    expect(all.items.slice(0, 2).map(({ target }) => target)).toEqual(['user-4', null]);
    const blocked = all.items.filter(({ action }) => action === 'user.blocked');
    expect(blocked).toHaveLength(5);
    expect((await logOf(owner.person, '?action=user.blocked')).items).toEqual(blocked);
    const byMember = all.items.filter(({ actor }) => actor.id === member.id);
    expect((await logOf(owner.person, `?actor_id=${member.id}`)).items).toEqual(byMember);
    expect(byMember.map(({ action }) => action)).toEqual([
      ...Array(5).fill('workspace.updated'),
      'member.joined',
    ]);
    const at = (seconds: number) => encodeURIComponent(new Date(begun + seconds * 1_000).toISOString());
    const between = await logOf(owner.person, `?from=${at(2)}&to=${at(4)}&action=workspace.updated`);
    expect(between.items.map(({ after }) => after)).toEqual([
      { daily_budget_usd: 3 },
      { daily_budget_usd: 2 },
    ]);
    expect(between.total).toBe(2);
    expect(await logOf(owner.person, '?actor_id=nobody')).toMatchObject({ items: [], total: 0 });
    expect(await logOf(owner.person, '?page=2147483647')).toMatchObject({ items: [], total: all.total });
  });

  test.each([
    ['action=none'],
    ['from=yesterday'],
    ['to=2026-13-01T00:00:00Z'],
    ['from=2026-02-30T00:00:00Z'],
    ['page=0'],
    ['per_page=101'],
  ])('?%s is refused', async (query) => {
    const { person } = await service.register();
    expectError(await person.get(`/v1/audit-log/?${query}`), 422);
  });
});

test('entries are small, however large a setting is', async () => {
  const { person } = await service.register({ plan: 'scale' });
  const tools = (letter: string) =>
    Array.from({ length: 100 }, (_, index) => `€${letter}${index}`.padEnd(255, '\u0001'));
  for (const letter of ['a', 'b']) {
    const body = { run_limits: { repeat_exempt_tools: tools(letter) } };
    expectStatus(await person.patch('/v1/workspace/', body), 200);
  }
  const reply = await person.get('/v1/audit-log/?per_page=1');
  expect(reply.text.length).toBeLessThan(16_000);
  const { repeat_exempt_tools: shown } = reply.body.items[0].after.run_limits;
  expect(shown.slice(0, 2)).toEqual(tools('b').slice(0, 2));
  expect(shown.at(-1)).toMatch(/^… and \d+ more$/);
});

test('entries are counted, and have pages, up to a bound; older ones are found by their time', async () => {
  const { person, workspaceId } = await service.register();
  const begun = service.clock.now();
  for (let index = 0; index < 5; index += 1) {
    service.clock.advance(1_000);
    await person.patch('/v1/workspace/', { name: `name ${index}` });
  }
  const { audit } = service.app.store;
  const list = (query: object) =>
    audit.list({ workspaceId, ...ANY, offset: 0, limit: 2, countUpTo: 3, ...query });
  const names = async (query: object) => (await list(query)).items.map(({ after }) => after?.['name']);
  expect(await list({})).toMatchObject({ total: 3 });
  expect(await names({})).toEqual(['name 4', 'name 3']);
  expect(await names({ offset: 2 })).toEqual(['name 2']);
  expect(await names({ offset: 3 })).toEqual([]);
  expect(await names({ to: begun + 3_000 })).toEqual(['name 1', 'name 0']);
});

test('entries are kept for 400 days', async () => {
  const { person, workspaceId } = await service.register();
  const { auditEntries, deleteExpired } = await import('../../src/control/cleanup.js');
  const { store } = service.app;
  const before = (await logOf(person)).total;
  expect(before).toBeGreaterThan(0);
  const log = () => store.audit.list({ workspaceId, ...ANY, offset: 0, limit: 9, countUpTo: 9 });
  service.clock.advance(400 * DAY_MS);
  await deleteExpired(store, auditEntries(store, 400));
  expect((await log()).total).toBe(before);
  service.clock.advance(1);
  await deleteExpired(store, auditEntries(store, 400));
  expect((await log()).total).toBe(0);
});

const ANY = { action: null, actorId: null, from: null, to: null };
