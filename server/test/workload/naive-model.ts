/**
 * The expected answers of the service, as a simple second implementation: credentials, then retries, then one line per
 * route. No code of the service is used.
 */

import { API_KEY, type NaiveAccount, NaiveAccounts } from './naive-accounts.js';
import {
  type Answer,
  created,
  IssuedValues,
  type NaiveBody,
  type NaiveRequest,
  ok,
  refused,
} from './naive-answer.js';
import {
  billing,
  dailyUsage,
  guardrailEffects,
  modelDetail,
  prices,
  runDecisions,
  runDetail,
  runPage,
  usageSummary,
  userBody,
  userDetail,
  userPage,
} from './naive-reports.js';
import { DAY_MS, iso } from './naive-time.js';
import type { NaiveKey, NaiveWorkspace } from './naive-workspace.js';

interface Caller {
  readonly workspace: NaiveWorkspace;
  readonly account: NaiveAccount | null;
  readonly key: NaiveKey | null;
}

interface Call extends Caller {
  readonly now: number;
  /** The parts of the path that the pattern captures, decoded. */
  readonly first: string;
  readonly second: string;
  readonly query: URLSearchParams;
  readonly body: NaiveBody;
}

type Auth = 'api-key' | 'account' | 'any';
type Handler = (model: NaiveModel, call: Call) => Answer;

const ROUTES: readonly (readonly [string, RegExp, Auth, Handler])[] = [
  [
    'POST',
    /^\/v1\/runs\/$/,
    'api-key',
    (model, { now, workspace, body }) => workspace.startRun(now, body, model.newId),
  ],
  [
    'POST',
    /^\/v1\/runs\/([^/]+)\/end$/,
    'api-key',
    (_, { now, workspace, first, body }) => workspace.endRun(now, first, body),
  ],
  [
    'POST',
    /^\/v1\/runs\/([^/]+)\/stop$/,
    'any',
    (_, { now, workspace, first }) => workspace.stopRun(now, first),
  ],
  [
    'POST',
    /^\/v1\/runs\/([^/]+)\/heartbeat$/,
    'api-key',
    (_, { now, workspace, first }) => workspace.heartbeat(now, first),
  ],
  [
    'POST',
    /^\/v1\/runs\/([^/]+)\/steps$/,
    'api-key',
    (model, { now, workspace, first, body }) => workspace.createStep(now, first, body, model.newId),
  ],
  [
    'PATCH',
    /^\/v1\/runs\/([^/]+)\/steps\/([^/]+)$/,
    'api-key',
    (_, { now, workspace, first, second, body }) =>
      workspace.updateStep(now, { runId: first, stepId: second }, body),
  ],
  [
    'GET',
    /^\/v1\/runs\/$/,
    'any',
    (_, { now, workspace, key, query }) =>
      ok(runPage(workspace, { query, now, onlyUser: key?.user ?? null })),
  ],
  [
    'GET',
    /^\/v1\/runs\/([^/]+)$/,
    'any',
    (_, { now, workspace, first }) => {
      const run = workspace.findRun(first);
      return run === undefined ? refused(404, 'Run not found') : ok(runDetail(run, now));
    },
  ],
  [
    'GET',
    /^\/v1\/runs\/([^/]+)\/decisions$/,
    'any',
    (_, { workspace, first }) => {
      const run = workspace.findRun(first);
      return run === undefined ? refused(404, 'Run not found') : ok(runDecisions(run));
    },
  ],
  ['GET', /^\/v1\/model-pricing\/$/, 'any', (_, { workspace }) => ok(prices(workspace))],
  [
    'PUT',
    /^\/v1\/model-pricing\/(.+)$/,
    'any',
    (model, { workspace, first, body }) => workspace.setPrice(first, body, model.newId),
  ],
  ['GET', /^\/v1\/workspace\/$/, 'any', (_, { workspace }) => ok(workspace.toApi())],
  ['PATCH', /^\/v1\/workspace\/$/, 'any', (_, { workspace, body }) => workspace.changeSettings(body)],
  [
    'POST',
    /^\/v1\/workspace\/kill-switch$/,
    'any',
    (_, { workspace, body }) => workspace.setKillSwitch(body.active ?? false),
  ],
  ['GET', /^\/v1\/users\/$/, 'any', (_, { now, workspace, query }) => ok(userPage(workspace, query, now))],
  [
    'POST',
    /^\/v1\/users\/([^/]+)\/(block|unblock)$/,
    'any',
    (_, call) => {
      const { now, workspace, first, second, body } = call;
      const block = { isBlocked: second === 'block', by: nameOfCaller(call), at: now };
      workspace.setBlocked(first, { ...body, ...block });
      return ok(userBody(workspace, first, now));
    },
  ],
  [
    'POST',
    /^\/v1\/users\/(block|unblock)$/,
    'any',
    (_, call) => {
      const { now, workspace, first, body } = call;
      const user = body.user_id ?? '';
      const block = { isBlocked: first === 'block', by: nameOfCaller(call), at: now };
      workspace.setBlocked(user, { ...body, ...block });
      return ok(userBody(workspace, user, now));
    },
  ],
  [
    'GET',
    /^\/v1\/users\/([^/]+)$/,
    'any',
    (_, { now, workspace, first, query }) =>
      ok(userDetail(workspace, query.get('name') ?? first, query, now)),
  ],
  [
    'GET',
    /^\/v1\/models\/(.+)$/,
    'any',
    (_, { now, workspace, first, query }) =>
      ok(modelDetail(workspace, query.get('name') ?? first, query, now)),
  ],
  ['GET', /^\/v1\/usage\/summary$/, 'any', (_, { now, workspace }) => ok(usageSummary(workspace, now))],
  [
    'GET',
    /^\/v1\/usage\/daily$/,
    'any',
    (_, { now, workspace, query }) => ok(dailyUsage(workspace, query, now)),
  ],
  [
    'GET',
    /^\/v1\/usage\/guardrail-effects$/,
    'any',
    (_, { now, workspace, query }) => ok(guardrailEffects(workspace, query, now)),
  ],
  ['GET', /^\/v1\/api-keys\/$/, 'any', (model, { workspace }) => ok(model.keyList(workspace))],
  ['POST', /^\/v1\/api-keys\/$/, 'any', (model, call) => created(model.newKey(call, call.body))],
  [
    'DELETE',
    /^\/v1\/api-keys\/([^/]+)$/,
    'any',
    (_, { workspace, first }) => {
      const key = workspace.keys.find(({ id }) => id === first);
      if (key === undefined) return refused(404, 'API key not found');
      key.isActive = false;
      return { status: 204, body: '' };
    },
  ],
  [
    'POST',
    /^\/v1\/api-keys\/regenerate$/,
    'any',
    (model, call) => {
      for (const key of call.workspace.keys) key.isActive = false;
      return ok(model.newKey(call, { label: 'default' }));
    },
  ],
  ['GET', /^\/v1\/billing\/$/, 'account', (_, { now, workspace }) => ok(billing(workspace, now))],
  [
    'PUT',
    /^\/v1\/billing\/plan$/,
    'account',
    (_, { now, workspace, body }) => {
      workspace.setPlan(body.plan ?? '');
      return ok(billing(workspace, now));
    },
  ],
  ['GET', /^\/v1\/auth\/me$/, 'account', (model, { account }) => model.accounts.me(person(account))],
  [
    'POST',
    /^\/v1\/auth\/change-password$/,
    'account',
    (model, { now, account, body }) => model.accounts.changePassword(now, person(account), body),
  ],
];

/** The writes that may have an Idempotency-Key. */
const REPEATABLE = /^(POST \/v1\/runs\/|PATCH \/v1\/runs\/|POST \/v1\/api-keys\/$)/;

export class NaiveModel {
  readonly accounts: NaiveAccounts;
  readonly #issued = new IssuedValues();

  constructor({ ttlSeconds }: { ttlSeconds: number }) {
    this.accounts = new NaiveAccounts({ ttlSeconds, issued: this.#issued });
  }

  readonly newId = () => this.#issued.freshId('id');

  /** The expected answer. Only what the service itself generates is taken from the real one: ids and secrets. */
  answer(now: number, request: NaiveRequest, realAnswer: unknown): Answer {
    this.#issued.readFrom(realAnswer);
    const url = new URL(request.path, 'http://model');
    const body = request.body ?? {};
    if (url.pathname === '/v1/auth/register') return this.accounts.register(now, body);
    if (url.pathname === '/v1/auth/login') return this.accounts.login(now, body);
    for (const [method, pattern, auth, handle] of ROUTES) {
      const match = method === request.method ? pattern.exec(url.pathname) : null;
      if (match === null) continue;
      const caller = this.#authenticate(now, request.credential, auth);
      if ('status' in caller) return caller;
      const [first = '', second = ''] = match.slice(1).map(decodeURIComponent);
      const denied = refusalOfKey(caller, { method, path: url.pathname, runId: first, body });
      if (denied !== null) return denied;
      caller.workspace.expireRuns(now);
      const call = { now, ...caller, first, second, query: url.searchParams, body };
      return this.#once(call, request, () => handle(this, call));
    }
    throw new Error(`The model does not know ${request.method} ${request.path}`);
  }

  newKey({ now, workspace, account, key: maker }: Call, body: NaiveBody): unknown {
    const text = this.#issued.text(API_KEY, 'key');
    const key = {
      id: this.newId(),
      text,
      prefix: text.slice(3, 11),
      label: body.label ?? null,
      scope: body.scope ?? 'admin',
      user: body.user_id ?? null,
      madeBy: account?.email ?? `key ${labelOf(maker)}`,
      isActive: true,
      createdAt: now,
      lastUsedAt: null,
    };
    workspace.keys.push(key);
    return { ...keyBody(key), key: text };
  }

  /** Newest first. The id of the first key is not in the answer to the registration, so it is read here. */
  keyList(workspace: NaiveWorkspace): unknown {
    for (const key of workspace.keys)
      key.id ??= this.#issued.freshId(this.#issued.indexWhere('prefix', key.prefix), 'id');
    return [...workspace.keys].sort((a, b) => b.createdAt - a.createdAt).map(keyBody);
  }

  /** Within a day the same request with the same key has the same answer; refused requests are not recorded. */
  #once({ now, workspace }: Call, request: NaiveRequest, handle: () => Answer): Answer {
    const { method, path, idempotencyKey: key, body = {} } = request;
    if (key === undefined || !REPEATABLE.test(`${method} ${path}`)) return handle();
    const asText = JSON.stringify([method, path, body]);
    const earlier = workspace.recorded.get(key);
    if (earlier !== undefined && now - earlier.at < DAY_MS) {
      if (earlier.request === asText) return asItIsNow(earlier.answer, workspace);
      return refused(400, 'This Idempotency-Key was used with another request');
    }
    const answer = handle();
    if (answer.status < 300) workspace.recorded.set(key, { request: asText, answer, at: now });
    return answer;
  }

  #authenticate(now: number, credential: string | null, auth: Auth): Answer | Caller {
    if (credential === null) return refused(401, `Send ${WANTED[auth]} as "Authorization: Bearer …"`);
    if (credential.startsWith('lg_')) {
      if (auth === 'account') return refused(401, 'This endpoint needs a dashboard token, not an API key');
      for (const { workspace } of this.accounts.all) {
        const key = workspace.keys.find(({ text, isActive }) => isActive && text === credential);
        if (key === undefined) continue;
        key.lastUsedAt = now;
        return { workspace, account: null, key };
      }
      return refused(401, 'No active API key');
    }
    if (auth === 'api-key') return refused(401, 'No active API key');
    const account = this.accounts.ownerOf(credential, now);
    if (account === null) return refused(401, 'The token is invalid or has expired');
    return { workspace: account.workspace, account, key: null };
  }
}

/** What the scope of the key, or its user, does not allow. */
function refusalOfKey(
  { workspace, key }: Caller,
  request: { method: string; path: string; runId: string; body: NaiveBody },
): Answer | null {
  if (key === null) return null;
  const { method, path, runId, body } = request;
  const isOfRuns = path.startsWith('/v1/runs/');
  const scopes = ['admin'];
  if (isOfRuns || (method === 'GET' && path.startsWith('/v1/model-pricing'))) scopes.push('agent');
  if (method === 'GET') scopes.push('read');
  if (!scopes.includes(key.scope)) {
    const needed = scopes.join(' or ');
    return refused(403, `This API key has the scope ${key.scope}; this endpoint needs ${needed}`);
  }
  if (key.user === null || !isOfRuns) return null;
  if (method === 'POST' && path === '/v1/runs/') {
    const isOwn = body.user_id === key.user;
    return isOwn ? null : refused(403, 'This API key can start only runs of its own user');
  }
  const isHidden = path !== '/v1/runs/' && workspace.findRun(runId)?.user !== key.user;
  return isHidden ? refused(404, 'Run not found') : null;
}

const WANTED: Readonly<Record<Auth, string>> = {
  'api-key': 'an API key',
  account: 'a dashboard token',
  any: 'an API key or a dashboard token',
};

/** `last_used_at` is exact to the minute: comparisons must allow for that. */
function keyBody(key: NaiveKey): object {
  return {
    id: key.id,
    prefix: key.prefix,
    label: key.label,
    is_active: key.isActive,
    created_at: iso(key.createdAt),
    last_used_at: key.lastUsedAt === null ? null : iso(key.lastUsedAt),
    scope: key.scope,
    user_id: key.user,
    created_by: key.madeBy,
  };
}

/** The answer for a new key also has whether it is still active. */
function asItIsNow(answer: Answer, { keys }: NaiveWorkspace): Answer {
  const { id, key: text } = answer.body as { id?: string; key?: string };
  if (text === undefined) return answer;
  const isActive = keys.find((key) => key.id === id)?.isActive ?? false;
  return { ...answer, body: { ...(answer.body as object), is_active: isActive } };
}

function nameOfCaller({ account, key }: Caller): string {
  return account?.email ?? labelOf(key);
}

function labelOf(key: NaiveKey | null): string {
  return key?.label ?? `lg_${key?.prefix}_…`;
}

function person(account: NaiveAccount | null): NaiveAccount {
  if (account === null) throw new Error('This route is for people');
  return account;
}
