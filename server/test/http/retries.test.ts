/**
 * Writes sent several times at once with the same Idempotency-Key over connections that are cut off: one effect, and the
 * same answer on every connection that survives.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { dayOf } from '../../src/domain/period.js';
import { setPrice } from '../support/agent.js';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { expectExactCounters } from '../support/exact-counters.js';
import { RawConnection, type RawReply, rawRequest } from '../support/raw-http.js';
import { listAllSteps } from '../support/run-steps.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

const WRITES = campaignSize({ short: 200, full: 10_000 });
/** A start, a step, its report, the end, and an API key. */
const WRITES_PER_AGENT = 5;
const AGENTS = WRITES / WRITES_PER_AGENT;
/** Agents at work at the same time. */
const CONCURRENT = 8;
const COPIES: readonly [number, number] = [2, 5];
/** After this many rounds no connection is cut off. */
const MAX_CUT_ROUNDS = 5;
const CUT_AFTER_MS = 5;
const MISUSED_SHARE = 0.05;

const CUT_SHARE = 0.5;
/** In the middle of the body, after the request, or shortly later, while it is answered. */
const CUTS = ['in-body', 'after-request', 'before-reply'] as const;
type Fate = 'answered' | (typeof CUTS)[number];

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ DEFAULT_PLAN: 'enterprise', LOG_LEVEL: 'fatal' });
});
afterAll(() => service.stop());

test(`${WRITES} writes, each sent 2 to 5 times at once and often cut, have one effect and one answer each`, async () => {
  const random = new SeededRandom(campaignSeed('retries'));
  const tenant = await service.register();
  await setPrice(tenant.machine, { model: 'm', input: 0.000_003, output: 0.000_007 });
  await tenant.machine.patch('/v1/workspace/', { max_concurrent_runs: AGENTS });
  const campaign = new RetryCampaign(tenant, random);
  await Promise.all(Array.from({ length: CONCURRENT }, () => campaign.runAgents()));

  expect(campaign.acknowledged).toBe(WRITES);
  const { store } = service.app;
  const { workspaceId } = tenant;
  const page = { workspaceId, status: null, userId: null, offset: 0, limit: 1 };
  expect((await store.runs.list(page)).total).toBe(AGENTS);
  expect((await store.runs.list({ ...page, status: 'COMPLETED' })).total).toBe(AGENTS);
  for (const runId of campaign.runIds) {
    expect(await listAllSteps(store, { workspaceId, runId })).toHaveLength(1);
  }
  // The other one is from the registration.
  expect(await store.apiKeys.list(workspaceId, 1_000)).toHaveLength(AGENTS + 1);
  const today = dayOf(service.clock.now());
  const [usage, ...others] = await store.usage.listDays({ workspaceId, from: today, to: today });
  expect(others).toEqual([]);
  expect(usage).toMatchObject({
    runCount: AGENTS,
    promptTokens: campaign.promptTokens,
    completionTokens: campaign.completionTokens,
    costPicoUsd: campaign.promptTokens * 3_000_000n + campaign.completionTokens * 7_000_000n,
  });
  await expectExactCounters(service);
  reportCampaign('retries', {
    writes: campaign.acknowledged,
    'requests sent': campaign.sent,
    cut: campaign.cut,
    'replies compared': campaign.answered,
    'keys misused': campaign.misused,
  });
}, 3_600_000);

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: object;
  readonly status: number;
}

class RetryCampaign {
  readonly #tenant: TestTenant;
  readonly #random: SeededRandom;
  #agents = 0;
  #keys = 0;

  readonly runIds: string[] = [];
  promptTokens = 0n;
  completionTokens = 0n;
  acknowledged = 0;
  sent = 0;
  cut = 0;
  answered = 0;
  misused = 0;

  constructor(tenant: TestTenant, random: SeededRandom) {
    this.#tenant = tenant;
    this.#random = random;
  }

  /** One run after the other, until there were enough. */
  async runAgents(): Promise<void> {
    while (this.#agents < AGENTS) {
      this.#agents += 1;
      await this.#agent(`user-${this.#agents % 10}`);
    }
  }

  async #agent(userId: string): Promise<void> {
    const prompt = this.#random.integer(0, 1_000);
    const completion = this.#random.integer(0, 1_000);
    const run = await this.#post('/v1/runs/', { user_id: userId });
    const steps = `/v1/runs/${run}/steps`;
    const step = await this.#post(steps, { type: 'MODEL_CALL', sequence: 1, model: 'm' });
    const report = { status: 'COMPLETED', prompt_tokens: prompt, completion_tokens: completion };
    await this.#write({ method: 'PATCH', path: `${steps}/${step}`, body: report, status: 200 });
    await this.#post(`/v1/runs/${run}/end`, { status: 'COMPLETED' }, 200);
    await this.#post('/v1/api-keys/', { label: userId });
    this.runIds.push(run);
    this.promptTokens += BigInt(prompt);
    this.completionTokens += BigInt(completion);
  }

  #post(path: string, body: object, status = 201): Promise<string> {
    return this.#write({ method: 'POST', path, body, status });
  }

  /** Sent until one attempt gets the answer; returns the id in it. */
  async #write(write: Write): Promise<string> {
    this.#keys += 1;
    const key = `key ${this.#keys}`;
    const replies: RawReply[] = [];
    for (let round = 0; replies.length === 0; round += 1) {
      const copies = Array.from({ length: this.#random.integer(...COPIES) }, () => this.#fate(round));
      const attempts = await Promise.all(copies.map((fate) => this.#sendOnce({ write, key, fate })));
      for (const reply of attempts) if (reply !== null) replies.push(reply);
    }
    const [first, ...others] = replies.map(({ status, text }) => ({ status, text }));
    expect(first?.status, `${write.method} ${write.path}: ${first?.text}`).toBe(write.status);
    for (const other of others) expect(other).toEqual(first);
    this.answered += replies.length;
    this.acknowledged += 1;
    if (this.#random.chance(MISUSED_SHARE)) await this.#misuse(key);
    return JSON.parse(first?.text ?? '').id;
  }

  #fate(round: number): Fate {
    const isCut = round < MAX_CUT_ROUNDS && this.#random.chance(CUT_SHARE);
    return isCut ? this.#random.pick(CUTS) : 'answered';
  }

  /** The answer, or null if the connection was cut off. */
  async #sendOnce(given: { write: Write; key: string; fate: Fate }): Promise<RawReply | null> {
    const { write, key, fate } = given;
    const { head, body } = this.#request(write, key);
    const connection = new RawConnection(service.url);
    this.sent += 1;
    if (fate !== 'answered') this.cut += 1;
    try {
      const half = body.slice(0, Math.floor(body.length / 2));
      await connection.send(fate === 'in-body' ? head + half : head + body);
      if (fate === 'answered') return await connection.read();
      if (fate === 'before-reply') await pause(this.#random.between(0, CUT_AFTER_MS));
      return null;
    } finally {
      connection.close();
    }
  }

  #request({ method, path, body }: Write, key: string): { head: string; body: string } {
    const text = JSON.stringify(body);
    const head = rawRequest(`${method} ${path} HTTP/1.1`, {
      authorization: `Bearer ${this.#tenant.apiKey}`,
      'content-type': 'application/json',
      'content-length': text.length,
      'idempotency-key': key,
    });
    return { head, body: text };
  }

  /** A different request with a key that has been used. */
  async #misuse(key: string): Promise<void> {
    const another: Write = { method: 'POST', path: '/v1/runs/', body: { user_id: 'thief' }, status: 400 };
    const reply = await this.#sendOnce({ write: another, key, fate: 'answered' });
    expect(reply).toMatchObject({
      status: 400,
      text: JSON.stringify({ detail: 'This Idempotency-Key was used with another request' }),
    });
    this.misused += 1;
  }
}
