/** Instances and the database are killed under load: every acknowledged write is present, and the counters are right. */

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { openStore } from '../../src/store/open-store.js';
import type { Store } from '../../src/store/store.js';
import { AcknowledgedLoad } from '../support/acknowledged-load.js';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { type LoadWorkspace, registerLoadWorkspace } from '../support/load-workspace.js';
import { PostgresServer } from '../support/postgres-server.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { expectRecovery } from '../support/service-recovery.js';
import { createPostgresDatabase } from '../support/test-database.js';

const INSTANCE_KILLS = campaignSize({ short: 2, full: 100 });
const DATABASE_KILLS = campaignSize({ short: 2, full: 50 });
const CLIENTS = 16;
const LOAD_MS = 800;
const AWAY_MS = 200;

let server: PostgresServer;
let environment: Record<string, string>;
let instances: ServiceProcess[];
let store: Store;
let workspace: LoadWorkspace;

beforeAll(async () => {
  server = await PostgresServer.start();
  const { url } = await createPostgresDatabase(server.url);
  environment = { DATABASE_URL: url, DEFAULT_PLAN: 'enterprise', LOG_LEVEL: 'fatal' };
  instances = await Promise.all([startServiceProcess(environment), startServiceProcess(environment)]);
  store = await openStore({ databaseUrl: url, poolMax: 4, timeoutMs: 30_000 });
  workspace = await registerLoadWorkspace(urls()[0] ?? '');
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop('SIGTERM')));
  await store.close();
  await server.stop();
});

test(`${INSTANCE_KILLS} killed instances lose and repeat nothing`, async () => {
  const { load, random } = startLoad('killed instances');
  for (let kill = 0; kill < INSTANCE_KILLS; kill += 1) {
    await randomMoment(random);
    const victim = instances.shift();
    const replacement = startServiceProcess(environment);
    await victim?.stop('SIGKILL');
    await expectConsistent(load);
    instances.push(await replacement);
  }
  await finish('killed instances', { load, kills: INSTANCE_KILLS });
}, 3_600_000);

test(`${DATABASE_KILLS} killed databases lose and repeat nothing, and instances recover without a restart`, async () => {
  const { load, random } = startLoad('killed databases');
  let slowestReturnMs = 0;
  for (let kill = 0; kill < DATABASE_KILLS; kill += 1) {
    await randomMoment(random);
    await server.kill();
    await pause(random.between(0, AWAY_MS));
    await server.resume();
    const recoveryMs = await expectRecovery({
      urls: urls(),
      apiKey: workspace.apiKey,
    });
    slowestReturnMs = Math.max(slowestReturnMs, recoveryMs);
    await expectConsistent(load);
  }
  await finish('killed databases', { load, kills: DATABASE_KILLS, slowestReturnMs });
}, 3_600_000);

function urls(): string[] {
  return instances.map(({ url }) => url);
}

function startLoad(name: string): { load: AcknowledgedLoad; random: SeededRandom } {
  const seed = campaignSeed(name);
  const { apiKey } = workspace;
  const load = new AcknowledgedLoad({ urls, apiKey, clients: CLIENTS, seed, keyedShare: 0.5 });
  return { load, random: new SeededRandom(seed) };
}

/** Mostly a short time, sometimes a long one. */
async function randomMoment(random: SeededRandom): Promise<void> {
  await pause(random.next() ** 2 * LOAD_MS);
}

/** While the load continues. */
async function expectConsistent(load: AcknowledgedLoad): Promise<void> {
  await load.expectStored(store, workspace.workspaceId);
  expect((await store.maintenance.verify()).differences).toEqual([]);
}

async function finish(
  name: string,
  { load, kills, slowestReturnMs }: { load: AcknowledgedLoad; kills: number; slowestReturnMs?: number },
): Promise<void> {
  await load.stop();
  const { runs } = await load.expectAllStored(store, workspace.workspaceId);
  expect((await store.maintenance.verify()).differences).toEqual([]);
  expect(runs).toBeGreaterThan(0);
  reportCampaign(name, {
    kills,
    'acknowledged writes': load.acknowledgedCount,
    'refused with 503': load.refusedCount,
    'retries with a key': load.retriedCount,
    'runs looked up': runs,
    ...(slowestReturnMs === undefined ? {} : { 'slowest return in ms': slowestReturnMs.toFixed(0) }),
  });
}
