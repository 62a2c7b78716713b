/** What the report of a step contains besides its tokens: cost, output, error, and the estimate of a broken stream. */

import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { streamText } from 'ai';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GuardedRun, GuardedRunsOptions } from '../src/index.js';
import { type Body, type FakeGuard, startFakeGuard } from './support/fake-guard.js';
import { CUT_OFF_MODEL, type ProviderStandIn, startProvider } from './support/provider-stand-in.js';

let fake: FakeGuard;
beforeEach(async () => {
  fake = await startFakeGuard();
});
afterEach(() => fake.stop());

/** Runs the agent, and returns its reports. */
async function reportsOf(
  agent: (run: GuardedRun) => unknown,
  options: GuardedRunsOptions = {},
): Promise<readonly Body[]> {
  await fake.client(options).run({ userId: 'ada' }, agent);
  return fake.reports;
}

const USAGE = { usage: { prompt_tokens: 3, completion_tokens: 4 } };

describe('the cost of a tool', () => {
  test.each([
    ['a number', 0.01, 0.01],
    ['read from the result', (result: { price: number }) => result.price, 0.25],
    ['read later', async (result: { price: number }) => result.price * 2, 0.5],
    ['more precise than the service accepts', 0.1 + 0.2, 0.3],
    ['nothing', 0, 0],
  ])('%s is reported', async (_, costUsd, expected) => {
    const call = () => ({ price: 0.25 });
    expect(await reportsOf((run) => run.toolCall({ name: 'search', costUsd, call }))).toMatchObject([
      { status: 'COMPLETED', cost_usd: expected, prompt_tokens: null },
    ]);
  });

  test('is not charged if the tool throws', async () => {
    const call = () => Promise.reject(new Error('no result'));
    const [report] = await reportsOf((run) =>
      run.toolCall({ name: 'search', costUsd: 0.01, call }).catch(() => {}),
    );
    expect(report).toMatchObject({ status: 'FAILED', error: 'no result' });
    expect(report).not.toHaveProperty('cost_usd');
  });

  test('that cannot be read is passed to onReportError, and the tool returns its result', async () => {
    const errors: unknown[] = [];
    const failure = new Error('no price');
    const [report] = await reportsOf(
      async (run) => {
        const costUsd = () => Promise.reject(failure);
        expect(await run.toolCall({ name: 'search', costUsd, call: () => 'found' })).toBe('found');
      },
      { onReportError: ({ error }) => errors.push(error) },
    );
    expect(errors).toEqual([failure]);
    expect(report).toMatchObject({ status: 'COMPLETED' });
    expect(report).not.toHaveProperty('cost_usd');
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('%d is rejected before the call', async (costUsd) => {
    let isCalled = false;
    const call = () => {
      isCalled = true;
    };
    const outcome = reportsOf((run) => run.toolCall({ name: 'search', costUsd, call }));
    await expect(outcome).rejects.toThrow(/costUsd/);
    expect(isCalled).toBe(false);
  });

  test('of a model call can be stated by its usage', async () => {
    const usage = () => ({ promptTokens: 3, completionTokens: 4, costUsd: 0.002 });
    expect(await reportsOf((run) => run.modelCall({ model: 'm', usage, call: () => 'Hi' }))).toMatchObject([
      { prompt_tokens: 3, completion_tokens: 4, cost_usd: 0.002 },
    ]);
  });
});

describe('payloads', () => {
  const steps = async (run: GuardedRun) => {
    await run.toolCall({
      name: 'given',
      inputData: { at: 1 },
      outputData: () => ({ at: 2 }),
      call: () => 'x',
    });
    await run.toolCall({ name: 'seen', input: () => ({ at: 3 }), call: () => ({ at: 4 }) });
    await run.toolCall({ name: 'text', call: () => 'sunny' });
  };
  const mask = (data: Record<string, unknown>) => ({ ...data, at: 'masked' });

  test.each([
    ['by default: what a step is given', undefined, [{ at: 1 }, null, null], [{ at: 2 }, null, null]],
    ['nothing', false, [null, null, null], [null, null, null]],
    ['everything', true, [{ at: 1 }, { at: 3 }, null], [{ at: 2 }, { at: 4 }, { result: 'sunny' }]],
    [
      'everything, masked',
      mask,
      [{ at: 'masked' }, { at: 'masked' }, null],
      [{ at: 'masked' }, { at: 'masked' }, { result: 'sunny', at: 'masked' }],
    ],
  ])('%s', async (_, recordPayloads, inputs, outputs) => {
    const reports = await reportsOf(steps, { recordPayloads });
    expect(fake.steps.map((step) => step['input_data'])).toEqual(inputs);
    expect(reports.map((report) => report['output_data'] ?? null)).toEqual(outputs);
  });

  test('the option of a run overrides that of the client', async () => {
    const client = fake.client({ recordPayloads: true });
    await client.run({ userId: 'ada', recordPayloads: false }, steps);
    expect(fake.reports.every((report) => report['output_data'] === undefined)).toBe(true);
  });

  test('a masking function gets a copy, and what it throws is not recorded and fails nothing', async () => {
    const errors: unknown[] = [];
    const result = { secret: 's' };
    const recordPayloads = (data: Record<string, unknown>) => {
      data['secret'] = 'masked';
      throw new Error('cannot mask');
    };
    const [report] = await reportsOf(
      async (run) => expect(await run.toolCall({ name: 't', call: () => result })).toBe(result),
      { recordPayloads, onReportError: ({ error }) => errors.push(error) },
    );
    expect(result).toEqual({ secret: 's' });
    expect(errors).toMatchObject([{ message: 'cannot mask' }]);
    expect(report).toMatchObject({ status: 'COMPLETED' });
    expect(report).not.toHaveProperty('output_data');
  });

  test('a result that the agent changes later is recorded as it was', async () => {
    const result = { at: 1 };
    const [report] = await reportsOf(
      async (run) => {
        await run.toolCall({ name: 't', call: () => result });
        result.at = 2;
      },
      { recordPayloads: true },
    );
    expect(report).toMatchObject({ output_data: { at: 1 } });
  });

  test('a payload that is too large is replaced by a marker', async () => {
    const large = (letter: string) => ({ text: letter.repeat(2_000_000) });
    const reports = await reportsOf(
      async (run) => {
        for (const letter of ['a', 'b', 'b']) {
          await run.toolCall({ name: 't', input: () => large(letter), call: () => large(letter) });
        }
      },
      { recordPayloads: true },
    );
    const marker = { truncated: true, bytes: 2_000_011, hash: expect.any(String) };
    expect(reports.map((report) => report['output_data'])).toEqual([marker, marker, marker]);
    // Different inputs are not repeats of each other.
    const inputs = fake.steps.map((step) => JSON.stringify(step['input_data']));
    expect(inputs[0]).not.toBe(inputs[1]);
    expect(inputs[1]).toBe(inputs[2]);
  });

  test('requests stay below a mebibyte, and each decision still sees all reports before it', async () => {
    const output = { text: 'x'.repeat(250_000) };
    await reportsOf(
      async (run) => {
        await Promise.all(Array.from({ length: 12 }, () => run.toolCall({ name: 't', call: () => output })));
        await run.toolCall({ name: 'after', input: () => output, call: () => null });
        expect(fake.reports).toHaveLength(12);
      },
      { recordPayloads: true },
    );
    expect(fake.reports.filter((report) => report['output_data'] !== undefined)).toHaveLength(12);
    expect(Math.max(...fake.bodyBytes)).toBeLessThan(1_048_576);
  });

  test('text and nesting that the service refuses are not sent', async () => {
    const deep = Array.from({ length: 200 }).reduce<object>((inner) => ({ inner }), {});
    const reports = await reportsOf(
      async (run) => {
        await run.toolCall({ name: 't', call: () => ({ ['a\0']: 'b\0 \ud800 \\u0000 😀' }) });
        await run.toolCall({ name: 't', call: () => deep });
        await run.toolCall({ name: 't', call: () => ({ text: '{["\\{'.repeat(20_000) }) });
      },
      { recordPayloads: true },
    );
    expect(reports).toMatchObject([
      { output_data: { 'a\ufffd': 'b\ufffd \ufffd \\u0000 😀' } },
      { output_data: { truncated: true } },
      { output_data: { text: expect.any(String) } },
    ]);
  });

  test('a result that is not JSON is not recorded, and is passed to onReportError', async () => {
    const errors: unknown[] = [];
    const [report] = await reportsOf((run) => run.toolCall({ name: 't', call: () => ({ at: 1n }) }), {
      recordPayloads: true,
      onReportError: ({ error }) => errors.push(error),
    });
    expect(errors).toMatchObject([expect.any(TypeError)]);
    expect(report).toMatchObject({ status: 'COMPLETED' });
  });

  test('a report whose payload is refused is sent without it', async () => {
    const errors: unknown[] = [];
    fake.refuse = (report) => (report['output_data'] === undefined ? null : 'must not have an output');
    const [report] = await reportsOf(
      async (run) => {
        await run.toolCall({ name: 't', costUsd: 0.5, call: () => ({ at: 1 }) });
        await run.toolCall({ name: 't', call: () => null });
      },
      { recordPayloads: true, onReportError: ({ error }) => errors.push(error) },
    );
    expect(report).toMatchObject({ cost_usd: 0.5 });
    expect(errors).toHaveLength(1);
  });

  test('the text of a stream is its output', async () => {
    const [report] = await reportsOf(
      async (run) => {
        for await (const _ of await run.modelCall({ model: 'm', call: () => chunks(['Hel', 'lo']) }));
      },
      { recordPayloads: true },
    );
    expect(report).toMatchObject({ status: 'COMPLETED', output_data: { text: 'Hello' } });
  });

  test('an open step can be completed with its output', async () => {
    const [report] = await reportsOf(async (run) => {
      const step = await run.openStep({ type: 'MODEL_CALL', model: 'm' });
      await step.complete({ promptTokens: 3, outputData: { answer: 42 } });
    });
    expect(report).toMatchObject({ prompt_tokens: 3, output_data: { answer: 42 } });
  });
});

describe('the error of a FAILED step', () => {
  test.each([
    ['an Error', new Error('no such file'), 'no such file'],
    ['an Error without a message', new TypeError(), 'TypeError'],
    ['a text', 'broken', 'broken'],
    ['an object', { code: 7 }, '{"code":7}'],
    ['a long message', new Error('😀'.repeat(1_500)), '😀'.repeat(1_000)],
    [
      'a message that is cut within a character',
      new Error(`a${'😀'.repeat(1_500)}`),
      `a${'😀'.repeat(999)}\ufffd`,
    ],
    ['characters that cannot be stored', new Error('a\0b\ud800'), 'a\ufffdb\ufffd'],
    ['nothing', undefined, undefined],
    [
      'an object whose message throws',
      Object.defineProperty({}, 'message', {
        get: () => {
          throw new Error('no');
        },
      }),
      undefined,
    ],
  ])('is the message of %s', async (_, error, expected) => {
    const call = () => Promise.reject(error);
    const [report] = await reportsOf((run) => run.toolCall({ name: 't', call }).catch(() => {}));
    expect(report).toMatchObject({ status: 'FAILED' });
    expect(report?.['error']).toBe(expected);
  });

  test.each([
    [
      'a failed response',
      { object: 'response', status: 'failed', error: { message: 'overloaded' } },
      'overloaded',
    ],
    ['a result of an MCP tool', { isError: true, content: [{ type: 'text', text: 'no disk' }] }, 'no disk'],
  ])('is what %s says', async (_, result, expected) => {
    expect(await reportsOf((run) => run.modelCall({ model: 'm', call: () => result }))).toMatchObject([
      { status: 'FAILED', error: expected },
    ]);
  });

  test('is absent from a COMPLETED step', async () => {
    const [report] = await reportsOf((run) => run.modelCall({ model: 'm', call: () => USAGE }));
    expect(report).not.toHaveProperty('error');
  });
});

describe('a stream that is broken off', () => {
  const request = { texts: ['123456789'] };
  const chat = (content: string) => ({ choices: [{ delta: { content } }] });
  /** 3 tokens for the prompt, and 2 for six bytes of text. */
  const ESTIMATE = { status: 'FAILED', prompt_tokens: 3, completion_tokens: 2, estimated: true };

  test('by its reader is reported with an estimate', async () => {
    const [report] = await reportsOf(async (run) => {
      const call = () => chunks([chat('Hel'), chat('lo!'), chat('never read')]);
      let count = 0;
      for await (const _ of await run.modelCall({ model: 'm', request, call })) {
        count += 1;
        if (count === 2) break;
      }
    });
    expect(report).toMatchObject({ ...ESTIMATE, error: 'The stream was not read to its end' });
  });

  test('by an error is reported with an estimate and the error', async () => {
    const [report] = await reportsOf(async (run) => {
      const call = () => chunks([chat('Hel'), chat('lo!')], new Error('connection lost'));
      const stream = await run.modelCall({ model: 'm', request, call });
      await expect(drain(stream)).rejects.toThrow('connection lost');
    });
    expect(report).toMatchObject({ ...ESTIMATE, error: 'connection lost' });
  });

  test('by its signal is reported with an estimate and the reason', async () => {
    const controller = new AbortController();
    const [report] = await reportsOf(async (run) => {
      const { signal } = controller;
      const call = () => chunks([chat('Hel'), chat('lo!'), chat('never read')]);
      const stream = await run.modelCall({ model: 'm', request, signal, call });
      await stream.next();
      await stream.next();
      controller.abort(new Error('enough'));
    });
    expect(report).toMatchObject({ ...ESTIMATE, error: 'enough' });
  });

  test('with a bound is reported with a token for each byte', async () => {
    const [report] = await reportsOf(
      async (run) => {
        for await (const _ of await run.modelCall({
          model: 'm',
          request,
          call: () => chunks([chat('Hello!')]),
        }))
          break;
      },
      { holdBound: 'bound' },
    );
    expect(report).toMatchObject({ prompt_tokens: 9, completion_tokens: 6, estimated: true });
  });

  test('by its reader before the first chunk is charged for its prompt', async () => {
    const [report] = await reportsOf(async (run) => {
      const stream = await run.modelCall({ model: 'm', request, call: () => chunks([chat('Hi')]) });
      await stream.return(undefined);
    });
    expect(report).toMatchObject({ prompt_tokens: 3, completion_tokens: 0, estimated: true });
  });

  test('by an error before the first chunk is not charged', async () => {
    const [report] = await reportsOf(async (run) => {
      const stream = await run.modelCall({
        model: 'm',
        request,
        call: () => chunks([], new Error('overloaded')),
      });
      await expect(drain(stream)).rejects.toThrow();
    });
    expect(report).toMatchObject({ status: 'FAILED', prompt_tokens: null, completion_tokens: null });
    expect(report).not.toHaveProperty('estimated');
  });

  test('after its usage is reported with it', async () => {
    const usage = { prompt_tokens: 11, completion_tokens: 7 };
    const [report] = await reportsOf(async (run) => {
      const call = () => chunks([chat('Hello'), { choices: [], usage }, { choices: [] }]);
      const stream = await run.modelCall({ model: 'm', request, call });
      await stream.next();
      await stream.next();
      await stream.return(undefined);
    });
    expect(report).toMatchObject({ status: 'FAILED', prompt_tokens: 11, completion_tokens: 7 });
    expect(report).not.toHaveProperty('estimated');
  });

  test('after the usage of its prompt is reported with it, and an estimate of the rest', async () => {
    const start = {
      type: 'message_start',
      message: { usage: { input_tokens: 5, cache_read_input_tokens: 6, output_tokens: 1 } },
    };
    const delta = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hello!' } };
    const [report] = await reportsOf(async (run) => {
      const stream = await run.modelCall({ model: 'm', request, call: () => chunks([start, delta, delta]) });
      await stream.next();
      await stream.next();
      await stream.return(undefined);
    });
    expect(report).toMatchObject({
      prompt_tokens: 11,
      cache_read_tokens: 6,
      completion_tokens: 3,
      estimated: true,
    });
  });

  test('without a known request has an estimate of its completion', async () => {
    const [report] = await reportsOf(async (run) => {
      for await (const _ of await run.modelCall({ model: 'm', call: () => chunks([chat('Hello!')]) })) break;
    });
    expect(report).toMatchObject({ prompt_tokens: null, completion_tokens: 2, estimated: true });
  });

  test('of a tool has no tokens, and costs what the tool costs', async () => {
    const [report] = await reportsOf(async (run) => {
      const call = () => chunks([{ ...chat('Hi'), ...USAGE }]);
      for await (const _ of await run.toolCall({ name: 't', costUsd: 0.1, call })) break;
    });
    expect(report).toMatchObject({ status: 'FAILED', prompt_tokens: null, cost_usd: 0.1 });
    expect(report).not.toHaveProperty('estimated');
  });

  test('of an open step is reported with what was received, at the latest when the run ends', async () => {
    const [report] = await reportsOf(async (run) => {
      const step = await run.openStep({ type: 'MODEL_CALL', model: 'm', request });
      step.received('Hello!');
    });
    expect(report).toMatchObject({ ...ESTIMATE, error: 'The run ended before the step was reported' });
  });

  test.each([
    [
      'chat completion',
      {
        choices: [
          {
            delta: { content: 'a', refusal: 'b', tool_calls: [{ function: { name: 'c', arguments: 'd' } }] },
          },
        ],
      },
      4,
    ],
    ['completion', { choices: [{ text: 'abcd' }] }, 4],
    ['response', { type: 'response.function_call_arguments.delta', delta: 'abcd' }, 4],
    ['audio of a response', { type: 'response.audio.delta', delta: 'abcd' }, 0],
    [
      'thinking of Anthropic',
      { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'abcd' } },
      4,
    ],
    [
      'tool of Anthropic',
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: 'abcd' } },
      4,
    ],
    ['AI SDK provider', { type: 'reasoning-delta', id: '1', delta: 'abcd' }, 4],
    ['AI SDK', { type: 'text-delta', id: '1', text: 'abcd' }, 4],
    ['LangChain', { content: 'ab', tool_call_chunks: [{ name: 'c', args: 'd' }] }, 4],
    ['LangChain blocks', { content: [{ type: 'text', text: 'abcd' }], tool_call_chunks: [] }, 4],
    ['LangChain generation', { text: 'abcd', message: { content: 'abcd', tool_call_chunks: [] } }, 4],
    ['OpenAI Agents', { type: 'output_text_delta', delta: 'abcd' }, 4],
    [
      'raw event of OpenAI Agents',
      { type: 'model', event: { choices: [{ delta: { content: 'abcd' } }] } },
      4,
    ],
    ['text', 'äb€', 6],
    ['other', { anything: 'abcd' }, 0],
  ])('counts the text of a chunk: %s', async (_, chunk, bytes) => {
    const [report] = await reportsOf(
      async (run) => {
        const step = await run.openStep({ type: 'MODEL_CALL', model: 'm' });
        step.received(chunk);
        await step.fail();
      },
      { holdBound: 'bound' },
    );
    expect(report?.['completion_tokens']).toBe(bytes === 0 ? null : bytes);
  });
});

describe('a stream helper of an unguarded client that is cut off is reported with an estimate', () => {
  let provider: ProviderStandIn;
  beforeEach(async () => {
    provider = await startProvider();
  });
  afterEach(() => provider.stop());

  const model = CUT_OFF_MODEL;
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const openai = () => new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1`, maxRetries: 0 });
  const anthropic = () => new Anthropic({ apiKey: 'none', baseURL: provider.url, maxRetries: 0 });
  const aiSdk = () => createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` });
  const CASES: readonly [string, () => unknown, Body][] = [
    [
      'OpenAI chat completions',
      () => openai().chat.completions.stream({ model, messages }),
      { prompt_tokens: 1 },
    ],
    ['OpenAI responses', () => openai().responses.stream({ model, input: 'Hi' }), { prompt_tokens: 1 }],
    // Its first event has the prompt.
    [
      'Anthropic',
      () => anthropic().messages.stream({ model, max_tokens: 10, messages }),
      { prompt_tokens: 11, cache_read_tokens: 2, cache_write_tokens: 4 },
    ],
    [
      'AI SDK',
      () => streamText({ model: aiSdk().chat(model), prompt: 'Hi', maxRetries: 0, onError: () => {} }),
      { prompt_tokens: 1 },
    ],
  ];
  test.each(CASES)('%s', async (_, call, expected) => {
    const request = { texts: ['Hi'] };
    await fake.client().run({ userId: 'ada' }, async (run) => {
      await run.modelCall<unknown>({ model, request, call });
      // A helper reads ahead of its caller.
      await expect.poll(() => fake.reports, { timeout: 10_000 }).toHaveLength(1);
    });
    const [report] = fake.reports;
    expect(report).toMatchObject({
      status: 'FAILED',
      estimated: true,
      error: expect.any(String),
      ...expected,
    });
    expect(report?.['completion_tokens']).toBeGreaterThanOrEqual(2);
  });
});

test('a stated cost that is no amount does not lose the tokens', async () => {
  const errors: unknown[] = [];
  const usage = () => ({ promptTokens: 3, costUsd: Number.NaN });
  const [report] = await reportsOf((run) => run.modelCall({ model: 'm', usage, call: () => 'Hi' }), {
    onReportError: ({ error }) => errors.push(error),
  });
  expect(report).toMatchObject({ status: 'COMPLETED', prompt_tokens: 3 });
  expect(errors).toHaveLength(1);
});

async function* chunks<Chunk>(values: readonly Chunk[], error?: Error): AsyncGenerator<Chunk> {
  yield* values;
  if (error !== undefined) throw error;
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}
