/**
 * What a thousand slow connections cost the others: the p99 of agents at a fixed rate, with them and without them, in
 * turns, medians.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiClient } from '../server/test/support/api-client.js';
import { startServiceProcess } from '../server/test/support/service-process.js';
import { openSlowConnections } from '../server/test/support/slow-connections.js';
import { generateLoad, percentile } from './load-client.js';

const COUNTS = { idle: 320, 'slow headers': 320, 'slow body': 320, 'replies not read': 40 };
const SLOW_CONNECTIONS = 1_000;
const TURNS = 5;
const SECONDS = 5;
/** Opening and closing them is work for both sides; what counts is what they cost while they are there. */
const SETTLE_SECONDS = 3;
const CONNECTIONS = 16;
/** Well below what the service can do: what is measured is waiting, not capacity. */
const RATE = 300;
const GOAL = 2;

test('p99 of others with a thousand slow connections', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guarded-runs-bench-'));
  const service = await startServiceProcess({
    DATABASE_URL: `sqlite:${join(folder, 'bench.db')}`,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'warn',
  });
  const account = { email: 'bench@example.com', password: 'benchmark' };
  const { body } = await new ApiClient(service.url, null).post('/v1/auth/register', account);
  await new ApiClient(service.url, body.api_key).patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 });
  const p99 = async (seconds = SECONDS) => {
    const port = Number(new URL(service.url).port);
    const load = { port, connections: CONNECTIONS, seconds, rate: RATE, apiKeys: [body.api_key] };
    const result = await generateLoad(load);
    expect(result.failures).toBe(0);
    return percentile(result, 0.99);
  };

  const alone: number[] = [];
  const crowded: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    await p99(SETTLE_SECONDS);
    alone.push(await p99());
    const slow = await openSlowConnections({
      url: service.url,
      apiKey: body.api_key,
      counts: COUNTS,
      dripEveryMs: 1_000,
    });
    await p99(SETTLE_SECONDS);
    crowded.push(await p99());
    expect(slow.openCount()).toBe(SLOW_CONNECTIONS);
    slow.close();
  }
  console.log(
    `  alone    p99 ${median(alone).toFixed(1)} ms (${alone.map((ms) => ms.toFixed(1)).join(', ')})`,
  );
  console.log(
    `  crowded  p99 ${median(crowded).toFixed(1)} ms (${crowded.map((ms) => ms.toFixed(1)).join(', ')})`,
  );
  console.log(
    `  ratio of the medians, ${SLOW_CONNECTIONS} slow connections: ${(median(crowded) / median(alone)).toFixed(2)} (goal at most ${GOAL})`,
  );
  await service.stop('SIGTERM');
  await rm(folder, { recursive: true });
});

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
