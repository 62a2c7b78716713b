/** The guarantees of every integration, tested with the real package of the framework and a provider stand-in. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GuardedRun, StepDenied } from '../../src/index.js';
import { type FakeGuard, startFakeGuard } from '../support/fake-guard.js';
import { type GuardFixture, MODEL, startGuard } from '../support/guard-fixture.js';
import {
  ANSWER,
  BROKEN_MODEL,
  CUT_OFF_MODEL,
  type ProviderStandIn,
  STALLED_MODEL,
  startProvider,
  TOKENS,
} from '../support/provider-stand-in.js';

export interface Call {
  readonly run: GuardedRun;
  readonly provider: ProviderStandIn;
  readonly model: string;
}

export interface Integration {
  readonly name: string;
  /** Makes one model call and returns its text. */
  generate(call: Call): Promise<string>;
  /** Makes one streamed model call, reads it to its end and returns the texts of its chunks. */
  stream?(call: Call): Promise<string[]>;
  /** Reads the first chunk of a stalled stream and stops. */
  abandon?(call: Call): Promise<void>;
}

/** 11 × 0.000002 + 7 × 0.00001 */
const COST_USD = 0.000_092;

const PARTS = {
  prompt_tokens: TOKENS.prompt,
  completion_tokens: TOKENS.completion,
  cache_read_tokens: TOKENS.cacheRead,
  cache_write_tokens: TOKENS.cacheWrite,
  reasoning_tokens: TOKENS.reasoning,
};
/** The prompt of every call is short, and the first chunks have some text. */
const ESTIMATE = {
  status: 'FAILED',
  prompt_tokens: expect.any(Number),
  completion_tokens: expect.any(Number),
  estimated: true,
};

export function describeIntegration(integration: Integration): void {
  const { name, generate, stream, abandon } = integration;
  describe(name, () => {
    let fixture: GuardFixture;
    let provider: ProviderStandIn;
    beforeAll(async () => {
      [fixture, provider] = await Promise.all([startGuard(), startProvider()]);
    });
    afterAll(() => Promise.all([fixture.stop(), provider.stop()]));

    describe('reports', () => {
      let fake: FakeGuard;
      beforeEach(async () => {
        fake = await startFakeGuard();
      });
      afterEach(() => fake.stop());

      test('the parts of the usage, and the payloads if they are recorded', async () => {
        const client = fake.client({ recordPayloads: true });
        await client.run({ userId: 'ada' }, (run) => generate({ run, provider, model: MODEL }));
        expect(fake.reports).toMatchObject([{ status: 'COMPLETED', ...PARTS }]);
        expect(JSON.stringify(fake.steps[0]?.['input_data'])).toContain('Hi');
        expect(JSON.stringify(fake.reports[0]?.['output_data'])).toContain(ANSWER.join(''));
      });

      test('no payload by default', async () => {
        await fake.client().run({ userId: 'ada' }, (run) => generate({ run, provider, model: MODEL }));
        expect(fake.steps).toMatchObject([{ input_data: null }]);
        expect(fake.reports[0]).not.toHaveProperty('output_data');
      });

      test('the message of an error', async () => {
        const outcome = fake
          .client()
          .run({ userId: 'ada' }, (run) => generate({ run, provider, model: BROKEN_MODEL }));
        await expect(outcome).rejects.toThrow();
        expect(fake.reports).toMatchObject([{ status: 'FAILED', error: expect.stringContaining('broken') }]);
      });

      if (stream !== undefined) {
        test('the parts of the usage of a stream', async () => {
          await fake.client().run({ userId: 'ada' }, (run) => stream({ run, provider, model: MODEL }));
          expect(fake.reports).toMatchObject([{ status: 'COMPLETED', ...PARTS }]);
        });

        test('an estimate of a stream that is cut off', async () => {
          const outcome = fake
            .client()
            .run({ userId: 'ada' }, (run) => stream({ run, provider, model: CUT_OFF_MODEL }));
          await expect(outcome).rejects.toThrow();
          expect(fake.reports).toMatchObject([{ ...ESTIMATE, error: expect.any(String) }]);
        });
      }

      if (abandon !== undefined) {
        test('an estimate of a stream that is not read to its end', async () => {
          const client = fake.client();
          await client.run({ userId: 'ada' }, (run) => abandon({ run, provider, model: STALLED_MODEL }));
          await expect
            .poll(() => fake.reports)
            .toMatchObject([{ status: 'FAILED', error: expect.any(String) }]);
          expect(fake.reports[0]?.['prompt_tokens']).toBeGreaterThan(0);
        });
      }
    });

    test('an allowed call is recorded with the parts of its tokens and its cost', async () => {
      const userId = 'allowed';
      const text = await fixture.guard.run({ userId }, (run) => generate({ run, provider, model: MODEL }));
      expect(text).toBe(ANSWER.join(''));
      expect(await fixture.runOf(userId)).toMatchObject({
        status: 'COMPLETED',
        total_cost_usd: COST_USD,
        steps: [recorded('COMPLETED')],
      });
    });

    test('a denied call never reaches the provider', async () => {
      const userId = 'denied';
      const { error, reached } = await denied((run) => generate({ run, provider, model: MODEL }), userId);
      expect(error).toMatchObject({ reason: 'KILL_SWITCH_ACTIVE' });
      expect(reached).toBe(0);
      expect(await fixture.stepsOf(userId)).toMatchObject([{ type: 'MODEL_CALL', status: 'BLOCKED' }]);
    });

    test('a provider error is recorded as FAILED and rethrown', async () => {
      const userId = 'failing';
      const outcome = fixture.guard.run({ userId }, (run) =>
        generate({ run, provider, model: BROKEN_MODEL }),
      );
      await expect(outcome).rejects.toThrow(/broken/);
      expect(await fixture.runOf(userId)).toMatchObject({
        status: 'FAILED',
        steps: [{ type: 'MODEL_CALL', status: 'FAILED', model: BROKEN_MODEL, cost_usd: null }],
      });
    });

    if (stream !== undefined) {
      test('a stream yields every chunk and is recorded with the parts of its tokens and its cost', async () => {
        const userId = 'streaming';
        const texts = await fixture.guard.run({ userId }, (run) => stream({ run, provider, model: MODEL }));
        expect(texts).toEqual(ANSWER);
        expect(await fixture.stepsOf(userId)).toMatchObject([recorded('COMPLETED')]);
      });

      test('a denied stream never reaches the provider', async () => {
        const userId = 'denied-stream';
        const { error, reached } = await denied((run) => stream({ run, provider, model: MODEL }), userId);
        expect(error).toMatchObject({ reason: 'KILL_SWITCH_ACTIVE' });
        expect(reached).toBe(0);
      });

      test('a stream that the provider rejects is recorded as FAILED', async () => {
        const userId = 'refused-stream';
        const outcome = fixture.guard.run({ userId }, (run) =>
          stream({ run, provider, model: BROKEN_MODEL }),
        );
        await expect(outcome).rejects.toThrow();
        expect(await fixture.stepsOf(userId)).toMatchObject([{ status: 'FAILED' }]);
      });

      test('a stream that is cut off is recorded as FAILED', async () => {
        const userId = 'cut-off-stream';
        const outcome = fixture.guard.run({ userId }, (run) =>
          stream({ run, provider, model: CUT_OFF_MODEL }),
        );
        await expect(outcome).rejects.toThrow();
        expect(await fixture.stepsOf(userId)).toMatchObject([{ status: 'FAILED', model: CUT_OFF_MODEL }]);
      });
    }

    if (abandon !== undefined) {
      test('a stream that is not read to its end is recorded as FAILED', async () => {
        const userId = 'abandoning';
        await fixture.guard.run({ userId }, (run) => abandon({ run, provider, model: STALLED_MODEL }));
        // Some frameworks close the provider's stream only after they have returned to the reader.
        const steps = () => fixture.stepsOf(userId);
        await expect.poll(steps).toMatchObject([{ status: 'FAILED', model: STALLED_MODEL }]);
      });
    }

    /** Runs the agent with the kill switch turned on after the run has started. */
    async function denied(agent: (run: GuardedRun) => Promise<unknown>, userId: string) {
      const before = provider.requests.length;
      const run = await fixture.guard.start({ userId });
      await fixture.guard.workspace.setKillSwitch(true);
      try {
        const error = await agent(run).then(() => null, denialIn);
        return { error, reached: provider.requests.length - before };
      } finally {
        await fixture.guard.workspace.setKillSwitch(false);
        await run.end('FAILED');
      }
    }
  });
}

function recorded(status: string) {
  return {
    type: 'MODEL_CALL',
    status,
    sequence: 1,
    model: MODEL,
    ...PARTS,
    cost_usd: COST_USD,
    duration_ms: expect.any(Number),
  };
}

/** Some frameworks wrap errors. */
function denialIn(error: unknown): StepDenied | null {
  if (error instanceof StepDenied) return error;
  return error instanceof Error ? denialIn(error.cause) : null;
}
