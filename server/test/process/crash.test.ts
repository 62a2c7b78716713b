/** SIGKILL under load: every acknowledged write is there exactly once, and no counter drifts. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { ApiClient, type ApiReply } from '../support/api-client.js';
import { campaignSeed, campaignSize } from '../support/campaign.js';
import { runCommand, startServiceProcess } from '../support/service-process.js';

const CYCLES = campaignSize({ short: 5, full: 200 });
const CLIENTS = 16;
const PRICE = 0.000_003;

let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-crash-'));
  environment = {
    DATABASE_URL: `sqlite:${join(folder, 'crash.db')}`,
    LOG_LEVEL: 'warn',
    DEFAULT_PLAN: 'enterprise',
  };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the service has acknowledged, by run id. */
interface AcknowledgedRun {
  readonly steps: Map<string, { tokens: number | null }>;
  ended: boolean;
}

test('a process killed under load loses no acknowledged write, and verify finds no difference', async () => {
  const random = new SeededRandom(campaignSeed('crash'));
  const acknowledged = new Map<string, AcknowledgedRun>();
  let apiKey = '';

  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    const service = await startServiceProcess(environment);
    if (cycle === 0) apiKey = await prepareWorkspace(service.url);
    const client = new ApiClient(service.url, apiKey);
    const load = Array.from({ length: CLIENTS }, () => runAgents(client, acknowledged));
    const target = acknowledged.size + random.integer(5, 60);
    await untilAcknowledged(acknowledged, target, load);
    await service.stop('SIGKILL');
    await Promise.all(load);

    const verified = runCommand(['verify'], environment);
    expect(verified.stdout).toContain('0 differences');
    expect(verified.code).toBe(0);
  }

  const service = await startServiceProcess(environment);
  const client = new ApiClient(service.url, apiKey);
  for (const [id, run] of acknowledged) {
    const { body } = await client.get(`/v1/runs/${id}`);
    const found = new Map<string, { prompt_tokens: number | null }>(
      body.steps.map((step: { id: string; prompt_tokens: number | null }) => [step.id, step]),
    );
    expect(found.size).toBe(body.steps.length);
    for (const [stepId, { tokens }] of run.steps) {
      expect(found.has(stepId)).toBe(true);
      if (tokens !== null) expect(found.get(stepId)?.prompt_tokens).toBe(tokens);
    }
    if (run.ended) expect(body.status).toBe('COMPLETED');
  }
  expect(acknowledged.size).toBeGreaterThan(CYCLES * 5);
  expect(await service.stop('SIGTERM')).toBe(0);
}, 3_600_000);

async function prepareWorkspace(url: string): Promise<string> {
  const anonymous = new ApiClient(url, null);
  const { body } = await anonymous.post('/v1/auth/register', {
    email: 'a@example.com',
    password: 'password',
  });
  const client = new ApiClient(url, body.api_key);
  await client.put('/v1/model-pricing/m', { input_cost_per_token: PRICE, output_cost_per_token: PRICE });
  await client.patch('/v1/workspace/', { max_concurrent_runs: 100_000 });
  return body.api_key;
}

/** Runs agents one after the other until the service is gone. */
async function runAgents(client: ApiClient, acknowledged: Map<string, AcknowledgedRun>): Promise<void> {
  try {
    for (;;) {
      const id = created(await client.post('/v1/runs/', { user_id: 'u' }));
      const run: AcknowledgedRun = { steps: new Map(), ended: false };
      acknowledged.set(id, run);
      for (let sequence = 1; sequence <= 3; sequence += 1) {
        const step = created(
          await client.post(`/v1/runs/${id}/steps`, { type: 'MODEL_CALL', sequence, model: 'm' }),
        );
        run.steps.set(step, { tokens: null });
        const tokens = sequence * 10;
        const report = { status: 'COMPLETED', prompt_tokens: tokens };
        await client.patch(`/v1/runs/${id}/steps/${step}`, report);
        run.steps.set(step, { tokens });
      }
      await client.post(`/v1/runs/${id}/end`, { status: 'COMPLETED' });
      run.ended = true;
    }
  } catch (error) {
    // fetch fails with a TypeError when the process is gone; anything else is a finding.
    if (!(error instanceof TypeError)) throw error;
  }
}

function created(reply: ApiReply): string {
  if (reply.status !== 201) throw new Error(`Expected 201, got ${reply.status}: ${reply.text}`);
  return reply.body.id;
}

async function untilAcknowledged(
  acknowledged: ReadonlyMap<string, unknown>,
  target: number,
  load: readonly Promise<void>[],
): Promise<void> {
  const ended = Promise.race(load).then(() => true);
  while (acknowledged.size < target) {
    const over = await Promise.race([
      ended,
      new Promise<false>((resolve) => setImmediate(() => resolve(false))),
    ]);
    if (over) throw new Error('The load ended before the kill');
  }
}
