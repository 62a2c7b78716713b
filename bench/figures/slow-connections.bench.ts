/**
 * The effect of a thousand slow connections on other clients: the p99 of agents at a fixed rate, with and without them, in
 * turns, medians.
 */

import { expect, test } from 'vitest';
import { campaignSize } from '../../server/test/support/campaign.js';
import { openSlowConnections } from '../../server/test/support/slow-connections.js';
import { median, recordFigure } from '../figure.js';
import { generateLoad, percentile } from '../load-client.js';
import { newSqliteDatabase, startService } from '../subjects.js';

const COUNTS = {
  idle: 310,
  'slow headers': 310,
  'slow body': 310,
  'invalid chunks of an upgrade': 30,
  'replies not read': 40,
};
const SLOW_CONNECTIONS = 1_000;
const TURNS = 5;
const SECONDS = campaignSize({ short: 2, full: 6 });
/** Opening and closing them is work for both sides; only their cost while open is measured. */
const SETTLE_SECONDS = campaignSize({ short: 1, full: 3 });
const CONNECTIONS = 16;
/** Well below the capacity of the service: this measures waiting. */
const RATE = 1_000;
const GOAL = 2;

test('p99 of others with a thousand slow connections', async (context) => {
  const { name, url: databaseUrl } = await newSqliteDatabase();
  const service = await startService({ name, databaseUrl, workspaces: 1 });
  const [apiKey = ''] = service.apiKeys;
  const p99 = async (seconds: number) => {
    const load = { port: service.port, connections: CONNECTIONS, seconds, rate: RATE, apiKeys: [apiKey] };
    return percentile(await generateLoad(load), 0.99);
  };

  const alone: number[] = [];
  const crowded: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    await p99(SETTLE_SECONDS);
    alone.push(await p99(SECONDS));
    const slow = await openSlowConnections({
      url: service.url,
      apiKey,
      counts: COUNTS,
      dripEveryMs: 1_000,
    });
    await p99(SETTLE_SECONDS);
    crowded.push(await p99(SECONDS));
    expect(slow.openCount()).toBe(SLOW_CONNECTIONS);
    slow.close();
  }
  recordFigure(context, {
    name: 'p99 with 1,000 slow connections ÷ without',
    value: median(crowded) / median(alone),
    goal: { atMost: GOAL },
    behind: `${median(crowded).toFixed(2)} ms with them, ${median(alone).toFixed(2)} ms without, at ${RATE} requests/s`,
    samples: { 'with them, ms': crowded, 'without, ms': alone },
  });
});
