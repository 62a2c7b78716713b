/** Instances and the database itself are killed under load: what was acknowledged is there, and the counters agree. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.js';
import type { Store } from '../../src/store/store.js';
import { AcknowledgedLoad } from '../support/acknowledged-load.js';
import { ApiClient } from '../support/api-client.js';
import { campaignSize } from '../support/campaign.js';
import { PostgresServer } from '../support/postgres-server.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { createPostgresDatabase } from '../support/test-database.js';
import { expectStatus } from '../support/test-service.js';

const INSTANCE_KILLS = campaignSize({ short: 2, full: 20 });
const DATABASE_KILLS = campaignSize({ short: 2, full: 10 });
const CLIENTS = 8;
const LOAD_MS = 400;
const RESUME_WITHIN_MS = 5_000;

let server: PostgresServer;
let environment: Record<string, string>;
let instances: ServiceProcess[];
let store: Store;
let workspaceId: string;
let apiKey: string;

beforeAll(async () => {
  server = await PostgresServer.start();
  const { url } = await createPostgresDatabase(server.url);
  environment = { DATABASE_URL: url, DEFAULT_PLAN: 'enterprise', LOG_LEVEL: 'fatal' };
  instances = await Promise.all([startServiceProcess(environment), startServiceProcess(environment)]);
  store = await openStore({ databaseUrl: url, poolMax: 2, timeoutMs: 5_000 });
  const { body } = expectStatus(
    await new ApiClient(urls()[0] ?? '', null).post('/v1/auth/register', {
      email: 'ada@example.com',
      password: 'correct horse',
    }),
    201,
  );
  workspaceId = body.workspace.id;
  apiKey = body.api_key;
  await store.workspaces.change(workspaceId, (found) => ({ ...found, maxConcurrentRuns: 1_000_000 }));
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop('SIGTERM')));
  await store.close();
  await server.stop();
});

test(`${INSTANCE_KILLS} killed instances lose and repeat nothing`, async () => {
  const load = new AcknowledgedLoad({ urls, apiKey, clients: CLIENTS });
  for (let kill = 0; kill < INSTANCE_KILLS; kill += 1) {
    await pause(LOAD_MS);
    const victim = instances.shift();
    const replacement = startServiceProcess(environment);
    await victim?.stop('SIGKILL');
    instances.push(await replacement);
  }
  await load.stop();
  await expectConsistent(load);
}, 600_000);

test(`${DATABASE_KILLS} killed databases lose and repeat nothing, and instances go on without a restart`, async () => {
  const load = new AcknowledgedLoad({ urls, apiKey, clients: CLIENTS });
  for (let kill = 0; kill < DATABASE_KILLS; kill += 1) {
    await pause(LOAD_MS);
    await server.kill();
    await pause(LOAD_MS / 4);
    await server.resume();
    await expectService();
  }
  await load.stop();
  await expectConsistent(load);
}, 600_000);

function urls(): string[] {
  return instances.map(({ url }) => url);
}

async function expectConsistent(load: AcknowledgedLoad): Promise<void> {
  expect(load.acknowledgedCount).toBeGreaterThan(0);
  await load.expectStored(store, workspaceId);
  expect((await store.maintenance.verify()).differences).toEqual([]);
}

async function expectService(): Promise<void> {
  const begun = performance.now();
  for (const url of urls()) {
    const client = new ApiClient(url, apiKey);
    while ((await client.post('/v1/runs/', { user_id: 'probe' })).status !== 201) {
      expect(performance.now() - begun).toBeLessThan(RESUME_WITHIN_MS);
      await pause(20);
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
