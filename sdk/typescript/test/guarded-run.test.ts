import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { denialIn, GuardedRuns, isDenied, RunDenied, StepDenied } from '../src/index.js';
import { type GuardFixture, MODEL, startGuard } from './support/guard-fixture.js';

const CHAT = { usage: { prompt_tokens: 11, completion_tokens: 7 } };

let fixture: GuardFixture;
let guard: GuardedRuns;
beforeAll(async () => {
  fixture = await startGuard();
  guard = fixture.guard;
});
afterAll(() => fixture.stop());

describe('a run', () => {
  test('ends as COMPLETED and returns the result of the function', async () => {
    const result = await guard.run({ userId: 'ada', metadata: { source: 'test' } }, (run) => run.id);
    const run = await fixture.runOf('ada');
    expect(run).toMatchObject({ id: result, status: 'COMPLETED', metadata: { source: 'test' } });
  });

  test('ends as FAILED if the function throws, and rethrows the same error', async () => {
    const failure = new Error('of the agent');
    await expect(guard.run({ userId: 'bob' }, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(await fixture.runOf('bob')).toMatchObject({ status: 'FAILED' });
  });

  test('that is denied throws RunDenied with the reason and the run id, and does not call the function', async () => {
    await guard.users.block('mallory');
    let isCalled = false;
    const outcome = guard.run({ userId: 'mallory' }, () => {
      isCalled = true;
    });
    const error = await outcome.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RunDenied);
    const { id } = await fixture.runOf('mallory');
    expect(error).toMatchObject({ name: 'RunDeniedError', reason: 'USER_BLOCKED', runId: id });
    expect(isCalled).toBe(false);
  });

  test('that is denied by a budget carries the limit, the value, when it resets, and how long to wait', async () => {
    const { apiKey } = await fixture.service.register({ plan: 'enterprise' });
    const client = fixture.client({ apiKey });
    await client.workspace.update({ dailyBudgetUsd: 0.5 });
    const run = await client.start({ userId: 'spender' });
    await run.toolCall({ name: 'search', costUsd: 0.75, call: () => null });
    const denials = [
      await run.toolCall({ name: 'search', call: () => null }).catch(denialIn),
      await client.start({ userId: 'spender' }).catch(denialIn),
    ];
    const dayMs = 24 * 60 * 60 * 1_000;
    const resetsAt = new Date(Math.ceil(fixture.service.clock.now() / dayMs) * dayMs);
    const expected = { limit: 0.5, value: 0.75, resetsAt, retryAfterMs: expect.any(Number) };
    expect(denials).toMatchObject([expected, expected]);
    await client.users.block('spender');
    const blocked = await client.start({ userId: 'spender' }).catch(denialIn);
    expect(blocked).toMatchObject({ limit: null, value: true, resetsAt: null, retryAfterMs: null });
  });

  test('that is denied is found behind the errors of others, also one of another copy of the package', async () => {
    await guard.users.block('wrapped');
    const denial = await guard.start({ userId: 'wrapped' }).catch((error: unknown) => error);
    const wrapped = new Error('outer', { cause: new AggregateError([new Error('other'), denial]) });
    expect(denialIn(wrapped)).toBe(denial);
    expect(isDenied(wrapped)).toBe(true);
    const loop = new Error('loop');
    loop.cause = loop;
    expect([loop, null, 'USER_BLOCKED', { reason: 'USER_BLOCKED' }].map(isDenied)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    const require = createRequire(import.meta.url);
    const other = require('@guarded-runs/sdk') as typeof import('../src/index.js');
    expect(other.isDenied(wrapped)).toBe(true);
    expect(denial).not.toBeInstanceOf(other.RunDenied);
  });

  test('can be started and ended explicitly', async () => {
    const run = await guard.start({ userId: 'by-hand' });
    await run.modelCall({ model: MODEL, call: () => CHAT });
    await run.end();
    await run.end();
    expect(await fixture.runOf('by-hand')).toMatchObject({ id: run.id, status: 'COMPLETED' });
  });

  test('is ended by await using', async () => {
    {
      await using run = await guard.start({ userId: 'using' });
      await run.toolCall({ name: 'noop', call: () => null });
    }
    expect(await fixture.runOf('using')).toMatchObject({ status: 'COMPLETED' });
  });

  test('with a failed step is ended as FAILED by await using', async () => {
    const using = async () => {
      await using run = await guard.start({ userId: 'using-failed' });
      await run.toolCall({ name: 'noop', call: () => Promise.reject(new Error('of the tool')) });
    };
    await expect(using()).rejects.toThrow('of the tool');
    expect(await fixture.runOf('using-failed')).toMatchObject({ status: 'FAILED' });
  });

  test('that has ended is not changed by await using', async () => {
    {
      await using run = await guard.start({ userId: 'using-ended' });
      await run.end('FAILED');
    }
    expect(await fixture.runOf('using-ended')).toMatchObject({ status: 'FAILED' });
  });
});

describe('a step', () => {
  test('is recorded with its type, model, tokens, cost, duration and input', async () => {
    await guard.run({ userId: 'steps' }, async (run) => {
      await run.modelCall({ model: MODEL, call: () => CHAT, inputData: { prompt: 'Hi' } });
      await run.toolCall({ name: 'search', call: () => 'found' });
    });
    expect(await fixture.runOf('steps')).toMatchObject({
      total_tokens: 18,
      total_cost_usd: 0.000_092,
      steps: [
        {
          type: 'MODEL_CALL',
          sequence: 1,
          model: MODEL,
          prompt_tokens: 11,
          completion_tokens: 7,
          cost_usd: 0.000_092,
          duration_ms: expect.any(Number),
          input_data: { prompt: 'Hi' },
        },
        { type: 'TOOL_CALL', sequence: 2, tool_name: 'search', prompt_tokens: null },
      ],
    });
  });

  test('has a unique number even if steps run in parallel', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `tool-${index + 1}`);
    await guard.run({ userId: 'parallel' }, (run) =>
      Promise.all(names.map((name) => run.toolCall({ name, call: () => null }))),
    );
    const steps = await fixture.stepsOf('parallel');
    expect(steps.map(({ sequence, tool_name }) => [sequence, tool_name])).toEqual(
      names.map((name, index) => [index + 1, name]),
    );
  });

  test('that is denied throws StepDenied with the reason and the ids, and does not call the function', async () => {
    const run = await guard.start({ userId: 'denied-step' });
    await run.end();
    let isCalled = false;
    const outcome = run.modelCall({
      model: MODEL,
      call: () => {
        isCalled = true;
      },
    });
    const error = await outcome.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StepDenied);
    const [step] = await fixture.stepsOf('denied-step');
    expect(error).toMatchObject({ reason: 'RUN_ALREADY_ENDED', runId: run.id, stepId: step?.id });
    expect(isCalled).toBe(false);
  });

  test('that exceeds the budget causes the next one to be denied', async () => {
    await guard.workspace.update({ userDailyBudgetUsd: 0.000_05 });
    const outcome = guard.run({ userId: 'spender' }, async (run) => {
      await run.modelCall({ model: MODEL, call: () => CHAT });
      await run.modelCall({ model: MODEL, call: () => CHAT });
    });
    await expect(outcome).rejects.toMatchObject({ reason: 'USER_DAILY_BUDGET_EXCEEDED' });
    await guard.workspace.update({ userDailyBudgetUsd: null });
    expect(await fixture.runOf('spender')).toMatchObject({
      status: 'FAILED',
      steps: [{ status: 'COMPLETED' }, { status: 'BLOCKED' }],
    });
  });

  test('that throws is recorded as FAILED, and its error is rethrown', async () => {
    const failure = new Error('of the provider');
    const outcome = guard.run({ userId: 'failing' }, (run) =>
      run.modelCall({ model: MODEL, call: () => Promise.reject(failure) }),
    );
    await expect(outcome).rejects.toBe(failure);
    expect(await fixture.stepsOf('failing')).toMatchObject([{ status: 'FAILED', prompt_tokens: null }]);
  });

  test('takes its usage from a custom usage reader', async () => {
    await guard.run({ userId: 'reader' }, (run) =>
      run.modelCall({
        model: MODEL,
        call: () => ({ ...CHAT, billed: { in: 3, out: 4 } }),
        usage: ({ billed }) => ({ promptTokens: billed.in, completionTokens: billed.out }),
      }),
    );
    expect(await fixture.stepsOf('reader')).toMatchObject([{ prompt_tokens: 3, completion_tokens: 4 }]);
  });

  test('whose usage reader throws is recorded without tokens, and the result is returned', async () => {
    const errors: unknown[] = [];
    const client = fixture.client({ onReportError: ({ error }) => errors.push(error) });
    const failure = new Error('of the reader');
    const answer = await client.run({ userId: 'failing-reader' }, (run) =>
      run.modelCall({
        model: MODEL,
        call: () => 'answer',
        usage: () => {
          throw failure;
        },
      }),
    );
    expect(answer).toBe('answer');
    expect(errors).toEqual([failure]);
    expect(await fixture.stepsOf('failing-reader')).toMatchObject([
      { status: 'COMPLETED', prompt_tokens: null },
    ]);
  });

  test('that is closed twice is recorded with the first outcome', async () => {
    await guard.run({ userId: 'closed-twice' }, async (run) => {
      const step = await run.openStep({ type: 'MODEL_CALL', model: MODEL });
      await step.complete({ promptTokens: 1 });
      await step.fail();
    });
    expect(await fixture.stepsOf('closed-twice')).toMatchObject([{ status: 'COMPLETED', prompt_tokens: 1 }]);
  });

  test('that is still open when the run ends is recorded as FAILED', async () => {
    await guard.run({ userId: 'left-open' }, async (run) => {
      const done = await run.openStep({ type: 'REASONING' });
      await done.complete({ promptTokens: 1 });
      await run.openStep({ type: 'MODEL_CALL', model: MODEL });
    });
    expect(await fixture.stepsOf('left-open')).toMatchObject([
      { type: 'REASONING', status: 'COMPLETED', prompt_tokens: 1 },
      { type: 'MODEL_CALL', status: 'FAILED' },
    ]);
  });
});

describe('a stream', () => {
  const CHUNKS = [{ choices: ['a'] }, { choices: ['b'] }, { choices: [], ...CHAT }];

  async function* generate() {
    yield* CHUNKS;
  }

  test.each([
    { kind: 'an async generator', create: generate },
    { kind: 'an async iterable', create: () => ({ [Symbol.asyncIterator]: generate }) },
    { kind: 'a readable stream', create: () => toReadableStream(CHUNKS) },
  ])('that is $kind yields every chunk and is recorded at its end', async ({ kind, create }) => {
    const userId = `reading ${kind}`;
    const chunks: unknown[] = [];
    await guard.run({ userId }, async (run) => {
      const stream = await run.modelCall<AsyncIterable<object>>({ model: MODEL, call: create });
      expect(await fixture.stepsOf(userId)).toMatchObject([{ status: 'ALLOWED' }]);
      for await (const chunk of stream) chunks.push(chunk);
    });
    expect(chunks).toEqual(CHUNKS);
    expect(await fixture.stepsOf(userId)).toMatchObject([
      { status: 'COMPLETED', prompt_tokens: 11, completion_tokens: 7 },
    ]);
  });

  test.each([
    { kind: 'an async generator', create: generate },
    { kind: 'an async iterable', create: () => ({ [Symbol.asyncIterator]: generate }) },
    { kind: 'a readable stream', create: () => toReadableStream(CHUNKS) },
  ])('that is $kind and is not read to its end is recorded as FAILED', async ({ kind, create }) => {
    const userId = `leaving ${kind}`;
    await guard.run({ userId }, async (run) => {
      for await (const _ of await run.modelCall<AsyncIterable<object>>({ model: MODEL, call: create })) break;
    });
    expect(await fixture.stepsOf(userId)).toMatchObject([{ status: 'FAILED' }]);
  });

  test('that throws is recorded as FAILED', async () => {
    async function* failing() {
      yield CHUNKS[0];
      throw new Error('halfway');
    }
    const outcome = guard.run({ userId: 'failing-stream' }, async (run) => {
      for await (const _ of await run.modelCall({ model: MODEL, call: failing }));
    });
    await expect(outcome).rejects.toThrow('halfway');
    expect(await fixture.stepsOf('failing-stream')).toMatchObject([{ status: 'FAILED' }]);
  });

  test('that is aborted is recorded as FAILED', async () => {
    const userId = 'abandoning';
    const controller = new AbortController();
    await guard.run({ userId }, async (run) => {
      const { signal } = controller;
      const stream = await run.modelCall({ model: MODEL, call: () => toReadableStream(CHUNKS), signal });
      await stream.getReader().read();
    });
    controller.abort();
    await expect.poll(() => fixture.stepsOf(userId)).toMatchObject([{ status: 'FAILED' }]);
  });

  test('that is read after its run has ended is still charged', async () => {
    const userId = 'reading-late';
    const stream = await guard.run({ userId }, (run) => run.modelCall({ model: MODEL, call: generate }));
    for await (const _ of stream);
    expect(await fixture.runOf(userId)).toMatchObject({ status: 'COMPLETED', total_cost_usd: 0.000_092 });
  });
});

function toReadableStream(chunks: readonly object[]): ReadableStream<object> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

test.each([
  { mistake: 'no API key', options: { apiKey: '' }, message: /GUARDED_RUNS_API_KEY/ },
  { mistake: 'invalid characters in the API key', options: { apiKey: 'lg_\u2026' }, message: /apiKey/ },
  { mistake: 'an invalid URL', options: { apiKey: 'lg_a_b', baseUrl: 'localhost:8000' }, message: /baseUrl/ },
])('a client with $mistake throws in the constructor', ({ options, message }) => {
  expect(() => new GuardedRuns(options)).toThrow(message);
});

test('input that cannot be serialized as JSON throws even if onUnavailable is allow', async () => {
  const client = fixture.client({ onUnavailable: 'allow' });
  let isCalled = false;
  const outcome = client.run({ userId: 'no-json' }, (run) =>
    run.toolCall({
      name: 'count',
      inputData: { count: 1n },
      call: () => {
        isCalled = true;
      },
    }),
  );
  await expect(outcome).rejects.toThrow(TypeError);
  expect(isCalled).toBe(false);
});
