import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { ApiClient } from './api-client.js';
import { campaignSize } from './campaign.js';

const ASK_EVERY_MS = 20;
/** In a short run the machine may be busy with other tests. */
const WITHIN_MS = campaignSize({ short: 30_000, full: 5_000 });

/** Starts runs on each instance until all of them have allowed one; returns how long that took. */
export async function expectRecovery(given: { urls: readonly string[]; apiKey: string }): Promise<number> {
  const begun = performance.now();
  for (const url of given.urls) {
    const client = new ApiClient(url, given.apiKey);
    while ((await client.post('/v1/runs/', { user_id: 'probe' })).status !== 201) {
      expect(performance.now() - begun).toBeLessThan(WITHIN_MS);
      await pause(ASK_EVERY_MS);
    }
  }
  return performance.now() - begun;
}
