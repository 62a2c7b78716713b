/** What the provider bills is in the ledger exactly once, and never more than the budget, whatever happens to the calls. */

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { ApiClient } from '../support/api-client.js';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase, testStore } from '../support/test-database.js';
import { expectStatus } from '../support/test-service.js';
import {
  BEHAVIOUR_HEADER,
  type Behaviour,
  type Bill,
  CALL_ID_HEADER,
  PROMPT_TOKENS,
  type ProviderStandIn,
  startProvider,
} from './support/provider-stand-in.js';

const SESSIONS = campaignSize({ short: 200, full: 1_000 });
const CALLS = campaignSize({ short: 200, full: 5_000 });
const MODEL = 'exact-model';
/** In thousandths of a dollar. */
const PRICE = { prompt: 1, completion: 10 };
const MAX_TOKENS = 20;

let database: TestDatabase;
let provider: ProviderStandIn;
let service: ServiceProcess;
let environment: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase(testStore());
  provider = await startProvider({ keepsRequests: false });
  environment = {
    DATABASE_URL: database.url,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'fatal',
    REGISTRATIONS_PER_HOUR: '10000',
    DATABASE_TIMEOUT_MS: '30000',
    GATEWAY_OPENAI_URL: provider.url,
    GATEWAY_ANTHROPIC_URL: provider.url,
    GATEWAY_OPENAI_API_KEY: 'sk-openai',
    GATEWAY_ANTHROPIC_API_KEY: 'sk-anthropic',
  };
  service = await startServiceProcess(environment);
});
afterAll(async () => {
  await service.stop('SIGKILL');
  await provider.stop();
  await database.drop();
});

async function register(settings: object): Promise<string> {
  const email = `exact-${Math.random()}@example.com`;
  const anonymous = new ApiClient(service.url, null);
  const { body } = expectStatus(
    await anonymous.post('/v1/auth/register', { email, password: 'a password' }),
    201,
  );
  const machine = new ApiClient(service.url, body.api_key);
  expectStatus(
    await machine.patch('/v1/workspace/', {
      max_concurrent_runs: 1_000_000,
      require_holds: true,
      ...settings,
    }),
    200,
  );
  const price = {
    input_cost_per_token: PRICE.prompt / 1_000,
    output_cost_per_token: PRICE.completion / 1_000,
  };
  expectStatus(await machine.put(`/v1/model-pricing/${MODEL}`, price), 200);
  return body.api_key;
}

interface Call {
  readonly id: string;
  readonly provider: 'openai' | 'anthropic';
  readonly behaviour: Behaviour;
  readonly isStream: boolean;
  readonly headers?: Record<string, string>;
  /** When the client leaves. */
  readonly leavesAfterMs?: number | undefined;
}

/** The status; null if the answer did not arrive as a whole. */
async function send(apiKey: string, call: Call): Promise<number | null> {
  const path = call.provider === 'openai' ? 'openai/v1/chat/completions' : 'anthropic/v1/messages';
  const signal = call.leavesAfterMs === undefined ? null : AbortSignal.timeout(call.leavesAfterMs);
  try {
    const response = await fetch(`${service.url}/gateway/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        [BEHAVIOUR_HEADER]: JSON.stringify(call.behaviour),
        [CALL_ID_HEADER]: call.id,
        'x-guarded-user': call.id,
        ...call.headers,
      },
      body: JSON.stringify({
        model: MODEL,
        max_tokens: MAX_TOKENS,
        stream: call.isStream,
        messages: [{ role: 'user', content: 'Hi' }],
      }),
      signal,
    });
    await response.text();
    return response.status;
  } catch {
    return null;
  }
}

const costOf = ({ promptTokens, completionTokens }: Pick<Bill, 'promptTokens' | 'completionTokens'>) =>
  promptTokens * PRICE.prompt + completionTokens * PRICE.completion;

const billed = (bills: readonly Bill[]) => bills.reduce((sum, bill) => sum + costOf(bill), 0);

test(`${SESSIONS} sessions at once never spend more than the budget, and all that was billed is in the ledger`, async () => {
  const budget = 10_000;
  const apiKey = await register({ daily_budget_usd: budget / 1_000 });
  provider.bills.length = 0;
  const statuses = await Promise.all(
    Array.from({ length: SESSIONS }, async (_, index) => {
      const call: Call = {
        id: `user-${index % 17}`,
        provider: index % 2 === 0 ? 'openai' : 'anthropic',
        behaviour: { tokens: 1 + (index % MAX_TOKENS) },
        isStream: index % 3 === 0,
        headers: { 'x-guarded-session': `session ${index}` },
      };
      return [await send(apiKey, call), await send(apiKey, call)];
    }),
  );
  const count = (status: number) => statuses.flat().filter((given) => given === status).length;
  expect(count(200) + count(402)).toBe(2 * SESSIONS);
  expect(count(402)).toBeGreaterThan(0);
  expect(provider.bills).toHaveLength(count(200));
  expect(billed(provider.bills)).toBeLessThanOrEqual(budget);
  const machine = new ApiClient(service.url, apiKey);
  const { body: usage } = await machine.get('/v1/usage/summary');
  expect(usage.today.total_usd).toBe(billed(provider.bills) / 1_000);
  expect(usage.held_usd).toBe(0);
  reportCampaign('sessions at a budget', {
    allowed: count(200),
    denied: count(402),
    billed: billed(provider.bills),
  });
});

test(`of ${CALLS} calls whose clients leave, whose providers break and whose service is killed, each bill is in the ledger once`, async () => {
  const random = new SeededRandom(campaignSeed('gateway'));
  const apiKey = await register({});
  provider.bills.length = 0;
  const answered = new Map<string, number | null>();
  let kills = 0;
  const width = 25;
  for (let at = 0; at < CALLS; at += width) {
    const round = Array.from({ length: width }, (_, index) => randomCall(`call-${at + index}`, random));
    const sending = round.map(async (call) => answered.set(call.id, await send(apiKey, call)));
    if (random.chance(0.25)) {
      kills += 1;
      await pause(50 + random.next() * 250);
      await service.stop('SIGKILL');
      await Promise.all(sending);
      service = await startServiceProcess(environment);
    }
    await Promise.all(sending);
  }
  const machine = new ApiClient(service.url, apiKey);
  // Calls whose clients have left are settled a moment later.
  const isSettled = async (callId: string) => (await stepsOf(machine, callId)).length <= 1;
  const bills = new Map(provider.bills.map((bill) => [bill.callId ?? '', bill]));
  expect(bills.size).toBe(provider.bills.length);
  let stated = 0;
  let estimated = 0;
  let held = 0;
  for (const [callId, status] of answered) {
    expect(await isSettled(callId)).toBe(true);
    const bill = bills.get(callId);
    const [step] = await stepsOf(machine, callId);
    if (bill === undefined) continue;
    if (step === undefined) throw new Error(`${callId} was billed, and is not in the ledger`);
    const cost = Math.round((step.cost_usd ?? 0) * 1_000);
    if (step.status === 'ALLOWED') {
      // The service was killed: what is held is charged when the lease of the run ends.
      held += 1;
      expect(Math.round((step.hold_usd ?? 0) * 1_000)).toBeGreaterThanOrEqual(costOf(bill));
      expect(status).not.toBe(200);
    } else if (step.cost_source === 'estimated') {
      estimated += 1;
      expect(cost).toBeGreaterThanOrEqual(costOf(bill));
    } else {
      stated += 1;
      expect([callId, cost]).toEqual([callId, costOf(bill)]);
    }
    if (status === 200) expect([step.status, cost]).toEqual(['COMPLETED', costOf(bill)]);
  }
  expect(stated).toBeGreaterThan(0);
  expect(estimated).toBeGreaterThan(0);
  reportCampaign('gateway', { calls: CALLS, kills, billed: bills.size, stated, estimated, held });
}, 3_600_000);

function randomCall(id: string, random: SeededRandom): Call {
  const tokens = 1 + Math.floor(random.next() * MAX_TOKENS);
  const behaviour: Behaviour = random.chance(0.5)
    ? { tokens }
    : {
        tokens,
        ...random.pick([
          { resets: true },
          { cutAfter: 3 },
          { pauseMs: 5 },
          { status: 500 },
          { pieceBytes: 5 },
        ]),
      };
  return {
    id,
    provider: random.chance(0.5) ? 'openai' : 'anthropic',
    isStream: random.chance(0.6),
    behaviour,
    leavesAfterMs: random.chance(0.2) ? 1 + Math.floor(random.next() * 60) : undefined,
  };
}

interface ShownStep {
  readonly status: string;
  readonly cost_usd: number | null;
  readonly cost_source: string | null;
  readonly hold_usd: number | null;
}

async function stepsOf(machine: ApiClient, userId: string): Promise<ShownStep[]> {
  const { items } = expectStatus(await machine.get(`/v1/runs/?user_id=${userId}`), 200).body;
  const steps: ShownStep[] = [];
  for (const { id } of items)
    steps.push(...expectStatus(await machine.get(`/v1/runs/${id}`), 200).body.steps);
  return steps;
}

// The prompt of the stand-in is no more than the bytes of the request: the hold is a bound.
expect(PROMPT_TOKENS).toBeLessThan(40);
