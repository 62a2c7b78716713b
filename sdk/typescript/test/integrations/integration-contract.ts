/** What every integration guarantees, tested with the real package of the framework against the provider stand-in. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GuardedRun, StepDenied } from '../../src/index.js';
import { type GuardFixture, MODEL, startGuard } from '../support/guard-fixture.js';
import {
  ANSWER,
  BROKEN_MODEL,
  FRAIL_MODEL,
  HOLDING_MODEL,
  type ProviderStandIn,
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
  /** One model call; its text. */
  generate(call: Call): Promise<string>;
  /** One streamed model call, read to its end; the text of its chunks. */
  stream?(call: Call): Promise<string[]>;
  /** Reads the first chunk of a stream that stands still, and leaves it. */
  breakOff?(call: Call): Promise<void>;
}

/** 11 × 0.000002 + 7 × 0.00001 */
const COST_USD = 0.000_092;

export function describeIntegration(integration: Integration): void {
  const { name, generate, stream, breakOff } = integration;
  describe(name, () => {
    let fixture: GuardFixture;
    let provider: ProviderStandIn;
    beforeAll(async () => {
      [fixture, provider] = await Promise.all([startGuard(), startProvider()]);
    });
    afterAll(() => Promise.all([fixture.stop(), provider.stop()]));

    test('an allowed call is recorded with its tokens and its cost', async () => {
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

    test('an error of the provider is recorded as FAILED and thrown on', async () => {
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
      test('a stream gives its reader every chunk and is recorded with its tokens and its cost', async () => {
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

      test('a stream that the provider refuses is recorded as FAILED', async () => {
        const userId = 'refused-stream';
        const outcome = fixture.guard.run({ userId }, (run) =>
          stream({ run, provider, model: BROKEN_MODEL }),
        );
        await expect(outcome).rejects.toThrow();
        expect(await fixture.stepsOf(userId)).toMatchObject([{ status: 'FAILED' }]);
      });

      test('a stream that breaks half-way is recorded as FAILED', async () => {
        const userId = 'frail-stream';
        const outcome = fixture.guard.run({ userId }, (run) => stream({ run, provider, model: FRAIL_MODEL }));
        await expect(outcome).rejects.toThrow();
        expect(await fixture.stepsOf(userId)).toMatchObject([{ status: 'FAILED', model: FRAIL_MODEL }]);
      });
    }

    if (breakOff !== undefined) {
      test('a stream that its reader leaves is recorded as FAILED', async () => {
        const userId = 'leaving';
        await fixture.guard.run({ userId }, (run) => breakOff({ run, provider, model: HOLDING_MODEL }));
        // Some frameworks let go of the provider's stream after they have let go of their reader.
        const steps = () => fixture.stepsOf(userId);
        await expect.poll(steps).toMatchObject([{ status: 'FAILED', model: HOLDING_MODEL }]);
      });
    }

    /** The kill switch is turned on while the run is under way. */
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
    prompt_tokens: TOKENS.prompt,
    completion_tokens: TOKENS.completion,
    cost_usd: COST_USD,
    duration_ms: expect.any(Number),
  };
}

/** Some frameworks wrap what is thrown. */
function denialIn(error: unknown): StepDenied | null {
  if (error instanceof StepDenied) return error;
  return error instanceof Error ? denialIn(error.cause) : null;
}
