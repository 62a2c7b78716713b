/** The usage that `run.modelCall` reads from results of unguarded clients. */

import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { TokenUsage } from '../src/index.js';
import { readUsage } from '../src/usage/read-usage.js';
import { StreamUsage } from '../src/usage/stream-usage.js';
import { type GuardFixture, MODEL, startGuard } from './support/guard-fixture.js';
import {
  ANSWER,
  BROKEN_MODEL,
  CUT_OFF_MODEL,
  type ProviderStandIn,
  startProvider,
  TOKENS,
  TOOL_MODEL,
} from './support/provider-stand-in.js';

const usage = (promptTokens?: number, completionTokens?: number, parts: TokenUsage = {}): TokenUsage => ({
  promptTokens,
  completionTokens,
  ...parts,
});

describe('the usage of a result', () => {
  const CASES: readonly [shape: string, result: unknown, expected: TokenUsage | null][] = [
    ['chat completion', { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } }, usage(3, 4)],
    ['embedding', { usage: { prompt_tokens: 3, total_tokens: 3 } }, usage(3)],
    [
      'OpenAI response, whose input includes cached tokens',
      {
        object: 'response',
        usage: { input_tokens: 9, input_tokens_details: { cached_tokens: 5 }, output_tokens: 2 },
      },
      usage(9, 2, { cacheReadTokens: 5 }),
    ],
    [
      'Anthropic message, whose input excludes cached tokens',
      {
        type: 'message',
        usage: {
          input_tokens: 1,
          cache_creation_input_tokens: 20,
          cache_read_input_tokens: 300,
          output_tokens: 4,
        },
      },
      usage(321, 4, { cacheReadTokens: 300, cacheWriteTokens: 20 }),
    ],
    [
      'Anthropic message without a cache',
      { usage: { input_tokens: 5, cache_creation_input_tokens: null, output_tokens: 6 } },
      usage(5, 6),
    ],
    [
      'AI SDK result: the sum of its steps, not the last one',
      { usage: { inputTokens: 1, outputTokens: 1 }, totalUsage: { inputTokens: 8, outputTokens: 9 } },
      usage(8, 9),
    ],
    [
      'AI SDK provider result',
      { usage: { inputTokens: { total: 8, cacheRead: 2 }, outputTokens: { total: 9, reasoning: 3 } } },
      usage(8, 9, { cacheReadTokens: 2, reasoningTokens: 3 }),
    ],
    ['LangChain message', { usage_metadata: { input_tokens: 2, output_tokens: 3 } }, usage(2, 3)],
    ['only one count', { usage: { inputTokens: 5, outputTokens: undefined } }, usage(5)],
    ['text', 'Hello', null],
    ['nothing', undefined, null],
    ['another object', { usage: 'much' }, null],
    ['invalid counts', { usage: { prompt_tokens: -1, completion_tokens: 0.5 } }, null],
  ];

  test.each(CASES)('%s', (_, result, expected) => {
    expect(readUsage(result)).toEqual(expected);
  });
});

describe('the usage of a stream', () => {
  test('is the latest value of each count', () => {
    const seen = new StreamUsage();
    expect(seen.usage).toBeNull();
    seen.add({ type: 'message_start', message: { usage: { input_tokens: 5, cache_read_input_tokens: 2 } } });
    seen.add({ type: 'message_delta', usage: { input_tokens: null, output_tokens: 3 } });
    seen.add({ type: 'message_delta', usage: { cache_read_input_tokens: 4, output_tokens: 6 } });
    seen.add({ type: 'message_stop' });
    expect(seen.usage).toEqual(usage(9, 6, { cacheReadTokens: 4 }));
    expect(seen.failed).toBe(false);
  });

  test.each(['error', 'abort', 'response.failed'])('with the event %s is failed', (type) => {
    const seen = new StreamUsage();
    seen.add({ type });
    expect(seen.failed).toBe(true);
  });
});

describe('a model call with the client', () => {
  let fixture: GuardFixture;
  let provider: ProviderStandIn;
  let openai: OpenAI;
  let anthropic: Anthropic;
  let aiSdk: ReturnType<typeof createOpenAI>;
  beforeAll(async () => {
    [fixture, provider] = await Promise.all([startGuard(), startProvider()]);
    const options = { apiKey: 'none', maxRetries: 0 };
    openai = new OpenAI({ ...options, baseURL: `${provider.url}/v1` });
    anthropic = new Anthropic({ ...options, baseURL: provider.url });
    aiSdk = createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` });
  });
  afterAll(() => Promise.all([fixture.stop(), provider.stop()]));

  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const message = { model: MODEL, max_tokens: 10, messages };

  test.each([
    ['of OpenAI chat completions', () => openai.chat.completions.create({ model: MODEL, messages })],
    ['of OpenAI responses', () => openai.responses.create({ model: MODEL, input: 'Hi' })],
    ['of Anthropic messages', () => anthropic.messages.create(message)],
    ['of the AI SDK', () => generateText({ model: aiSdk(MODEL), prompt: 'Hi' })],
  ])('%s is recorded with its tokens', async (userId, call) => {
    await fixture.guard.run({ userId }, (run) => run.modelCall<unknown>({ model: MODEL, call }));
    expect(await fixture.stepsOf(userId)).toMatchObject([completed(1)]);
  });

  test.each([
    [
      'of OpenAI chat completions with include_usage',
      () =>
        openai.chat.completions.create({
          model: MODEL,
          messages,
          stream: true,
          stream_options: { include_usage: true },
        }),
    ],
    ['of OpenAI responses', () => openai.responses.create({ model: MODEL, input: 'Hi', stream: true })],
    ['of Anthropic messages', () => anthropic.messages.create({ ...message, stream: true })],
  ])('that returns a stream %s is recorded when it is read', async (api, call) => {
    const userId = `streaming ${api}`;
    await fixture.guard.run({ userId }, async (run) => {
      for await (const _ of await run.modelCall<AsyncIterable<unknown>>({ model: MODEL, call }));
    });
    expect(await fixture.stepsOf(userId)).toMatchObject([completed(1)]);
  });

  test('that returns an Anthropic stream helper is recorded with its final message', async () => {
    const userId = 'message-stream';
    await fixture.guard.run({ userId }, async (run) => {
      const stream = await run.modelCall({ model: MODEL, call: () => anthropic.messages.stream(message) });
      expect(await stream.finalText()).toBe(ANSWER.join(''));
    });
    await expect.poll(() => fixture.stepsOf(userId)).toMatchObject([completed(1)]);
  });

  test('that returns a stream helper and is aborted is recorded as FAILED', async () => {
    const userId = 'aborted-message-stream';
    const outcome = fixture.guard.run({ userId }, async (run) => {
      const stream = await run.modelCall({ model: MODEL, call: () => anthropic.messages.stream(message) });
      stream.abort();
      await stream.finalText();
    });
    await expect(outcome).rejects.toThrow(/abort/);
    await expect.poll(() => fixture.stepsOf(userId)).toMatchObject([{ status: 'FAILED' }]);
  });

  test('of the AI SDK with two steps is recorded with the sum of both', async () => {
    const userId = 'two-steps';
    const add = tool({
      inputSchema: z.object({ left: z.number(), right: z.number() }),
      execute: async ({ left, right }) => left + right,
    });
    await fixture.guard.run({ userId }, (run) =>
      run.modelCall({
        model: MODEL,
        call: () =>
          generateText({
            model: aiSdk(TOOL_MODEL),
            tools: { add },
            prompt: '2 + 3?',
            stopWhen: stepCountIs(3),
          }),
      }),
    );
    expect(await fixture.stepsOf(userId)).toMatchObject([completed(2)]);
  });

  test('of the AI SDK that streams yields its text and is recorded at its end', async () => {
    const userId = 'stream-text';
    const texts: string[] = [];
    await fixture.guard.run({ userId }, async (run) => {
      const { textStream } = await run.modelCall({
        model: MODEL,
        call: () => streamText({ model: aiSdk(MODEL), prompt: 'Hi' }),
      });
      for await (const text of textStream) texts.push(text);
    });
    expect(texts).toEqual(ANSWER);
    await expect.poll(() => fixture.stepsOf(userId)).toMatchObject([completed(1)]);
  });

  test.each([CUT_OFF_MODEL, BROKEN_MODEL])(
    'of the AI SDK whose stream fails (%s) is recorded as FAILED',
    async (model) => {
      const userId = `stream-text of ${model}`;
      const outcome = fixture.guard.run({ userId }, async (run) => {
        const { fullStream } = await run.modelCall({
          model,
          call: () => streamText({ model: aiSdk(model), prompt: 'Hi', maxRetries: 0, onError: () => {} }),
        });
        for await (const part of fullStream) if (part.type === 'error') throw part.error;
      });
      await expect(outcome).rejects.toThrow();
      await expect.poll(() => fixture.stepsOf(userId)).toMatchObject([{ status: 'FAILED' }]);
    },
  );

  test('of the AI SDK whose stream is aborted is recorded as FAILED', async () => {
    const userId = 'aborted-stream-text';
    const controller = new AbortController();
    await fixture.guard.run({ userId }, async (run) => {
      const { fullStream } = await run.modelCall({
        model: MODEL,
        call: () => streamText({ model: aiSdk(MODEL), prompt: 'Hi', abortSignal: controller.signal }),
      });
      controller.abort();
      for await (const _ of fullStream);
    });
    await expect.poll(() => fixture.stepsOf(userId)).toMatchObject([{ status: 'FAILED' }]);
  });
});

function completed(callCount: number) {
  return {
    status: 'COMPLETED',
    prompt_tokens: callCount * TOKENS.prompt,
    completion_tokens: callCount * TOKENS.completion,
  };
}
