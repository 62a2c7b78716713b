/** No request may cause a 500, an undocumented status, or a reply that violates its schema. */

import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { openApiDocument } from '../../src/http/openapi.js';
import { setPrice, startRun } from '../support/agent.js';
import { isEventStream } from '../support/api-client.js';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { addMember } from '../support/members.js';
import { exchangeRaw, unpack } from '../support/raw-http.js';
import { testStore } from '../support/test-database.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { FuzzTenant } from './fuzz-tenant.js';
import { STORABLE_TEXTS } from './hostile-values.js';
import { type OpenApiDocument, type Operation, operationsOf } from './operations.js';
import { type FuzzReply, ReplyOracle } from './reply-oracle.js';
import { type FuzzRequest, RequestGenerator } from './request-generator.js';

const REQUESTS = campaignSize({ short: 5_000, full: 200_000 });
const PARALLEL = 8;
/** A tenant is replaced after some requests: its own settings end up denying everything. */
const REQUESTS_PER_TENANT = 400;
/** A longer wait for an answer counts as a hanging connection. */
const HANG_MS = 20_000;
const MAX_PROBLEMS = 5;
/** How many more requests the operations get that have not succeeded by chance. */
const MAX_EXTRA_REQUESTS = 500;
const HOUR_MS = 3_600_000;

/** Password hashing is slow by design, also of a new tenant: these are sent less often, and rarely when there are many requests. */
const SLOW_OPERATIONS = new Set(['register', 'login', 'changePassword', 'resetPassword', 'logOutEverywhere']);
const SLOW_SHARE = campaignSize({ short: 0.2, full: 0.03 });

let service: TestService;
const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });
beforeAll(async () => {
  service = await startTestService({
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'error',
    JWT_TTL_SECONDS: '31536000',
  });
});
afterAll(async () => {
  agent.destroy();
  await service.stop();
});

test('no generated request gets a 5xx, an undocumented status, a reply that violates its schema, or no reply', async () => {
  const seed = campaignSeed('fuzz');
  const campaign = new Campaign(openApiDocument(service.app.server) as unknown as OpenApiDocument);
  const begun = performance.now();
  const players = Array.from({ length: PARALLEL }, (_, index) =>
    campaign.play({
      random: new SeededRandom(seed + index),
      name: `player-${index}`,
      requests: Math.ceil(REQUESTS / PARALLEL),
    }),
  );
  await Promise.all(players);
  await campaign.playMissing(new SeededRandom(seed + PARALLEL));
  campaign.report((performance.now() - begun) / 1_000);
  expect(campaign.problems.join('\n\n')).toBe('');
  expect(campaign.operationsWithoutSuccess()).toEqual([]);
  expect(service.logs()).toBe('');
  expect((await service.app.store.maintenance.verify()).differences).toEqual([]);
}, 3_600_000);

class Campaign {
  readonly problems: string[] = [];
  readonly #operations: readonly Operation[];
  readonly #components: OpenApiDocument['components']['schemas'];
  readonly #oracle: ReplyOracle;
  readonly #statuses = new Map<string, number>();
  readonly #successes = new Map<string, number>();
  readonly #foreignIds: string[] = [];
  #sent = 0;
  #tricks = 0;
  #unanswered = 0;
  #tenants = 0;

  constructor(document: OpenApiDocument) {
    this.#operations = operationsOf(document);
    this.#components = document.components.schemas;
    this.#oracle = new ReplyOracle(document);
  }

  /** One client sends one request after the other, so that a seed always makes the same requests. */
  async play(given: {
    random: SeededRandom;
    name: string;
    requests: number;
    operations?: readonly Operation[];
  }): Promise<void> {
    const { random, name, requests, operations = this.#operations } = given;
    const generator = new RequestGenerator({
      random,
      name,
      components: this.#components,
      foreignIds: this.#foreignIds,
    });
    let tenant = await this.#newTenant();
    let age = 0;
    for (let sent = 0; sent < requests && this.problems.length < MAX_PROBLEMS; sent += 1) {
      const request = generator.request(pickOperation(random, operations), tenant);
      const reply = await this.#send(request, tenant);
      age += 1;
      const isDead = request.trick === null && request.isAuthentic && reply?.status === 401;
      if (age >= REQUESTS_PER_TENANT || (isDead && !(await revived(tenant)))) {
        tenant = await this.#newTenant();
        age = 0;
      }
      // After too many failed sign-ins, wait until the throttle ends.
      if (reply?.status === 429) service.clock.advance(HOUR_MS);
    }
  }

  /** Requests for the operations that have not succeeded yet, and what makes the things they need. */
  async playMissing(random: SeededRandom): Promise<void> {
    const missing = this.operationsWithoutSuccess();
    if (missing.length === 0) return;
    const needed = new Set([...missing, 'startRun', 'createStep', 'createApiKey', 'inviteMember']);
    await this.play({
      random,
      name: 'player-missing',
      requests: MAX_EXTRA_REQUESTS,
      operations: this.#operations.filter(({ name }) => needed.has(name)),
    });
  }

  operationsWithoutSuccess(): string[] {
    return this.#operations.map(({ name }) => name).filter((name) => !this.#successes.has(name));
  }

  report(seconds: number): void {
    const rarest = [...this.#successes].sort(([, left], [, right]) => left - right)[0];
    const successes = [...this.#successes.values()].reduce((sum, count) => sum + count, 0);
    reportCampaign(`fuzz on ${testStore()}`, {
      requests: this.#sent,
      ...Object.fromEntries([...this.#statuses].sort(([left], [right]) => left.localeCompare(right))),
      'share of 2xx': `${((100 * successes) / this.#sent).toFixed(0)} %`,
      operations: this.#operations.length,
      'fewest 2xx': `${rarest?.[1]} (${rarest?.[0]})`,
      'bent on the wire': this.#tricks,
      'ended without an answer': this.#unanswered,
      tenants: this.#tenants,
      seconds: seconds.toFixed(0),
    });
  }

  async #newTenant(): Promise<FuzzTenant> {
    this.#tenants += 1;
    const registered = await service.register();
    const member = { email: `member-of-${registered.email}`, role: 'admin' } as const;
    const tenant = new FuzzTenant(registered, [(await addMember(registered.person, member)).id]);
    this.#foreignIds.push(registered.workspaceId, (await startRun(registered.machine)).id);
    if (this.#foreignIds.length > 20) this.#foreignIds.splice(0, 2);
    return tenant;
  }

  /** The last reply; null when the connection ended without one, which only modified requests may cause. */
  async #send(request: FuzzRequest, tenant: FuzzTenant): Promise<FuzzReply | null> {
    const operation = request.trick?.isOther === true ? null : request.operation;
    let last: FuzzReply | null = null;
    this.#sent += 1;
    if (request.trick !== null) this.#tricks += 1;
    try {
      const isPlain = request.trick === null || request.operation.name === STREAM;
      const replies = isPlain ? [await send(request)] : await sendBent(request);
      if (replies.length === 0) this.#unanswered += 1;
      for (const [index, reply] of replies.entries()) {
        this.#count(reply.status);
        const problem = this.#oracle.problemOf(index === 0 ? operation : null, reply);
        if (problem !== null)
          this.problems.push(
            `${describe(request)}\n→ ${reply.status} ${reply.text.slice(0, 300)}\n${problem}`,
          );
        if (index > 0 || operation === null) continue;
        tenant.learn({ operation, path: request.path, sentBody: request.body, reply });
        if (reply.status < 300)
          this.#successes.set(operation.name, (this.#successes.get(operation.name) ?? 0) + 1);
        last = reply;
      }
    } catch (error) {
      this.problems.push(`${describe(request)}\n→ ${String(error)}`);
    }
    return last;
  }

  #count(status: number): void {
    const statusClass = `${Math.floor(status / 100)}xx`;
    this.#statuses.set(statusClass, (this.#statuses.get(statusClass) ?? 0) + 1);
  }
}

test('accepted hostile text is stored and returned unchanged, in every field of text', async () => {
  await Promise.all(
    STORABLE_TEXTS.map((text, index) => expectStoredUnchanged(text, `literal-${index}@example.com`)),
  );
  expect((await service.app.store.maintenance.verify()).differences).toEqual([]);
}, 120_000);

async function expectStoredUnchanged(text: string, email: string): Promise<void> {
  const registered = await service.anonymous.post('/v1/auth/register', {
    email,
    password: `${text}12345678`,
    name: text,
    workspace_name: text,
  });
  expect(registered.status).toBe(201);
  expect(registered.body.user.name).toBe(text);
  const machine = service.anonymous.withCredential(registered.body.api_key);
  const person = service.anonymous.withCredential(registered.body.access_token);

  expect((await person.get('/v1/auth/me')).body.name).toBe(text);
  expect((await person.get('/v1/workspace/')).body.name).toBe(text);
  expect((await person.patch('/v1/workspace/', { name: `${text}!`.slice(-255) })).status).toBe(200);
  expect((await person.patch('/v1/workspace/', { name: text })).body.name).toBe(text);
  expect((await machine.get('/v1/workspace/')).body.name).toBe(text);
  const signedIn = await service.anonymous.post('/v1/auth/login', {
    email,
    password: `${text}12345678`,
  });
  expect(signedIn.status).toBe(200);

  await setPrice(machine, { model: text, input: 0.5 });
  expect((await person.get('/v1/model-pricing/')).body).toMatchObject([{ model: text }]);
  expect((await person.post('/v1/api-keys/', { label: text })).body.label).toBe(text);
  expect((await person.get('/v1/api-keys/')).body).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ label: text })]),
  );

  const metadata = JSON.parse(JSON.stringify({ [text]: [text, { nested: text }] }));
  const run = await machine.post('/v1/runs/', { user_id: text, metadata });
  expect(run.status).toBe(201);
  const step = await machine.post(`/v1/runs/${run.body.id}/steps`, {
    type: 'TOOL_CALL',
    sequence: 1,
    model: text,
    tool_name: text,
    input_data: { text, [text]: text },
  });
  await machine.patch(`/v1/runs/${run.body.id}/steps/${step.body.id}`, {
    status: 'FAILED',
    prompt_tokens: 2,
    error: text,
    output_data: { [text]: text },
  });
  const detail = await person.get(`/v1/runs/${run.body.id}`);
  expect(detail.body).toMatchObject({ user_id: text, metadata, total_cost_usd: 1 });
  expect(detail.body.steps[0]).toMatchObject({
    model: text,
    tool_name: text,
    input_data: { text },
    error: text,
  });
  expect(Object.keys(detail.body.steps[0].input_data)).toContain(text);
  expect(Object.keys(detail.body.steps[0].output_data)).toEqual([text]);

  const list = await person.get(`/v1/runs/?user_id=${encodeURIComponent(text)}`);
  expect(list.body.items).toMatchObject([{ id: run.body.id, user_id: text }]);
  const path = `/v1/users/${encodeURIComponent(text)}`;
  expect((await person.post(`${path}/block`)).body).toMatchObject({ user_id: text, blocked: true });
  expect((await person.get('/v1/users/')).body.items).toMatchObject([{ user_id: text, blocked: true }]);
  expect((await person.post(`${path}/unblock`)).body).toMatchObject({ user_id: text, blocked: false });
  const named = { user_id: text };
  expect((await person.post('/v1/users/block', named)).body).toMatchObject({ ...named, blocked: true });
  expect((await person.post('/v1/users/unblock', named)).body).toMatchObject({ ...named, blocked: false });
  expect((await person.get('/v1/usage/summary')).body).toMatchObject({
    by_model: [{ model: text, total_usd: 1 }],
    by_user: [{ user_id: text, total_usd: 1 }],
  });
}

function pickOperation(random: SeededRandom, operations: readonly Operation[]): Operation {
  for (;;) {
    const operation = random.pick(operations);
    if (!SLOW_OPERATIONS.has(operation.name) || random.chance(SLOW_SHARE)) return operation;
  }
}

/** Gives a tenant that has ended its sessions a new token, and one that has revoked its key a new key; false when it cannot. */
async function revived(tenant: FuzzTenant): Promise<boolean> {
  const { email, password } = tenant;
  const signedIn = await service.anonymous.post('/v1/auth/login', { email, password });
  if (signedIn.status !== 200) return false;
  tenant.token = signedIn.body.access_token;
  const created = await service.anonymous.withCredential(tenant.token).post('/v1/api-keys/');
  if (created.status !== 201) return false;
  tenant.apiKey = created.body.key;
  return true;
}

/** Does not end by itself, so a reply to a bent request would be waited for in vain. */
const STREAM = 'streamEvents';

function send({ operation, path, headers, body }: FuzzRequest): Promise<FuzzReply> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      `${service.url}${path}`,
      {
        method: operation.method,
        agent,
        timeout: HANG_MS,
        headers: { ...headers, ...(body === null ? {} : { 'content-length': body.length }) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        const end = () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: unpack(Buffer.concat(chunks), response.headers['content-encoding']).toString(),
          });
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (!isEventStream(response.headers['content-type'])) return;
          end();
          outgoing.destroy();
        });
        response.on('end', end);
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('The connection hangs')));
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

async function sendBent({ operation, path, headers, body, trick }: FuzzRequest): Promise<FuzzReply[]> {
  if (trick === null) return [];
  const bytes = trick.bytes({
    method: operation.method,
    path,
    headers: Object.entries(headers),
    body: body ?? Buffer.alloc(0),
  });
  const { replies } = await exchangeRaw(service.url, bytes, {
    timeoutMs: HANG_MS,
    // Node.js does not report invalid chunks of a request to upgrade, which then lasts until its time is up.
    isCut: trick.isCut === true || (headers['upgrade'] !== undefined && bytes.includes('transfer-encoding')),
  });
  return replies.map((reply) => ({
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    text: Buffer.from(reply.text, 'latin1').toString(),
  }));
}

function describe({ operation, path, headers, body, trick }: FuzzRequest): string {
  const head = `${operation.method} ${path.slice(0, 300)}${trick === null ? '' : ` (${trick.name})`}`;
  return `${head}\n${JSON.stringify({ ...headers, authorization: undefined })}\n${body?.toString().slice(0, 600) ?? ''}`;
}
