/**
 * Agents of every integration, against a service that is restarted, slowed, cut off and answers 502 at random: every token that
 * the provider billed is in the ledger exactly once, no run is left running, and no denied call has reached the provider.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../../server/src/cli/seeded-random.js';
import { ApiClient } from '../../../server/test/support/api-client.js';
import {
  campaignSeed,
  campaignSize,
  isFullSize,
  reportCampaign,
} from '../../../server/test/support/campaign.js';
import {
  runCommandAsync,
  type ServiceProcess,
  startServiceProcess,
} from '../../../server/test/support/service-process.js';
import { expectStatus } from '../../../server/test/support/test-service.js';
import { denialIn, GuardedRuns, GuardUnavailableError, type ReportError } from '../src/index.js';
import { everyIntegration } from './support/every-integration.js';
import { type Fault, type FaultyProxy, startFaultyProxy } from './support/faulty-proxy.js';
import { type ProviderStandIn, startProvider, TOKENS } from './support/provider-stand-in.js';

const SECONDS = campaignSize({ short: 15, full: 600 });
/** A short run may share its machine with anything: a start of the service can take longer than reports wait. */
const MAX_RESTARTS = campaignSize({ short: 1, full: Number.POSITIVE_INFINITY });
const TIMEOUT_MS = campaignSize({ short: 10_000, full: 1_000 });
const AGENTS_PER_INTEGRATION = 2;
const STEPS_PER_RUN = 4;
const MODEL = 'chaos-model';
const LEASE_SECONDS = 30;
/** Between restarts. A start of the service takes about a second. */
const RESTART_EVERY_MS: readonly [number, number] = [2_000, 6_000];
const FAULT_SHARE = 0.15;
const FAULTS: readonly Fault[] = [
  'cut',
  'lose-reply',
  { status: 502 },
  { status: 504 },
  { status: 503 },
  { delayMs: 300 },
];
/** Each user can make some calls, and is then denied. 11 × 0.000002 + 7 × 0.00001 each. */
const USER_BUDGET_USD = 0.000_092 * 8;
const PRICE = { inputCostPerToken: 0.000_002, outputCostPerToken: 0.000_01 };

let folder: string;
let environment: Record<string, string>;
let service: ServiceProcess;
let proxy: FaultyProxy;
let provider: ProviderStandIn;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-chaos-'));
  environment = {
    DATABASE_URL: `sqlite:${join(folder, 'chaos.db')}`,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'error',
  };
  service = await startServiceProcess(environment);
  environment['PORT'] = new URL(service.url).port;
  [proxy, provider] = await Promise.all([startFaultyProxy(service.url), startProvider()]);
});
afterAll(async () => {
  await Promise.all([service.stop('SIGTERM'), proxy.stop(), provider.stop()]);
  await rm(folder, { recursive: true, force: true });
});

test('every billed token is in the ledger once, no run is left running, and no denied call reached the provider', async () => {
  const random = new SeededRandom(campaignSeed('chaos'));
  const account = { email: 'chaos@example.com', password: 'correct horse' };
  const anonymous = new ApiClient(service.url, null);
  const { api_key: apiKey } = expectStatus(await anonymous.post('/v1/auth/register', account), 201).body;
  const operator = new GuardedRuns({ baseUrl: service.url, apiKey });
  await operator.prices.put(MODEL, PRICE);
  await operator.workspace.update({ userDailyBudgetUsd: USER_BUDGET_USD, maxConcurrentRuns: 1_000 });

  const lost: ReportError[] = [];
  const guard = new GuardedRuns({
    baseUrl: proxy.url,
    apiKey,
    leaseSeconds: LEASE_SECONDS,
    timeoutMs: TIMEOUT_MS,
    hold: 'off',
    onReportError: (error) => lost.push(error),
  });
  const figures = { calls: 0, denied: 0, unavailable: 0, restarts: 0 };
  const denied = new Set<string>();
  const endsAt = performance.now() + SECONDS * 1_000;
  const isOver = () => performance.now() >= endsAt;
  proxy.nextFault = () => (random.chance(FAULT_SHARE) && !isOver() ? random.pick(FAULTS) : null);

  const agents = Object.entries(everyIntegration(provider.url, MODEL)).flatMap(([name, call]) =>
    Array.from({ length: AGENTS_PER_INTEGRATION }, async (_, agent) => {
      for (let round = 0; !isOver(); round += 1) {
        const userId = `${name} ${agent} ${Math.floor(round / 10)}`;
        const work = async () => {
          for (let step = 0; step < STEPS_PER_RUN && !isOver(); step += 1) {
            const text = `call ${userId} ${round} ${step}`;
            await call(text).catch((error: unknown) => {
              if (denialIn(error) !== null) denied.add(text);
              throw error;
            });
            figures.calls += 1;
          }
        };
        await guard.run({ userId }, work).catch((error: unknown) => {
          if (denialIn(error) !== null) figures.denied += 1;
          else if (isUnavailable(error)) figures.unavailable += 1;
          else throw error;
        });
      }
    }),
  );
  const restarts = (async () => {
    for (;;) {
      await pause(random.between(...RESTART_EVERY_MS));
      if (isOver() || figures.restarts >= MAX_RESTARTS) return;
      await service.stop(random.chance(0.5) ? 'SIGKILL' : 'SIGTERM');
      service = await startServiceProcess(environment);
      figures.restarts += 1;
    }
  })();
  await Promise.all([...agents, restarts]);
  await guard.flush({ timeoutMs: 60_000 });

  expect(lost).toEqual([]);
  const running = async () => {
    const open: unknown[] = [];
    for await (const run of operator.runs.all({ status: 'RUNNING' })) open.push(run);
    return open;
  };
  await expect.poll(running, { timeout: (LEASE_SECONDS + 10) * 1_000, interval: 500 }).toEqual([]);
  let tokens = 0;
  for await (const { totalTokens } of operator.runs.all()) tokens += totalTokens;
  const texts = provider.requests.map(({ body }) => JSON.stringify(body));
  reportCampaign('chaos', { ...figures, 'billed calls': texts.length, tokens });
  expect(tokens).toBe(texts.length * (TOKENS.prompt + TOKENS.completion));
  expect([...denied].filter((text) => texts.some((sent) => sent.includes(`${text}"`)))).toEqual([]);
  if (isFullSize) expect(figures.denied).toBeGreaterThan(0);
  expect(figures.restarts).toBeGreaterThan(0);
  await service.stop('SIGTERM');
  const verified = await runCommandAsync(['verify'], environment);
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^0 differences/)]);
}, 3_600_000);

/** Frameworks wrap it, as they wrap a denial. */
function isUnavailable(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 10; cause = cause.cause, depth += 1) {
    if (cause instanceof GuardUnavailableError) return true;
  }
  return false;
}
