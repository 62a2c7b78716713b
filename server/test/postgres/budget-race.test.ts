/** With holds, parallel agents on four instances never spend more than the budget, although anything may be killed. */

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { openStore } from '../../src/store/open-store.js';
import type { Store } from '../../src/store/store.js';
import { BudgetRace } from '../support/budget-race.js';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { registerLoadWorkspace } from '../support/load-workspace.js';
import { PostgresServer } from '../support/postgres-server.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { expectRecovery } from '../support/service-recovery.js';
import { createPostgresDatabase } from '../support/test-database.js';

const ROUNDS = campaignSize({ short: 5, full: 1_000 });
const INSTANCES = 4;
const ROUND_MS = 400;

let server: PostgresServer;
let environment: Record<string, string>;
let instances: ServiceProcess[];
let store: Store;

beforeAll(async () => {
  server = await PostgresServer.start();
  const { url } = await createPostgresDatabase(server.url);
  environment = { DATABASE_URL: url, DEFAULT_PLAN: 'enterprise', LOG_LEVEL: 'fatal', DATABASE_POOL_MAX: '6' };
  instances = await Promise.all(Array.from({ length: INSTANCES }, () => startServiceProcess(environment)));
  store = await openStore({ databaseUrl: url, poolMax: 4, timeoutMs: 30_000 });
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop('SIGTERM')));
  await store.close();
  await server.stop();
});

test(`in ${ROUNDS} rounds of 50 agents on ${INSTANCES} instances, the budget is never exceeded`, async () => {
  const random = new SeededRandom(campaignSeed('budget race across instances'));
  const urls = () => instances.map(({ url }) => url);
  const { apiKey, workspaceId } = await registerLoadWorkspace(urls()[0] ?? '');
  const race = new BudgetRace({ urls, apiKey, workspaceId, random });
  await race.prepare();
  const kills = { 'killed instances': 0, 'killed databases': 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    await race.round(store, async () => {
      const fate = random.next();
      await pause(random.next() * ROUND_MS);
      if (fate < 0.25) {
        kills['killed instances'] += 1;
        const victim = instances.shift();
        const replacement = startServiceProcess(environment);
        await victim?.stop('SIGKILL');
        instances.push(await replacement);
      } else if (fate < 0.4) {
        kills['killed databases'] += 1;
        await server.kill();
        await server.resume();
        await expectRecovery({ urls: urls(), apiKey });
      }
    });
  }
  expect((await store.maintenance.verify()).differences).toEqual([]);
  expect(race.figures.denied).toBeGreaterThan(0);
  reportCampaign('budget race across instances', { ...race.figures, ...kills });
}, 3_600_000);
