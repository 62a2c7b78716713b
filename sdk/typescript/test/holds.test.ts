/** Limits and holds without a framework. The rules themselves are those of the service. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigurationError, type HoldOptions, type ModelRequest, StepDenied } from '../src/index.js';
import { estimateTokens, PART_TOKENS } from '../src/usage/estimate-tokens.js';
import { type GuardFixture, MODEL, startGuard } from './support/guard-fixture.js';
import { recordSteps } from './support/record-steps.js';

let fixture: GuardFixture;
beforeAll(async () => {
  fixture = await startGuard();
});
afterAll(() => fixture.stop());

/** 300 bytes: 100 tokens × 0.000002 + 50 × 0.00001. */
const REQUEST: ModelRequest = { texts: ['x'.repeat(300)], maxTokens: 50 };
const HOLD_USD = 0.000_7;
const answer = { usage: { prompt_tokens: 11, completion_tokens: 7 } };

describe('the estimate of', () => {
  const rows: [string, ModelRequest, { estimate: number; bound: number; completion: number }][] = [
    ['nothing', { texts: [] }, { estimate: 0, bound: 0, completion: 4_096 }],
    ['a byte', { texts: ['a'] }, { estimate: 1, bound: 1, completion: 4_096 }],
    ['texts, rounded once', { texts: ['ab', 'cd'] }, { estimate: 2, bound: 4, completion: 4_096 }],
    ['two bytes a character', { texts: ['éé'] }, { estimate: 2, bound: 4, completion: 4_096 }],
    ['three bytes a character', { texts: ['日本語'] }, { estimate: 3, bound: 9, completion: 4_096 }],
    ['four bytes a character', { texts: ['🙂'] }, { estimate: 2, bound: 4, completion: 4_096 }],
    ['half a character', { texts: ['\ud83d'] }, { estimate: 1, bound: 3, completion: 4_096 }],
    ['known tokens', { texts: [], tokens: 5 }, { estimate: 5, bound: 5, completion: 4_096 }],
    ['a limited completion', { texts: [], maxTokens: 7 }, { estimate: 0, bound: 0, completion: 7 }],
    ['no completion', { texts: [], maxTokens: 0 }, { estimate: 0, bound: 0, completion: 0 }],
    ['completions', { texts: [], maxTokens: 7, completions: 3 }, { estimate: 0, bound: 0, completion: 21 }],
    ['an invalid limit', { texts: [], maxTokens: -1 }, { estimate: 0, bound: 0, completion: 4_096 }],
    [
      'parts',
      { texts: ['abc'], images: 2, audio: 1, files: 1 },
      { estimate: 70_001, bound: 70_003, completion: 4_096 },
    ],
  ];

  test.each(rows)('%s', (_, request, expected) => {
    const defaultMaxTokens = 4_096;
    const estimate = estimateTokens(request, { holdBound: 'estimate', defaultMaxTokens });
    const bound = estimateTokens(request, { holdBound: 'bound', defaultMaxTokens });
    expect(estimate).toEqual({ promptTokens: expected.estimate, completionTokens: expected.completion });
    expect(bound).toEqual({ promptTokens: expected.bound, completionTokens: expected.completion });
  });

  test('parts is documented', () => {
    expect(PART_TOKENS).toEqual({ images: 5_000, audio: 10_000, files: 50_000 });
  });
});

describe('the most specific hold wins', () => {
  const tokens = { estimated_prompt_tokens: 100, max_completion_tokens: 50 };
  type Row = { client?: HoldOptions; run?: HoldOptions; step?: HoldOptions['hold']; sends: object };
  const rows: Row[] = [
    { sends: tokens },
    { client: { hold: 'off' }, sends: {} },
    { client: { hold: 0.5 }, sends: { estimated_cost_usd: 0.5 } },
    { client: { hold: 'off' }, run: { hold: 'auto' }, sends: tokens },
    { client: { hold: 0.5 }, run: { hold: 'off' }, sends: {} },
    { run: { hold: 'off' }, step: 'auto', sends: tokens },
    { run: { hold: 0.5 }, step: 0, sends: { estimated_cost_usd: 0 } },
    { step: 'off', sends: {} },
    { step: 0.1 + 0.2, sends: { estimated_cost_usd: 0.3 } },
    { step: 0.000_000_000_001, sends: { estimated_cost_usd: 0.000_000_000_001 } },
    { client: { holdBound: 'bound' }, sends: { ...tokens, estimated_prompt_tokens: 300 } },
    { client: { holdBound: 'bound' }, run: { holdBound: 'estimate' }, sends: tokens },
  ];

  test.each(rows)('%j', async ({ client = {}, run: own = {}, step, sends }) => {
    const recorded = recordSteps();
    const guard = fixture.client({ ...client, fetch: recorded.fetch });
    await guard.run({ userId: 'precise', ...own }, (run) =>
      run.modelCall({ model: MODEL, request: REQUEST, hold: step, call: () => answer }),
    );
    expect(recorded.estimates()).toEqual([sends]);
  });

  test('defaultMaxTokens is for requests without a limit', async () => {
    const recorded = recordSteps();
    const guard = fixture.client({ defaultMaxTokens: 9, fetch: recorded.fetch });
    await guard.run({ userId: 'default' }, (run) =>
      run.modelCall({ model: MODEL, request: { texts: [] }, call: () => answer }),
    );
    expect(recorded.estimates()).toEqual([{ estimated_prompt_tokens: 0, max_completion_tokens: 9 }]);
  });

  test('without a request, a model call holds nothing; a tool holds only its own amount', async () => {
    const recorded = recordSteps();
    const guard = fixture.client({ fetch: recorded.fetch });
    await guard.run({ userId: 'tools' }, async (run) => {
      await run.modelCall({ model: MODEL, call: () => answer });
      await run.toolCall({ name: 'search', call: () => null });
      await run.toolCall({ name: 'search', hold: 0.01, call: () => null });
    });
    await guard.run({ userId: 'tools', hold: 0.5 }, (run) =>
      run.toolCall({ name: 'search', call: () => null }),
    );
    expect(recorded.estimates()).toEqual([{}, {}, { estimated_cost_usd: 0.01 }, {}]);
  });

  test.each([
    { hold: -1 },
    { hold: Number.NaN },
    { hold: 'all' },
    { holdBound: 'none' },
    { defaultMaxTokens: 0.5 },
  ])('%j is a configuration error', async (options) => {
    const invalid = options as HoldOptions;
    expect(() => fixture.client(invalid)).toThrow(ConfigurationError);
    await expect(fixture.guard.start({ userId: 'invalid', ...invalid })).rejects.toThrow(ConfigurationError);
  });

  test('a request is not read if nothing is held', async () => {
    await fixture.guard.run({ userId: 'lazy', hold: 'off' }, (run) =>
      run.modelCall({ model: MODEL, request: () => expect.fail(), call: () => answer }),
    );
  });
});

describe('a hold', () => {
  const limits = { maxCostUsd: 0.002 };

  test('is shown by the step and released by its report', async () => {
    const run = await fixture.guard.start({ userId: 'holding', limits });
    const step = await run.openStep({ type: 'MODEL_CALL', model: MODEL, request: REQUEST });
    expect(step).toMatchObject({ holdUsd: HOLD_USD, remainingUsd: 0.001_3 });
    expect(await fixture.runOf('holding')).toMatchObject({ held_usd: HOLD_USD });
    await step.complete({ promptTokens: 11, completionTokens: 7 });
    expect(await fixture.runOf('holding')).toMatchObject({ held_usd: 0, total_cost_usd: 0.000_092 });
    await run.end();
  });

  test('that does not fit denies the call, and the error says what is left', async () => {
    const run = await fixture.guard.start({ userId: 'large', limits });
    const request = { ...REQUEST, maxTokens: 500 };
    const call = () => expect.fail('must not be called');
    const denied = await run.modelCall({ model: MODEL, request, call }).catch((error: unknown) => error);
    expect(denied).toBeInstanceOf(StepDenied);
    expect(denied).toMatchObject({
      reason: 'RUN_COST_LIMIT_EXCEEDED',
      holdUsd: 0.005_2,
      remainingUsd: 0.002,
    });
    await run.modelCall({ model: MODEL, request: REQUEST, call: () => answer });
    await run.end();
  });

  test('keeps parallel calls within a limit', async () => {
    const run = await fixture.guard.start({ userId: 'parallel', limits });
    let called = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const calls = Array.from({ length: 10 }, () =>
      run.modelCall({
        model: MODEL,
        request: REQUEST,
        call: async () => {
          called += 1;
          await released;
          // As expensive as the estimate says.
          return { usage: { prompt_tokens: 100, completion_tokens: 50 } };
        },
      }),
    );
    const settled = Promise.allSettled(calls);
    await expect.poll(() => called).toBe(2);
    release();
    const denied = (await settled).filter(({ status }) => status === 'rejected');
    expect(denied).toHaveLength(8);
    await run.end();
    expect(await fixture.runOf('parallel')).toMatchObject({ total_cost_usd: 2 * HOLD_USD });
  });

  test('changes no decision without a budget, nor for a model without a price', async () => {
    const run = await fixture.guard.start({ userId: 'unlimited' });
    const request = { texts: [], files: 1_000_000, maxTokens: 1_000_000_000 };
    const priced = await run.openStep({ type: 'MODEL_CALL', model: MODEL, request });
    expect(priced).toMatchObject({ holdUsd: 110_000, remainingUsd: null });
    const unpriced = await run.openStep({ type: 'MODEL_CALL', model: 'unpriced', request });
    expect(unpriced.holdUsd).toBeNull();
    await run.end();
  });
});

test('a workspace that requires holds allows a call with a known request, and denies one without', async () => {
  const { guard } = fixture;
  await guard.workspace.update({ requireHolds: true });
  try {
    await guard.run({ userId: 'required' }, async (run) => {
      await run.modelCall({ model: MODEL, request: REQUEST, call: () => answer });
      const unknown = run.modelCall({ model: MODEL, call: () => expect.fail('must not be called') });
      await expect(unknown).rejects.toMatchObject({ reason: 'HOLD_REQUIRED' });
    });
  } finally {
    await guard.workspace.update({ requireHolds: false });
  }
});

describe('limits', () => {
  test('of the client apply to every run; a run overrides or removes each of them', async () => {
    const guard = fixture.client({ limits: { maxCostUsd: 0.5, maxSteps: 9 } });
    const limitsOf = async (limits?: Parameters<typeof guard.start>[0]['limits']) => {
      await guard.run({ userId: 'limited', limits }, () => {});
      return (await fixture.runOf('limited')).limits;
    };
    const none = { max_cost_usd: null, max_steps: null, max_duration_seconds: null, max_repeats: null };
    expect(await limitsOf()).toEqual({ ...none, max_cost_usd: 0.5, max_steps: 9 });
    expect(await limitsOf({ maxSteps: 2, maxCostUsd: null, maxDurationSeconds: 60, maxRepeats: 3 })).toEqual({
      max_cost_usd: null,
      max_steps: 2,
      max_duration_seconds: 60,
      max_repeats: 3,
    });
    expect(await limitsOf({ maxSteps: undefined })).toMatchObject({ max_steps: 9 });
  });

  test('that are not set are not sent', async () => {
    const recorded = recordSteps();
    const guard = fixture.client({ fetch: recorded.fetch });
    await guard.run({ userId: 'free', limits: { maxSteps: undefined, maxRepeats: null } }, () => {});
    expect(recorded.starts()[0]).not.toHaveProperty('limits');
  });

  test('deny a step with their reason', async () => {
    const { guard } = fixture;
    const look = { name: 'look', inputData: { at: 1 }, call: () => null };
    const run = await guard.start({ userId: 'looping', limits: { maxRepeats: 2 } });
    await run.toolCall(look);
    await run.toolCall(look);
    await expect(run.toolCall(look)).rejects.toMatchObject({
      reason: 'LOOP_DETECTED',
      holdUsd: null,
      remainingUsd: null,
    });
    await run.end();
    const short = await guard.start({ userId: 'looping', limits: { maxSteps: 1 } });
    await short.toolCall(look);
    await expect(short.toolCall(look)).rejects.toMatchObject({ reason: 'RUN_STEP_LIMIT_EXCEEDED' });
    await short.end();
  });
});
