/** Faults of the network between the service and PostgreSQL: every answer in time, nothing lost, nothing twice. */

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { openStore } from '../../src/store/open-store.js';
import type { Store } from '../../src/store/store.js';
import { AcknowledgedLoad } from '../support/acknowledged-load.js';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { type Direction, FaultProxy, type NetworkFault } from '../support/fault-proxy.js';
import { type LoadWorkspace, registerLoadWorkspace } from '../support/load-workspace.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { expectRecovery } from '../support/service-recovery.js';
import { createPostgresDatabase, serverUrl, type TestDatabase } from '../support/test-database.js';

const FAULTS = campaignSize({ short: 6, full: 100 });
const CLIENTS = 16;
const DATABASE_TIMEOUT_MS = 500;
/**
 * A write waits for the database up to three times, each with its own timeout: to look up its key, behind the batch in
 * flight, and in its own batch. A busy machine may need a little longer to schedule it.
 */
const ANSWER_WITHIN_MS = 3 * DATABASE_TIMEOUT_MS + campaignSize({ short: 8_000, full: 1_000 });
const FAULT_MS: readonly [number, number] = [100, 1_200];
const REST_MS = 300;
/** A batch has several kilobytes. */
const MAX_BYTES_UNTIL_RESET = 20_000;
const MAX_LATENCY_MS = 300;

let database: TestDatabase;
let proxy: FaultProxy;
let service: ServiceProcess;
/** Without the proxy. */
let store: Store;
let workspace: LoadWorkspace;

beforeAll(async () => {
  database = await createPostgresDatabase(serverUrl());
  const target = new URL(database.url);
  proxy = await FaultProxy.start({ host: target.hostname, port: Number(target.port) });
  target.port = String(proxy.port);
  service = await startServiceProcess({
    DATABASE_URL: target.href,
    DATABASE_TIMEOUT_MS: String(DATABASE_TIMEOUT_MS),
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'fatal',
  });
  store = await openStore({ databaseUrl: database.url, poolMax: 4, timeoutMs: 30_000 });
  workspace = await registerLoadWorkspace(service.url);
});
afterAll(async () => {
  await service.stop('SIGTERM');
  await proxy.stop();
  await store.close();
  await database.drop();
});

test(`${FAULTS} faults of the network to the database: answers in time, 2xx or 503, and one effect per write`, async () => {
  const seed = campaignSeed('fault proxy');
  const random = new SeededRandom(seed);
  const { apiKey, workspaceId } = workspace;
  const urls = () => [service.url];
  const load = new AcknowledgedLoad({ urls, apiKey, clients: CLIENTS, seed, keyedShare: 1 });
  const counts = new Map<string, number>();
  let slowestReturnMs = 0;

  for (let index = 0; index < FAULTS; index += 1) {
    const fault = faultOf(index, random);
    counts.set(fault.kind, (counts.get(fault.kind) ?? 0) + 1);
    await pause(random.between(0, REST_MS));
    proxy.begin(fault);
    await pause(random.between(...FAULT_MS));
    // Delayed bytes arrive late, or their connections are lost.
    if (random.chance(0.5)) proxy.resetAll();
    proxy.end();
    const recoveryMs = await expectRecovery({ urls: urls(), apiKey });
    slowestReturnMs = Math.max(slowestReturnMs, recoveryMs);
    await load.expectStored(store, workspaceId);
    expect((await store.maintenance.verify()).differences).toEqual([]);
  }

  await load.stop();
  const { runs, unansweredStarts } = await load.expectAllStored(store, workspaceId);
  expect(unansweredStarts).toBe(0);
  expect((await store.maintenance.verify()).differences).toEqual([]);
  expect(load.slowestAnswerMs).toBeLessThan(ANSWER_WITHIN_MS);
  expect(load.refusedCount).toBeGreaterThan(0);
  reportCampaign('fault proxy', {
    ...Object.fromEntries(counts),
    'acknowledged writes': load.acknowledgedCount,
    'refused with 503': load.refusedCount,
    'retries with a key': load.retriedCount,
    'runs looked up': runs,
    'slowest answer in ms': load.slowestAnswerMs.toFixed(0),
    'slowest return in ms': slowestReturnMs.toFixed(0),
  });
}, 3_600_000);

/** Each kind in turn, with random parameters. */
function faultOf(index: number, random: SeededRandom): NetworkFault {
  const direction: Direction = random.pick(['to-server', 'to-client'] as const);
  const faults: readonly NetworkFault[] = [
    { kind: 'reset', direction, afterBytes: random.integer(0, MAX_BYTES_UNTIL_RESET) },
    { kind: 'silence', directions: random.chance(0.3) ? ['to-server', 'to-client'] : [direction] },
    { kind: 'latency', latencyMs: random.integer(1, MAX_LATENCY_MS) },
    { kind: 'refuse' },
  ];
  return faults[index % faults.length] ?? { kind: 'refuse' };
}
