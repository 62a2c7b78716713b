/** Random batches, and random changes between them: the cached facts on SQLite equal the stored ones. */

import { expect, test } from 'vitest';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { openStoreFixture } from '../support/store-fixture.js';
import { Oracle, openAgain } from './fact-cache-oracle.js';
import { Workload } from './fact-cache-workload.js';

const BATCHES = campaignSize({ short: 200, full: 3_000 });

test(`the facts of ${BATCHES} random batches are those that a store without a cache reads`, async () => {
  const seed = campaignSeed('fact cache');
  const fixture = await openStoreFixture('sqlite');
  const second = await openAgain(fixture);
  const oracle = await Oracle.open(fixture);
  try {
    // The second midnight ends the month.
    fixture.clock.set('2026-02-27T20:00:00.000Z');
    const workload = new Workload({ seed, fixture, stores: [fixture.store, second], oracle });
    await workload.begin();
    for (let batch = 0; batch < BATCHES; batch += 1) await workload.commitNext(batch);
    reportCampaign('known facts', { ...workload.figures });
    for (const store of [fixture.store, second])
      expect((await store.maintenance.verify()).differences).toEqual([]);
    // Otherwise the comparison shows nothing.
    expect(workload.figures.undisturbed).toBeGreaterThan(BATCHES / 4);
    expect(workload.figures.answered).toBeGreaterThan(5 * BATCHES);
    expect(workload.figures.refused).toBeGreaterThan(BATCHES);
    expect(workload.figures.failed).toBeGreaterThan(0);
  } finally {
    oracle.close();
    await second.close();
    await fixture.close();
  }
}, 1_800_000);
