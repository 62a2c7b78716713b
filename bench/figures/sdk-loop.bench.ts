/**
 * An agent of ten steps with the TypeScript SDK, far from the service: reports that travel with the next request, compared
 * with a request for each, as the SDK sent them before.
 */

import { GuardedRuns } from '@guarded-runs/sdk';
import { expect, onTestFinished, test } from 'vitest';
import { campaignSize } from '../../server/test/support/campaign.js';
import { FaultProxy } from '../../server/test/support/fault-proxy.js';
import { median, medianRatio, recordFigure } from '../figure.js';
import { inTurns } from '../in-turns.js';
import { newSqliteDatabase, startService, verifyStore } from '../subjects.js';

const STEPS = 10;
const ONE_WAY_MS = 20;
const WARM_UP_ROUNDS = 1;
const ROUNDS = campaignSize({ short: 3, full: 15 });
/** Ten requests instead of 20, and 12 instead of 22 with the start and the end. The rest is noise. */
const GOALS = { steps: 0.52, 'start, steps and end': 0.57 };
const ANSWER = { usage: { prompt_tokens: 11, completion_tokens: 7 } };

test('a loop of ten steps', async (context) => {
  const { url } = await newSqliteDatabase();
  const service = await startService({ name: 'SQLite', databaseUrl: url });
  const proxy = await FaultProxy.start({ host: '127.0.0.1', port: service.port });
  onTestFinished(() => proxy.stop());
  proxy.begin({ kind: 'latency', latencyMs: ONE_WAY_MS });
  const guard = new GuardedRuns({
    baseUrl: `http://127.0.0.1:${proxy.port}`,
    apiKey: service.apiKeys[0] ?? '',
    onReportError: ({ error }) => expect.unreachable(String(error)),
  });
  const measured = await inTurns({
    subjects: ['with the next request', 'a request each'] as const,
    rounds: WARM_UP_ROUNDS + ROUNDS,
    measure: async (way) => {
      const begunAt = performance.now();
      const run = await guard.start({ userId: 'bench' });
      const startedAt = performance.now();
      for (let step = 0; step < STEPS; step += 1) {
        await run.modelCall({ model: 'gpt-4o', call: async () => ANSWER });
        if (way === 'a request each') await guard.flush();
      }
      const steps = performance.now() - startedAt;
      await run.end();
      return { steps, 'start, steps and end': performance.now() - begunAt };
    },
  });
  for (const part of ['steps', 'start, steps and end'] as const) {
    const [carried = [], separate = []] = [...measured.values()].map((times) =>
      times.slice(WARM_UP_ROUNDS).map((time) => time[part]),
    );
    recordFigure(context, {
      name: `a loop of ${STEPS} steps with the SDK, ${part}: reports with the next request ÷ a request each`,
      value: medianRatio(carried, separate),
      goal: { atMost: GOALS[part] },
      behind: `${median(carried).toFixed(0)} ms; ${median(separate).toFixed(0)} ms; ${2 * ONE_WAY_MS} ms from and to the service`,
      samples: { 'with the next request, ms': carried, 'a request each, ms': separate },
    });
  }
  await service.stop();
  await verifyStore(url);
});
