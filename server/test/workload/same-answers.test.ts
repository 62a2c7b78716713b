/** A seed always gives the same requests, and the same answers except for ids and secrets, on both stores. */

import { expect, test } from 'vitest';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { type TestStore, testStore } from '../support/test-database.js';
import { startTestService } from '../support/test-service.js';
import { WORKLOAD_TTL_SECONDS, Workload } from './workload.js';
import { burstOfStarts } from './workload-bursts.js';
import { loop } from './workload-loops.js';

const OPERATIONS = campaignSize({ short: 600, full: 5_000 });
const BURST_EVERY = 100;

test(`a seed gives the same answers on SQLite ${testStore() === 'sqlite' ? 'again' : 'and on PostgreSQL'}`, async () => {
  const seed = campaignSeed('same answers');
  const first = await answersOf(seed, 'sqlite');
  const second = await answersOf(seed, testStore());
  const difference = first.lines.findIndex((line, index) => line !== second.lines[index]);
  expect(second.lines[difference], `TEST_SEED=${seed}, answer ${difference}`).toBe(first.lines[difference]);
  expect(second.lines.length).toBe(first.lines.length);
  expect(second.value).toBe(first.value);
  expect(first.lines.length).toBeGreaterThan(OPERATIONS);
  reportCampaign('same answers', { answers: first.lines.length, digest: first.value });
}, 3_600_000);

test('another seed gives other answers', async () => {
  const [first, second] = [await answersOf(1, testStore()), await answersOf(2, testStore())];
  expect(second.value).not.toBe(first.value);
}, 3_600_000);

async function answersOf(seed: number, store: TestStore) {
  const environment = { JWT_TTL_SECONDS: String(WORKLOAD_TTL_SECONDS), LOG_LEVEL: 'error' };
  const service = await startTestService(environment, { store });
  try {
    const workload = new Workload({ service, seed, operations: OPERATIONS, keepsLines: true });
    await workload.run(async (operation) => {
      if (operation % BURST_EVERY === 50) await burstOfStarts(workload, await workload.readyAccount());
      if (operation % BURST_EVERY === 0) await loop(workload, await workload.readyAccount());
    });
    return workload.digest;
  } finally {
    await service.stop();
  }
}
