/** Random requests of every kind. The model knows what exists; the seed determines the choice. */

import type { SeededRandom } from '../../src/cli/seeded-random.js';
import type { NaiveAccount } from './naive-accounts.js';
import type { NaiveBody, NaiveRequest } from './naive-answer.js';
import type { NaiveLimits } from './naive-rules.js';
import { type NaiveKey, type NaiveRun, type NaiveStep, PLANS } from './naive-workspace.js';

/** Two of the users and two of the models sort differently by UTF-16 than by UTF-8. */
const USERS = ['ada', 'bob', 'zoë', '..', "'; DROP TABLE runs; --", '用户/1', '～wave', '😀'];
const MODELS = ['gpt-4o', 'meta-llama/Llama-3', 'dear', '～wave', '😀', 'unpriced'];
const DEAR_MODEL = 'dear';
const BUDGETS_USD = [0, 0.000001, 0.8, 1.25, 3, 0.000000000001, 9_000_000];
const PRICES_USD = [0.1, 0.0000025, 0.00000015, 0, 0.000000000000000001, 0.3, 0.000000000000500001];
const DEAR_USD = 1_000_000;
const METADATA = [undefined, null, {}, { nested: { list: [1, 'two', null] }, __proto: 'x' }, { zoë: '😀' }];
/** Two of them differ in the order of their keys only. */
const INPUTS = [
  null,
  { query: ['x', 1.5e-7] },
  { a: 1, b: { c: [], d: 2 } },
  { b: { d: 2, c: [] }, a: 1 },
  {},
];
/** The clock moves by up to 90 seconds at a time. */
const LEASES = [null, 10, 60, 100, 604_800];
const WORKSPACE_NAMES = [undefined, null, 'Acme', 'Zoë & Söhne', '研究'];
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const STALE_CREDENTIAL = 0.02;
const KEYED = 0.25;
/** Retries mostly repeat recent requests. */
const RETRIED = 60;

export interface CommandContext {
  readonly random: SeededRandom;
  readonly account: NaiveAccount;
  readonly accounts: readonly NaiveAccount[];
  /** Requests of this workspace with an Idempotency-Key. */
  readonly keyed: readonly NaiveRequest[];
  /** A number that no other request has. */
  readonly serial: number;
}

export interface CommandKind {
  readonly name: string;
  readonly weight: number;
  readonly make: (context: CommandContext) => NaiveRequest;
}

export const COMMAND_KINDS: readonly CommandKind[] = [
  { name: 'start run', weight: 18, make: (context) => keyable(context, startRun(context)) },
  { name: 'create step', weight: 22, make: (context) => keyable(context, createStep(context)) },
  { name: 'update step', weight: 20, make: (context) => keyable(context, updateStep(context)) },
  { name: 'end run', weight: 11, make: (context) => keyable(context, endRun(context)) },
  { name: 'heartbeat', weight: 4, make: heartbeat },
  { name: 'stop run', weight: 2, make: stopRun },
  { name: 'retry', weight: 5, make: retry },
  { name: 'set price', weight: 3, make: setPrice },
  { name: 'change settings', weight: 4, make: changeSettings },
  { name: 'kill switch', weight: 2, make: setKillSwitch },
  { name: 'block or unblock', weight: 4, make: blockOrUnblock },
  { name: 'change plan', weight: 1.5, make: changePlan },
  { name: 'create key', weight: 1, make: (context) => keyable(context, createKey(context)) },
  { name: 'revoke key', weight: 0.7, make: revokeKey },
  { name: 'regenerate keys', weight: 0.3, make: regenerateKeys },
  { name: 'login', weight: 0.3, make: login },
  { name: 'failed login', weight: 0.2, make: failedLogin },
  { name: 'change password', weight: 0.2, make: changePassword },
  { name: 'register again', weight: 0.1, make: registerAgain },
  { name: 'read', weight: 6, make: read },
];

/** A new account; its workspace may have a name. */
export function register({ random, serial }: Pick<CommandContext, 'random' | 'serial'>): NaiveRequest {
  const name = random.pick([undefined, null, 'Ada']);
  const workspaceName = random.pick(WORKSPACE_NAMES);
  return {
    method: 'POST',
    path: '/v1/auth/register',
    credential: null,
    body: {
      email: `Owner-${serial}@example.com`,
      password: 'correct horse',
      ...(name === undefined ? {} : { name }),
      ...(workspaceName === undefined ? {} : { workspace_name: workspaceName }),
    },
  };
}

export function login({ account: { email, password }, random }: CommandContext): NaiveRequest {
  const typed = random.pick([email, email.toLowerCase(), email.toUpperCase()]);
  return { method: 'POST', path: '/v1/auth/login', credential: null, body: { email: typed, password } };
}

export function createKey(context: CommandContext): NaiveRequest {
  const { random } = context;
  const scope = random.pick([undefined, undefined, 'admin', 'agent', 'agent', 'read']);
  const isPinned = scope === 'agent' && random.chance(0.5);
  const request = createAdminKey(context);
  return {
    ...request,
    body: {
      ...request.body,
      ...(scope === undefined ? {} : { scope }),
      ...(isPinned ? { user_id: random.pick(USERS) } : {}),
    },
  };
}

export function createAdminKey({ account, random }: CommandContext): NaiveRequest {
  const label = random.pick([undefined, null, 'CI', 'zoë 😀']);
  const body = label === undefined ? {} : { label };
  return { method: 'POST', path: '/v1/api-keys/', credential: account.token, body };
}

// ── The data plane ─────────────────────────────────────────────────────────────────────────────────────────────────

function startRun(context: CommandContext): NaiveRequest {
  const metadata = context.random.pick(METADATA);
  const body = {
    user_id: context.random.pick(USERS),
    ...(metadata === undefined ? {} : { metadata }),
    ...(context.random.chance(0.4) ? { lease_seconds: context.random.pick(LEASES) } : {}),
    ...(context.random.chance(0.3) ? { limits: someLimits(context.random) } : {}),
  };
  return { method: 'POST', path: '/v1/runs/', credential: machine(context), body };
}

function someEstimate(random: SeededRandom): NaiveBody {
  if (random.chance(0.6)) return { estimated_cost_usd: random.pick([0, 0.000000000001, 0.1, 0.5, 2, null]) };
  const tokens = random.pick([0, 3, 9]);
  return { estimated_prompt_tokens: tokens, max_completion_tokens: random.pick([0, 5, 1_000_000]) };
}

function someLimits(random: SeededRandom): NaiveLimits {
  return {
    ...(random.chance(0.3) ? { max_cost_usd: random.pick([null, ...BUDGETS_USD]) } : {}),
    ...(random.chance(0.3) ? { max_steps: random.pick([null, 1, 3, 5]) } : {}),
    ...(random.chance(0.3) ? { max_duration_seconds: random.pick([null, 30, 600]) } : {}),
    ...(random.chance(0.6) ? { max_repeats: random.pick([null, 1, 2, 20]) } : {}),
  };
}

function createStep(context: CommandContext): NaiveRequest {
  const { random } = context;
  const body = {
    type: random.pick(['INPUT', 'MODEL_CALL', 'TOOL_CALL', 'OUTPUT', 'REASONING', 'SYSTEM']),
    sequence: random.integer(1, 5),
    model: random.pick([...MODELS, null]),
    ...(random.chance(0.2) ? { tool_name: random.pick(['search', 'zoë', null]) } : {}),
    ...(random.chance(0.3) ? { input_data: random.pick(INPUTS) } : {}),
    ...(random.chance(0.35) ? someEstimate(random) : {}),
  };
  const runId = pickRunId(context);
  return {
    method: 'POST',
    path: `/v1/runs/${runId}/steps`,
    credential: machine(context),
    body: withReports(context, runId, body),
  };
}

/** Sometimes reports of the run's steps, mostly of those that are not reported yet. */
function withReports(context: CommandContext, runId: string, body: NaiveBody): NaiveBody {
  const { random, account } = context;
  if (random.chance(0.6)) return body;
  const steps = account.workspace.findRun(runId)?.steps.slice(-6) ?? [];
  const reports = steps
    .filter(({ report, decision }) => (report === null && decision.reason === null) || random.chance(0.1))
    .map((step) => ({ step_id: step.id, ...newReport(context, step.model) }));
  if (random.chance(0.03)) reports.push({ step_id: UNKNOWN_ID, ...newReport(context, null) });
  return { ...body, reports };
}

function updateStep(context: CommandContext): NaiveRequest {
  const { runId, stepId, step } = pickStep(context);
  const isRepetition = step?.report != null && context.random.chance(0.5);
  const body = isRepetition ? sameReport(step) : newReport(context, step?.model ?? null);
  return { method: 'PATCH', path: `/v1/runs/${runId}/steps/${stepId}`, credential: machine(context), body };
}

function endRun(context: CommandContext): NaiveRequest {
  const body = { status: context.random.pick(['COMPLETED', 'COMPLETED', 'FAILED']) };
  const runId = pickRunId(context);
  return {
    method: 'POST',
    path: `/v1/runs/${runId}/end`,
    credential: machine(context),
    body: withReports(context, runId, body),
  };
}

function heartbeat(context: CommandContext): NaiveRequest {
  return { method: 'POST', path: `/v1/runs/${pickRunId(context)}/heartbeat`, credential: machine(context) };
}

function stopRun(context: CommandContext): NaiveRequest {
  return { method: 'POST', path: `/v1/runs/${pickRunId(context)}/stop`, credential: anyCredential(context) };
}

/** The same request again, or a different one with a used key. */
function retry(context: CommandContext): NaiveRequest {
  const { random, keyed } = context;
  if (keyed.length === 0) return startRun(context);
  const earlier = random.pick(keyed.slice(-RETRIED));
  const again = random.chance(0.8) ? earlier : random.pick([startRun, createStep, endRun])(context);
  const { idempotencyKey } = earlier;
  return {
    ...again,
    credential: machine(context),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

function newReport({ random }: CommandContext, model: string | null): NaiveBody {
  // Millions of dollars in one step: two of them exceed the counter of a day.
  const isDear = model === DEAR_MODEL && random.chance(0.3);
  const isHuge = random.chance(0.01);
  return {
    status: random.pick(['COMPLETED', 'FAILED']),
    ...(random.chance(0.5) ? { duration_ms: random.integer(0, 5_000) } : {}),
    ...(random.chance(0.8) ? { prompt_tokens: isDear ? random.integer(3, 9) : random.integer(0, 9) } : {}),
    ...(random.chance(0.8)
      ? { completion_tokens: isHuge ? Number.MAX_SAFE_INTEGER : random.integer(0, 1_000_000) }
      : {}),
    ...(random.chance(0.5) ? someDetails(random, isDear) : {}),
  };
}

/** Parts that fit their wholes, and an error that fits the status: other reports are among the malformed requests. */
function someDetails(random: SeededRandom, isDear: boolean): NaiveBody {
  const status = random.pick(['COMPLETED', 'FAILED']);
  const prompt = random.integer(0, 9);
  const read = random.integer(0, prompt);
  const hasParts = random.chance(0.7);
  return {
    status,
    ...(hasParts
      ? {
          prompt_tokens: isDear ? prompt + 3 : prompt,
          cache_read_tokens: random.pick([read, null, 0]),
          cache_write_tokens: random.pick([prompt - read, null]),
        }
      : {}),
    ...(random.chance(0.3)
      ? { completion_tokens: 500, reasoning_tokens: random.pick([0, 7, 500, null]) }
      : {}),
    ...(random.chance(0.2) ? { cost_usd: random.pick([0, 0.000000000001, 0.25, 3, null, 9_000_000]) } : {}),
    ...(random.chance(0.3) ? { output_data: random.pick(INPUTS) } : {}),
    ...(status === 'FAILED' ? { error: random.pick(['Timeout 😀', '', null]) } : {}),
    ...(random.chance(0.2) ? { estimated: random.pick([true, false]) } : {}),
  };
}

/** With the keys of its output in another order. */
function sameReport({ report }: NaiveStep): NaiveBody {
  const output = Object.entries((report?.output ?? {}) as object).reverse();
  return {
    status: report?.status ?? '',
    duration_ms: report?.duration ?? null,
    prompt_tokens: report?.prompt ?? null,
    completion_tokens: report?.completion ?? null,
    cache_read_tokens: report?.cacheRead ?? null,
    cache_write_tokens: report?.cacheWrite ?? null,
    reasoning_tokens: report?.reasoning ?? null,
    cost_usd: report?.costUsd ?? null,
    output_data: report?.output == null ? null : Object.fromEntries(output),
    error: report?.error ?? null,
    estimated: report?.isEstimated ?? false,
  };
}

/** Mostly one of the newest runs; sometimes one that does not exist, or belongs to another workspace. */
function pickRunId({ random, account, accounts }: CommandContext): string {
  const { runs } = account.workspace;
  if (runs.length > 0 && random.chance(0.96)) return random.pick(runs.slice(-12)).id;
  return random.pick([UNKNOWN_ID, random.pick(accounts).workspace.runs.at(-1)?.id ?? UNKNOWN_ID]);
}

function pickStep(context: CommandContext): { runId: string; stepId: string; step?: NaiveStep } {
  const { random, account } = context;
  const recent: readonly NaiveRun[] = account.workspace.runs.slice(-25);
  const steps = recent.flatMap((run) => run.steps.map((step) => ({ runId: run.id, stepId: step.id, step })));
  if (steps.length === 0 || random.chance(0.03)) return { runId: pickRunId(context), stepId: UNKNOWN_ID };
  const open = steps.filter(({ step }) => step.report === null);
  return random.pick(open.length > 0 && random.chance(0.8) ? open : steps);
}

// ── The control plane ──────────────────────────────────────────────────────────────────────────────────────────────

function setPrice(context: CommandContext): NaiveRequest {
  const { random } = context;
  const model = random.pick(MODELS.slice(0, -1));
  const path = random.chance(0.5) ? encodeURIComponent(model) : encodeURI(model);
  const prices = model === DEAR_MODEL ? [DEAR_USD, DEAR_USD, 0] : PRICES_USD;
  const body = {
    input_cost_per_token: random.pick(prices),
    output_cost_per_token: random.pick(PRICES_USD),
    ...(random.chance(0.5) ? { is_active: random.chance(0.8) } : {}),
    ...(random.chance(0.6) ? { cache_read_cost_per_token: random.pick([...prices, null]) } : {}),
    ...(random.chance(0.6) ? { cache_write_cost_per_token: random.pick([...prices, null]) } : {}),
  };
  return { method: 'PUT', path: `/v1/model-pricing/${path}`, credential: anyCredential(context), body };
}

function changeSettings(context: CommandContext): NaiveRequest {
  const { random } = context;
  const body = {
    ...(random.chance(0.1) ? { name: random.pick([null, 'Renamed', '研究']) } : {}),
    ...(random.chance(0.5) ? { daily_budget_usd: random.pick([null, null, ...BUDGETS_USD]) } : {}),
    ...(random.chance(0.5) ? { user_daily_budget_usd: random.pick([null, null, ...BUDGETS_USD]) } : {}),
    ...(random.chance(0.3) ? { max_concurrent_runs: random.pick([null, 1, 5, 50]) } : {}),
    ...(random.chance(0.2)
      ? {
          run_limits: {
            ...someLimits(random),
            ...(random.chance(0.3)
              ? { repeat_exempt_tools: random.pick([[], ['search'], ['zoë', 'search']]) }
              : {}),
          },
        }
      : {}),
    ...(random.chance(0.1) ? { require_holds: random.chance(0.4) } : {}),
    ...(random.chance(0.1) ? { deny_unpriced_models: random.chance(0.4) } : {}),
    ...(random.chance(0.2) ? { run_lease_seconds: random.pick([null, 10, 300, 86_400]) } : {}),
  };
  return { method: 'PATCH', path: '/v1/workspace/', credential: anyCredential(context), body };
}

function setKillSwitch(context: CommandContext): NaiveRequest {
  const body = { active: context.random.chance(0.4) };
  return { method: 'POST', path: '/v1/workspace/kill-switch', credential: anyCredential(context), body };
}

function blockOrUnblock(context: CommandContext): NaiveRequest {
  const { random, serial } = context;
  const user = random.chance(0.9) ? random.pick(USERS) : `never-seen-${serial}`;
  const action = random.chance(0.4) ? 'block' : 'unblock';
  const request = { method: 'POST', credential: anyCredential(context) };
  const note = random.pick([{}, { note: null }, { note: 'Too many runs 🤖' }, { note: `Ticket ${serial}` }]);
  if (random.chance(0.5) && user !== '..')
    return {
      ...request,
      path: `/v1/users/${encodeURIComponent(user)}/${action}`,
      ...(action === 'block' && random.chance(0.5) ? { body: note } : {}),
    };
  return { ...request, path: `/v1/users/${action}`, body: { user_id: user, ...note } };
}

function changePlan(context: CommandContext): NaiveRequest {
  const body = { plan: context.random.pick(PLANS) };
  return { method: 'PUT', path: '/v1/billing/plan', credential: person(context), body };
}

function revokeKey(context: CommandContext): NaiveRequest {
  const { random, account } = context;
  const known = account.workspace.keys.flatMap(({ id }) => id ?? []);
  const id = known.length === 0 || random.chance(0.1) ? UNKNOWN_ID : random.pick(known);
  return { method: 'DELETE', path: `/v1/api-keys/${id}`, credential: anyCredential(context) };
}

function regenerateKeys(context: CommandContext): NaiveRequest {
  return { method: 'POST', path: '/v1/api-keys/regenerate', credential: anyCredential(context) };
}

function failedLogin({ random, account: { email }, serial }: CommandContext): NaiveRequest {
  const body = {
    email: random.chance(0.7) ? email : `nobody-${serial}@example.com`,
    password: random.pick(['wrong horse', '', 'Correct Horse']),
  };
  return { method: 'POST', path: '/v1/auth/login', credential: null, body };
}

function changePassword(context: CommandContext): NaiveRequest {
  const { random, account, serial } = context;
  const body = {
    current_password: random.chance(0.7) ? account.password : 'wrong horse',
    new_password: `correct horse ${serial}`,
  };
  return { method: 'POST', path: '/v1/auth/change-password', credential: person(context), body };
}

function registerAgain({ random, account: { email } }: CommandContext): NaiveRequest {
  const body = { email: random.pick([email, email.toLowerCase()]), password: 'correct horse' };
  return { method: 'POST', path: '/v1/auth/register', credential: null, body };
}

// ── Reads ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function read(context: CommandContext): NaiveRequest {
  const { random } = context;
  const credential = anyCredential(context);
  const runId = pickRunId(context);
  const blocked = random.pick(['', '&blocked=true', '&blocked=false']);
  const path = random.pick([
    `/v1/runs/${runId}`,
    `/v1/runs/${runId}/decisions`,
    runListPath(random),
    `/v1/users/?page=${random.integer(1, 3)}&per_page=3${blocked}`,
    `/v1/users/?page=${random.integer(1, 2)}&per_page=3${blocked}${random.pick(['&sort=spend', '&search=', '&search=a', '&sort=spend&search=u'])}`,
    `/v1/users/${encodeURIComponent(random.pick(USERS.filter((user) => user !== '..')))}?days=${random.pick([1, 2, 30, 366])}`,
    `/v1/models/${encodeURIComponent(random.pick(MODELS))}?days=${random.pick([1, 2, 30, 366])}`,
    '/v1/usage/summary',
    `/v1/usage/daily?days=${random.pick([1, 2, 30, 31, 366])}`,
    guardrailEffectsPath(random),
    '/v1/model-pricing/',
    '/v1/workspace/',
    '/v1/api-keys/',
    '/v1/billing/',
    '/v1/auth/me',
  ]);
  const needsPerson = path === '/v1/billing/' || path === '/v1/auth/me';
  return { method: 'GET', path, credential: needsPerson ? person(context) : credential };
}

function guardrailEffectsPath(random: SeededRandom): string {
  const query = new URLSearchParams({ days: String(random.pick([1, 2, 7, 30])) });
  if (random.chance(0.7)) query.set('max_cost_usd', String(random.pick([0, ...BUDGETS_USD])));
  if (random.chance(0.7)) query.set('max_steps', String(random.integer(1, 4)));
  if (random.chance(0.7)) query.set('max_duration_seconds', String(random.pick([1, 60, 3600, 2 ** 31 - 1])));
  if (random.chance(0.7)) query.set('run_lease_seconds', String(random.pick([10, 60, 3600, 604_800])));
  return `/v1/usage/guardrail-effects?${query}`;
}

function runListPath(random: SeededRandom): string {
  const status = random.pick([null, 'RUNNING', 'COMPLETED', 'FAILED', 'BLOCKED']);
  const user = random.pick([null, ...USERS, 'nobody']);
  const query = new URLSearchParams({ page: String(random.integer(1, 4)), per_page: '7' });
  if (status !== null) query.set('status', status);
  if (user !== null) query.set('user_id', user);
  const end = random.pick([null, null, 'LEASE_EXPIRED', 'STOPPED']);
  if (end !== null) query.set('end_reason', end);
  if (random.chance(0.2)) query.set('idle', 'true');
  return `/v1/runs/?${query}`;
}

// ── Credentials and keys ───────────────────────────────────────────────────────────────────────────────────────────

function keyable({ random, serial }: CommandContext, request: NaiveRequest): NaiveRequest {
  return random.chance(KEYED) ? { ...request, idempotencyKey: `key-${serial}` } : request;
}

const anyCredential = (context: CommandContext) =>
  context.random.chance(0.5) ? machine(context) : person(context);

/** An active key if there is one; sometimes a revoked one. */
export function machine({ random, account }: CommandContext): string {
  const { keys } = account.workspace;
  const active = keys.filter(({ isActive }) => isActive);
  const isStale = random.chance(STALE_CREDENTIAL);
  const choice: readonly NaiveKey[] = active.length === 0 || isStale ? keys : active;
  return random.pick(choice).text;
}

/** The newest token; sometimes one from before a change of password. */
export function person({ random, account }: CommandContext): string {
  const isStale = account.oldTokens.length > 0 && random.chance(STALE_CREDENTIAL);
  return isStale ? random.pick(account.oldTokens) : account.token;
}
