/**
 * Whole lives of agents (start, 3 × create and update a step, end) on SQLite with durable commits, against what the
 * framework alone can do with the same routes: in turns, medians.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ApiClient } from '../server/test/support/api-client.js';
import { startServiceProcess } from '../server/test/support/service-process.js';
import { generateLoad, percentile } from './load-client.js';

const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP_SECONDS = 3;

interface Subject {
  readonly name: string;
  readonly port: number;
  readonly apiKeys: readonly string[];
  readonly rates: number[];
  readonly p50: number[];
  stop(): Promise<unknown>;
}

test.each([1, 100])('durable on SQLite against the bare framework, %d workspaces', async (workspaces) => {
  const folder = await mkdtemp(join(tmpdir(), 'guarded-runs-bench-'));
  const subjects = [await startYardstick(), await startService(folder, workspaces)];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const subject of subjects) {
      const seconds = round === 0 ? WARM_UP_SECONDS : SECONDS;
      const result = await generateLoad({ ...subject, connections: CONNECTIONS, seconds });
      expect(result.failures).toBe(0);
      if (round === 0) continue;
      subject.rates.push(result.requests / result.seconds);
      subject.p50.push(percentile(result, 0.5));
    }
  }
  for (const { name, rates, p50 } of subjects) {
    console.log(
      `  ${name.padEnd(10)} ${median(rates).toFixed(0)} requests/s, p50 ${median(p50).toFixed(2)} ms`,
    );
  }
  const [yardstick = Number.NaN, service = Number.NaN] = subjects.map(({ rates }) => median(rates));
  console.log(
    `  ratio of the medians, ${workspaces} workspaces: ${(service / yardstick).toFixed(2)} (goal 0.70)`,
  );
  await Promise.all(subjects.map((subject) => subject.stop()));
  await rm(folder, { recursive: true });
});

async function startYardstick(): Promise<Subject> {
  const script = fileURLToPath(new URL('yardstick-server.js', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(new URL(line.toString().trim()).port);
  return { name: 'yardstick', port, apiKeys: ['none'], rates: [], p50: [], stop: async () => child.kill() };
}

async function startService(folder: string, workspaces: number): Promise<Subject> {
  const service = await startServiceProcess({
    DATABASE_URL: `sqlite:${join(folder, 'bench.db')}`,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'warn',
  });
  const apiKeys: string[] = [];
  for (let index = 0; index < workspaces; index += 1)
    apiKeys.push(await prepareWorkspace(service.url, index));
  const port = Number(new URL(service.url).port);
  return { name: 'sqlite', port, apiKeys, rates: [], p50: [], stop: () => service.stop('SIGTERM') };
}

async function prepareWorkspace(url: string, index: number): Promise<string> {
  const account = { email: `bench-${index}@example.com`, password: 'benchmark' };
  const { body } = await new ApiClient(url, null).post('/v1/auth/register', account);
  const machine = new ApiClient(url, body.api_key);
  await machine.patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 });
  await machine.put('/v1/model-pricing/gpt-4o', {
    input_cost_per_token: 0.0000025,
    output_cost_per_token: 0.00001,
  });
  return body.api_key;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
