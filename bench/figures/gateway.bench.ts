/**
 * What the gateway costs: the time of a call beyond the provider and the two decisions, and its memory. The provider is a local
 * stand-in that answers at once.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished, test } from 'vitest';
import {
  BEHAVIOUR_HEADER,
  type Behaviour,
  type ProviderStandIn,
  startProvider,
} from '../../server/test/gateway/support/provider-stand-in.js';
import { ApiClient } from '../../server/test/support/api-client.js';
import { campaignSize } from '../../server/test/support/campaign.js';
import { expectStatus } from '../../server/test/support/test-service.js';
import { median, recordFigure } from '../figure.js';
import { inTurns } from '../in-turns.js';
import { megabytes, residentMegabytes } from '../process-memory.js';
import { newSqliteDatabase, type Subject, startService, verifyStore } from '../subjects.js';

const MODEL = 'gateway-model';
const ROUNDS = campaignSize({ short: 5, full: 15 });
const CALLS_OF_A_ROUND = campaignSize({ short: 50, full: 200 });
const STREAMS = 1_000;
const STREAM: Behaviour = { tokens: 20, pauseMs: 250 };
const FEW_CALLS = campaignSize({ short: 1_000, full: 10_000 });
const MANY_CALLS = campaignSize({ short: 5_000, full: 100_000 });
const CONNECTIONS = 32;
/** The folder of a Python environment with `litellm[proxy]`; without it, there is no comparison. */
const LITELLM = process.env['BENCH_LITELLM'];

/** LiteLLM does not start without one that is hard to guess. */
const OTHER_KEY = 'sk-5b0e0a1f3c7d49e2a86f4c1d9e7b2a35';

const GOALS = { beyondMs: { atMost: 3 }, peakMegabytes: { atMost: 300 }, growth: { atMost: 1.1 } };

const BODY = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 100 });
const STREAM_BODY = JSON.stringify({ ...JSON.parse(BODY), stream: true });

async function startGuarded(provider: ProviderStandIn): Promise<{ service: Subject; databaseUrl: string }> {
  const { url: databaseUrl } = await newSqliteDatabase();
  const service = await startService({
    name: 'gateway',
    databaseUrl,
    environment: { GATEWAY_OPENAI_URL: provider.url, GATEWAY_OPENAI_API_KEY: 'sk-bench' },
  });
  const machine = new ApiClient(service.url, keyOf(service));
  const price = { input_cost_per_token: 0.000_001, output_cost_per_token: 0.000_001 };
  expectStatus(await machine.put(`/v1/model-pricing/${MODEL}`, price), 200);
  expectStatus(await machine.patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 }), 200);
  return { service, databaseUrl };
}

async function startStandIn(): Promise<ProviderStandIn> {
  const provider = await startProvider({ keepsRequests: false });
  onTestFinished(() => provider.stop());
  return provider;
}

const keyOf = ({ apiKeys }: Subject) => apiKeys[0] ?? '';
const agent = new Agent({ keepAlive: true, maxSockets: STREAMS });

/** Sends a request and reads the answer; returns the milliseconds. */
function send(
  url: string,
  { apiKey, body, behaviour = {} }: { apiKey: string; body: string; behaviour?: Behaviour },
): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent,
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          [BEHAVIOUR_HEADER]: JSON.stringify(behaviour),
        },
      },
      (response) => {
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0 } = response;
          if (statusCode >= 300) reject(new Error(`Status ${statusCode}`));
          else resolve(performance.now() - startedAt);
        });
        response.resume();
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

test('time of a call through the gateway', async (context) => {
  const provider = await startStandIn();
  const { service, databaseUrl } = await startGuarded(provider);
  const apiKey = keyOf(service);
  const machine = new ApiClient(service.url, apiKey);
  const bare = () => send(`${provider.url}/v1/chat/completions`, { apiKey, body: BODY });
  const guarded = () => send(`${service.url}/gateway/openai/v1/chat/completions`, { apiKey, body: BODY });
  /** What an agent that asks by itself waits for before its call. */
  const decisions = async () => {
    const runs = `${service.url}/v1/runs/`;
    const startMs = await send(runs, { apiKey, body: '{"user_id":"bench"}' });
    const { items } = (await machine.get('/v1/runs/?per_page=1')).body;
    const step = JSON.stringify({
      type: 'MODEL_CALL',
      sequence: 1,
      model: MODEL,
      estimated_cost_usd: 0.0001,
    });
    const stepMs = await send(`${runs}${items[0].id}/steps`, { apiKey, body: step });
    await machine.post(`/v1/runs/${items[0].id}/end`, { status: 'COMPLETED' });
    return startMs + stepMs;
  };
  const others = LITELLM === undefined ? [] : [await startLiteLlm(LITELLM, provider)];
  const subjects = [bare, guarded, decisions, ...others];
  const measure = async (subject: () => Promise<number>) => {
    const times: number[] = [];
    for (let call = 0; call < CALLS_OF_A_ROUND; call += 1) times.push(await subject());
    return median(times);
  };
  await inTurns({ subjects, rounds: 1, measure });
  const measured = await inTurns({ subjects, rounds: ROUNDS, measure });
  const [bareMs = [], guardedMs = [], decisionsMs = [], otherMs = []] = subjects.map(
    (subject) => measured.get(subject) ?? [],
  );
  const beyond = guardedMs.map((ms, round) => ms - (bareMs[round] ?? 0) - (decisionsMs[round] ?? 0));
  const show = (name: string, values: readonly number[]) => `${name} ${median(values).toFixed(2)} ms`;
  recordFigure(context, {
    name: 'p50 of a call through the gateway − the provider − two decisions, ms',
    value: median(beyond),
    goal: GOALS.beyondMs,
    behind: [show('gateway', guardedMs), show('provider', bareMs), show('decisions', decisionsMs)].join(', '),
    samples: { gateway: guardedMs, provider: bareMs, decisions: decisionsMs },
  });
  if (otherMs.length > 0)
    recordFigure(context, {
      name: 'p50 of a call through the gateway ÷ through LiteLLM',
      value: median(guardedMs) / median(otherMs),
      goal: null,
      behind: [show('gateway', guardedMs), show('LiteLLM', otherMs)].join(', '),
      samples: { gateway: guardedMs, LiteLLM: otherMs },
    });
  await service.stop();
  await verifyStore(databaseUrl);
});

test('memory of the gateway with streams at once', async (context) => {
  const provider = await startStandIn();
  const { service, databaseUrl } = await startGuarded(provider);
  const url = `${service.url}/gateway/openai/v1/chat/completions`;
  const streams = Array.from({ length: STREAMS }, () =>
    send(url, { apiKey: keyOf(service), body: STREAM_BODY, behaviour: STREAM }),
  );
  await Promise.all(streams);
  recordFigure(context, {
    name: `peak of memory with ${STREAMS} streams through the gateway, MB`,
    value: megabytes(service, 'VmHWM'),
    goal: GOALS.peakMegabytes,
    behind: `${STREAM.tokens} events in each, ${STREAM.pauseMs} ms apart`,
    samples: {},
  });
  await service.stop();
  await verifyStore(databaseUrl);
});

test('growth of the memory of the gateway', async (context) => {
  const provider = await startStandIn();
  const { service, databaseUrl } = await startGuarded(provider);
  const url = `${service.url}/gateway/openai/v1/chat/completions`;
  const sendMany = async (calls: number) => {
    const sendNext = async (index: number) => {
      for (let call = index; call < calls; call += CONNECTIONS)
        await send(url, { apiKey: keyOf(service), body: call % 2 === 0 ? BODY : STREAM_BODY });
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => sendNext(index)));
    provider.bills.length = 0;
  };
  await sendMany(FEW_CALLS);
  const afterFew = await residentMegabytes(service);
  await sendMany(MANY_CALLS - FEW_CALLS);
  const afterMany = await residentMegabytes(service);
  recordFigure(context, {
    name: `memory of the gateway, after ${MANY_CALLS} calls ÷ after ${FEW_CALLS}`,
    value: median(afterMany) / median(afterFew),
    goal: GOALS.growth,
    behind: `${median(afterMany).toFixed(0)} MB, ${median(afterFew).toFixed(0)} MB resident`,
    samples: { 'after many, MB': afterMany, 'after few, MB': afterFew },
  });
  await service.stop();
  await verifyStore(databaseUrl);
});

/** Another gateway in front of the same provider, with its default settings. */
async function startLiteLlm(folder: string, provider: ProviderStandIn): Promise<() => Promise<number>> {
  const home = await mkdtemp(join(tmpdir(), 'guarded-runs-litellm-'));
  const config = {
    model_list: [
      {
        model_name: MODEL,
        litellm_params: { model: `openai/${MODEL}`, api_base: `${provider.url}/v1`, api_key: 'sk-bench' },
      },
    ],
  };
  await writeFile(join(home, 'config.yaml'), JSON.stringify(config));
  const port = await freePort();
  const child = spawn(
    join(folder, 'bin', 'litellm'),
    ['--config', join(home, 'config.yaml'), '--port', String(port), '--host', '127.0.0.1'],
    { stdio: 'ignore', env: { ...process.env, HOME: home, LITELLM_MASTER_KEY: OTHER_KEY } },
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(home, { recursive: true, force: true });
  });
  const call = () => send(`http://127.0.0.1:${port}/v1/chat/completions`, { apiKey: OTHER_KEY, body: BODY });
  for (let attempt = 0; ; attempt += 1) {
    try {
      await call();
      return call;
    } catch (error) {
      if (attempt === 240) throw error;
      await sleep(500);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
