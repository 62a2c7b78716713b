/** Every route once, with the credential it needs and a request that it accepts. */

import { type KeyScope, ROLES, type Role } from '../../src/domain/access.js';
import { createStep, startRun } from './agent.js';
import type { ApiClient, ApiReply } from './api-client.js';
import { addMember } from './members.js';
import type { TestService, TestTenant } from './test-service.js';

export type RouteAuth = 'none' | 'api-key' | 'account' | 'any';

export interface Route {
  readonly method: string;
  /** As in the OpenAPI document. */
  readonly path: string;
  readonly auth: RouteAuth;
  /** The scopes of API keys that may call it; absent: none. */
  readonly scopes?: readonly KeyScope[];
  /** The roles of members who may call it; absent: it is not for accounts. */
  readonly roles?: readonly Role[];
  readonly status: number;
  readonly body?: (tenant: TestTenant) => unknown;
}

const PRICE = { input_cost_per_token: 0.1, output_cost_per_token: 0.2 };
const PASSWORD = 'battery staple';

const EDITORS: readonly Role[] = ['owner', 'admin'];

export const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/runs/',
    auth: 'api-key',
    scopes: ['admin', 'agent'],
    status: 201,
    body: () => ({ user_id: 'bob' }),
  },
  {
    method: 'POST',
    path: '/v1/runs/{run_id}/end',
    auth: 'api-key',
    scopes: ['admin', 'agent'],
    status: 200,
    body: () => ({ status: 'COMPLETED' }),
  },
  {
    method: 'POST',
    path: '/v1/runs/{run_id}/heartbeat',
    auth: 'api-key',
    scopes: ['admin', 'agent'],
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/runs/{run_id}/stop',
    auth: 'any',
    scopes: ['admin', 'agent'],
    roles: EDITORS,
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/runs/{run_id}/steps',
    auth: 'api-key',
    scopes: ['admin', 'agent'],
    status: 201,
    body: () => ({ type: 'TOOL_CALL', sequence: 2, tool_name: 'search', input_data: { query: 'x' } }),
  },
  {
    method: 'PATCH',
    path: '/v1/runs/{run_id}/steps/{step_id}',
    auth: 'api-key',
    scopes: ['admin', 'agent'],
    status: 200,
    body: () => ({ status: 'COMPLETED', prompt_tokens: 1, completion_tokens: 2, duration_ms: 3 }),
  },
  {
    method: 'GET',
    path: '/v1/runs/',
    auth: 'any',
    scopes: ['admin', 'agent', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/runs/export',
    auth: 'any',
    scopes: ['admin', 'agent', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/gateway',
    auth: 'any',
    scopes: ['admin', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/search',
    auth: 'any',
    scopes: ['admin', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/runs/{run_id}',
    auth: 'any',
    scopes: ['admin', 'agent', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/runs/{run_id}/decisions',
    auth: 'any',
    scopes: ['admin', 'agent', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/model-pricing/',
    auth: 'any',
    scopes: ['admin', 'agent', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'PUT',
    path: '/v1/model-pricing/{model}',
    auth: 'any',
    scopes: ['admin'],
    roles: EDITORS,
    status: 200,
    body: () => PRICE,
  },
  {
    method: 'GET',
    path: '/v1/model-pricing-catalogue',
    auth: 'any',
    scopes: ['admin', 'agent', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/model-pricing-catalogue/lookup',
    auth: 'any',
    scopes: ['admin', 'agent', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/workspace/',
    auth: 'any',
    scopes: ['admin', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'PATCH',
    path: '/v1/workspace/',
    auth: 'any',
    scopes: ['admin'],
    roles: EDITORS,
    status: 200,
    body: () => ({ name: 'New' }),
  },
  {
    method: 'POST',
    path: '/v1/workspace/kill-switch',
    auth: 'any',
    scopes: ['admin'],
    roles: EDITORS,
    status: 200,
    body: () => ({ active: true }),
  },
  { method: 'GET', path: '/v1/users/', auth: 'any', scopes: ['admin', 'read'], roles: ROLES, status: 200 },
  {
    method: 'GET',
    path: '/v1/users/{user_id}',
    auth: 'any',
    scopes: ['admin', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/models/{model}',
    auth: 'any',
    scopes: ['admin', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/users/{user_id}/block',
    auth: 'any',
    scopes: ['admin'],
    roles: EDITORS,
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/users/{user_id}/unblock',
    auth: 'any',
    scopes: ['admin'],
    roles: EDITORS,
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/users/block',
    auth: 'any',
    scopes: ['admin'],
    roles: EDITORS,
    status: 200,
    body: () => ({ user_id: 'ada' }),
  },
  {
    method: 'POST',
    path: '/v1/users/unblock',
    auth: 'any',
    scopes: ['admin'],
    roles: EDITORS,
    status: 200,
    body: () => ({ user_id: 'ada' }),
  },
  {
    method: 'GET',
    path: '/v1/usage/summary',
    auth: 'any',
    scopes: ['admin', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/usage/daily',
    auth: 'any',
    scopes: ['admin', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/usage/guardrail-effects',
    auth: 'any',
    scopes: ['admin', 'read'],
    roles: ROLES,
    status: 200,
  },
  { method: 'GET', path: '/v1/api-keys/', auth: 'any', scopes: ['admin', 'read'], roles: ROLES, status: 200 },
  {
    method: 'POST',
    path: '/v1/api-keys/',
    auth: 'any',
    scopes: ['admin'],
    roles: EDITORS,
    status: 201,
    body: () => ({ label: 'CI' }),
  },
  {
    method: 'DELETE',
    path: '/v1/api-keys/{id}',
    auth: 'any',
    scopes: ['admin'],
    roles: EDITORS,
    status: 204,
  },
  {
    method: 'POST',
    path: '/v1/api-keys/regenerate',
    auth: 'any',
    scopes: ['admin'],
    roles: EDITORS,
    status: 200,
  },
  {
    method: 'GET',
    path: '/v1/audit-log/',
    auth: 'any',
    scopes: ['admin', 'read'],
    roles: EDITORS,
    status: 200,
  },
  { method: 'GET', path: '/v1/events', auth: 'any', scopes: ['admin', 'read'], roles: ROLES, status: 200 },
  { method: 'GET', path: '/v1/billing/', auth: 'account', roles: ROLES, status: 200 },
  {
    method: 'PUT',
    path: '/v1/billing/plan',
    auth: 'account',
    roles: ['owner'],
    status: 200,
    body: () => ({ plan: 'pro' }),
  },
  { method: 'GET', path: '/v1/auth/me', auth: 'account', roles: ROLES, status: 200 },
  {
    method: 'POST',
    path: '/v1/auth/change-password',
    auth: 'account',
    roles: ROLES,
    status: 200,
    body: ({ password }) => ({ current_password: password, new_password: PASSWORD }),
  },
  {
    method: 'POST',
    path: '/v1/auth/register',
    auth: 'none',
    status: 201,
    body: ({ email }) => ({ email: `friend-of-${email}`, password: PASSWORD }),
  },
  {
    method: 'POST',
    path: '/v1/auth/login',
    auth: 'none',
    status: 200,
    body: ({ email, password }) => ({ email, password }),
  },
  {
    method: 'POST',
    path: '/v1/auth/reset-password',
    auth: 'none',
    status: 200,
    body: ({ resetToken }) => ({ token: resetToken, new_password: PASSWORD }),
  },
  { method: 'POST', path: '/v1/auth/logout-everywhere', auth: 'account', roles: ROLES, status: 204 },
  { method: 'GET', path: '/health', auth: 'none', status: 200 },
  { method: 'GET', path: '/metrics', auth: 'none', status: 200 },
  { method: 'GET', path: '/openapi.json', auth: 'none', status: 200 },
  { method: 'GET', path: '/v1/members/', auth: 'any', scopes: ['admin', 'read'], roles: ROLES, status: 200 },
  {
    method: 'PATCH',
    path: '/v1/members/{member_id}',
    auth: 'account',
    roles: ['owner'],
    status: 200,
    body: () => ({ role: 'admin' }),
  },
  { method: 'DELETE', path: '/v1/members/{member_id}', auth: 'account', roles: ['owner'], status: 204 },
  {
    method: 'GET',
    path: '/v1/members/invitations',
    auth: 'any',
    scopes: ['admin', 'read'],
    roles: ROLES,
    status: 200,
  },
  {
    method: 'POST',
    path: '/v1/members/invitations',
    auth: 'account',
    roles: ['owner'],
    status: 201,
    body: () => ({ email: 'grace@example.com', role: 'admin' }),
  },
  {
    method: 'DELETE',
    path: '/v1/members/invitations/{invitation_id}',
    auth: 'account',
    roles: ['owner'],
    status: 204,
  },
];

export const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** Calls a route with a valid request; `rewrite` may change the path. */
export async function callRoute(
  service: TestService,
  route: Route,
  rewrite: (path: string) => string = (path) => path,
): Promise<ApiReply> {
  const tenant = await tenantFor(service, route);
  const path = await fillPath(tenant, route.path);
  const client = clientFor(service, tenant, route.auth);
  return client.send(route.method, rewrite(path), route.body?.(tenant));
}

const readers = new WeakMap<TestService, Promise<TestTenant>>();

/** Reads do not affect each other: they share one tenant, since registering is slow. */
function tenantFor(service: TestService, { method }: Route): Promise<TestTenant> {
  const reader = method === 'GET' ? readers.get(service) : undefined;
  const tenant = reader ?? service.register({ plan: 'scale' });
  if (method === 'GET') readers.set(service, tenant);
  return tenant;
}

/**
 * Every parameter of every path. An id belongs to one workspace: others must not learn that it exists. A name is chosen by
 * the client: the same name in another workspace is unrelated.
 */
export const PATH_PARAMETERS: Readonly<Record<string, 'id' | 'name'>> = {
  run_id: 'id',
  step_id: 'id',
  id: 'id',
  member_id: 'id',
  invitation_id: 'id',
  user_id: 'name',
  model: 'name',
};

export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

export function replaceParameters(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw new Error(`No test knows the path parameter ${name}: add it to PATH_PARAMETERS`);
    return value;
  });
}

/** The path with ids that exist in the tenant's workspace. */
export async function fillPath(tenant: TestTenant, path: string): Promise<string> {
  return replaceParameters(path, await ownValues(tenant, path));
}

/** Ids that exist in the tenant's workspace, made for this request. */
export async function ownValues(
  { machine, person, ...tenant }: TestTenant,
  path: string,
): Promise<Record<string, string>> {
  const values: Record<string, string> = { user_id: 'ada', model: 'meta-llama/Llama-3' };
  if (path.includes('{run_id}')) {
    const { id } = await startRun(machine);
    values['run_id'] = id;
    values['step_id'] = (await createStep(machine, id)).id;
  }
  if (path.includes('{id}')) values['id'] = (await machine.post('/v1/api-keys/')).body.id;
  const guest = (name: string) => ({ email: `${name}-of-${tenant.email}`, role: 'viewer' as const });
  if (path.includes('{member_id}')) values['member_id'] = (await addMember(person, guest('member'))).id;
  if (path.includes('{invitation_id}'))
    values['invitation_id'] = (await person.post('/v1/members/invitations', guest('guest'))).body.id;
  return values;
}

function clientFor(service: TestService, tenant: TestTenant, auth: RouteAuth): ApiClient {
  if (auth === 'none') return service.anonymous;
  return auth === 'api-key' ? tenant.machine : tenant.person;
}
