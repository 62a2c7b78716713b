/** Reads during changes are consistent: totals are always the sum of the parts that are shown with them. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { campaignSize } from '../support/campaign.js';
import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/test-service.js';

const READS = campaignSize({ short: 20, full: 200 });
/** A run grows while it is read, and each read takes longer than the one before: then comes another run. */
const READS_PER_RUN = 4;
const TIMEOUT_MS = campaignSize({ short: 120_000, full: 1_800_000 });
const STEPS = 40;
const AGENTS = 8;

let service: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await service.register({ plan: 'enterprise' });
  const { machine } = tenant;
  expectStatus(await machine.patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 }), 200);
  for (const model of ['a', 'b', 'c'])
    expectStatus(
      await machine.put(`/v1/model-pricing/${model}`, { input_cost_per_token: 1, output_cost_per_token: 0 }),
      200,
    );
});
afterAll(() => service.stop());

/** Each agent creates and reports one step after the other, until the reader is done. */
async function work(runIds: readonly string[], isOver: () => boolean): Promise<void> {
  const { machine } = tenant;
  let count = 0;
  const agent = async () => {
    while (!isOver()) {
      const number = count++;
      const path = `/v1/runs/${runIds[number % runIds.length]}/steps`;
      const model = ['a', 'b', 'c'][number % 3];
      // Random order: a step created later may come first in the list.
      const sequence = 1 + ((number * 7) % STEPS);
      const { id } = expectStatus(
        await machine.post(path, { type: 'MODEL_CALL', sequence, model }),
        201,
      ).body;
      const report = { status: 'COMPLETED', prompt_tokens: 1 + (number % 5), completion_tokens: 1 };
      expectStatus(await machine.patch(`${path}/${id}`, report), 200);
    }
  };
  await Promise.all(Array.from({ length: AGENTS }, agent));
}

async function readWhileWorking(
  runIds: readonly string[],
  read: () => Promise<void>,
  reads = READS,
): Promise<void> {
  let isOver = false;
  const working = work(runIds, () => isOver);
  try {
    for (let count = 0; count < reads; count += 1) await read();
  } finally {
    isOver = true;
    await working;
  }
}

const startRun = async () =>
  expectStatus(await tenant.machine.post('/v1/runs/', { user_id: `user-${Math.random()}` }), 201).body
    .id as string;

test(
  'the totals of a run are the sum of its steps, even while it changes',
  async () => {
    let unreported = 0;
    const read = async (runId: string) => {
      const { body } = expectStatus(await tenant.machine.get(`/v1/runs/${runId}`), 200);
      const sum = (read: (step: Record<string, number | null>) => number | null | undefined) =>
        body.steps.reduce(
          (total: number, step: Record<string, number | null>) => total + (read(step) ?? 0),
          0,
        );
      expect(
        sum(({ prompt_tokens }) => prompt_tokens) + sum(({ completion_tokens }) => completion_tokens),
      ).toBe(body.total_tokens);
      expect(sum(({ cost_usd }) => cost_usd)).toBe(body.total_cost_usd);
      for (const step of body.steps) {
        const isReported = step.prompt_tokens !== null;
        expect([step.status, step.cost_usd !== null]).toEqual([
          isReported ? 'COMPLETED' : 'ALLOWED',
          isReported,
        ]);
        if (!isReported) unreported += 1;
      }
    };
    for (let count = 0; count < READS; count += READS_PER_RUN) {
      const runId = await startRun();
      await readWhileWorking([runId], () => read(runId), READS_PER_RUN);
    }
    // Without steps in flight the test would show nothing.
    expect(unreported).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

test(
  'the totals of a summary are the sum of its models and of its users',
  async () => {
    const runIds = await Promise.all(Array.from({ length: 5 }, startRun));
    await readWhileWorking(runIds, async () => {
      const { body } = expectStatus(await tenant.machine.get('/v1/usage/summary'), 200);
      const sum = (items: readonly Record<string, number>[], field: string) =>
        items.reduce((total, item) => total + (item[field] ?? 0), 0);
      expect(sum(body.by_model, 'total_usd')).toBe(body.last_30_days.total_usd);
      expect(sum(body.by_user, 'total_usd')).toBe(body.last_30_days.total_usd);
      expect(sum(body.by_user, 'run_count')).toBe(body.last_30_days.run_count);
      expect(sum(body.by_model, 'prompt_tokens') + sum(body.by_model, 'completion_tokens')).toBe(
        body.last_30_days.total_tokens,
      );
    });
  },
  TIMEOUT_MS,
);

test(
  'the totals of a day are the sum of its models',
  async () => {
    await readWhileWorking([await startRun()], async () => {
      const { body } = expectStatus(await tenant.machine.get('/v1/usage/daily?days=2'), 200);
      for (const day of body) {
        const models: readonly { total_usd: number }[] = day.by_model;
        expect(models.reduce((total, { total_usd }) => total + total_usd, 0)).toBe(day.total_usd);
      }
    });
  },
  TIMEOUT_MS,
);
