/** With holds, parallel agents never spend more than the budget, although agents and the service are killed. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { openStore } from '../../src/store/open-store.js';
import { BudgetRace } from '../support/budget-race.js';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { registerLoadWorkspace } from '../support/load-workspace.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';

const ROUNDS = campaignSize({ short: 6, full: 1_000 });
const KILLED_SHARE = 0.3;
const ROUND_MS = 300;

let folder: string;
let service: ServiceProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-budget-'));
});
afterAll(async () => {
  await service.stop('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

test(`in ${ROUNDS} rounds of 50 agents with holds, the budget is never exceeded`, async () => {
  const random = new SeededRandom(campaignSeed('budget race'));
  const databaseUrl = `sqlite:${join(folder, 'race.db')}`;
  const environment = { DATABASE_URL: databaseUrl, DEFAULT_PLAN: 'enterprise', LOG_LEVEL: 'fatal' };
  service = await startServiceProcess(environment);
  const store = await openStore({ databaseUrl });
  const { apiKey, workspaceId } = await registerLoadWorkspace(service.url);
  const race = new BudgetRace({ urls: () => [service.url], apiKey, workspaceId, random });
  await race.prepare();
  let kills = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await race.round(store, async () => {
      if (!random.chance(KILLED_SHARE)) return;
      kills += 1;
      await pause(random.next() * ROUND_MS);
      await service.stop('SIGKILL');
      service = await startServiceProcess(environment);
    });
  }
  expect((await store.maintenance.verify()).differences).toEqual([]);
  await store.close();
  expect(race.figures.denied).toBeGreaterThan(0);
  reportCampaign('budget race', { ...race.figures, kills });
}, 3_600_000);
