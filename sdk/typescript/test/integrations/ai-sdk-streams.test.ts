/** Streams of the AI SDK outlive the function that starts them, and swallow errors: the run tells the truth all the same. */

import { createOpenAI } from '@ai-sdk/openai';
import { stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { denialIn, isDenied } from '../../src/index.js';
import { guardMiddleware } from '../../src/integrations/ai-sdk.js';
import { guardTool } from '../../src/integrations/tools.js';
import { type GuardFixture, MODEL, startGuard } from '../support/guard-fixture.js';
import { type HeldTimers, holdTimers } from '../support/held-timers.js';
import {
  ANSWER,
  BROKEN_MODEL,
  CUT_OFF_MODEL,
  type ProviderStandIn,
  startProvider,
  TOOL_MODEL,
} from '../support/provider-stand-in.js';

let fixture: GuardFixture;
let provider: ProviderStandIn;
beforeAll(async () => {
  [fixture, provider] = await Promise.all([startGuard({ models: [MODEL, TOOL_MODEL] }), startProvider()]);
});
afterAll(() => Promise.all([fixture.stop(), provider.stop()]));

/** The model has no run: it finds the current one. */
function stream(model: string, options: Partial<Parameters<typeof streamText>[0]> = {}) {
  const openai = createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` });
  const guarded = wrapLanguageModel({ model: openai.chat(model), middleware: guardMiddleware() });
  const errors: unknown[] = [];
  const onError = ({ error }: { error: unknown }) => void errors.push(error);
  const given = { model: guarded, prompt: 'Hi', maxRetries: 0, onError, ...options };
  return { result: streamText(given as Parameters<typeof streamText>[0]), errors };
}

const ended = (userId: string) => expect.poll(async () => (await fixture.runOf(userId)).status);

/** The status after a while without calls. */
async function statusAfter(timers: HeldTimers, userId: string): Promise<string> {
  timers.advance(5_000);
  return (await fixture.runOf(userId)).status;
}

describe('a run ends with its stream', () => {
  test('in the usual chat route, which returns a response', async () => {
    const userId = 'chat-route';
    const response = await fixture.guard.run({ userId }, () =>
      stream(MODEL).result.toUIMessageStreamResponse({ status: 202, headers: { 'x-own': 'kept' } }),
    );
    expect([response.status, response.headers.get('x-own')]).toEqual([202, 'kept']);
    const text = await response.text();
    for (const part of ANSWER) expect(text).toContain(JSON.stringify(part));
    expect(text).toContain('[DONE]');
    await ended(userId).toBe('COMPLETED');
    expect(await fixture.stepsOf(userId)).toMatchObject([{ status: 'COMPLETED', prompt_tokens: 11 }]);
  });

  test('if it returns the result of streamText', async () => {
    const userId = 'result';
    const result = await fixture.guard.run({ userId }, () => stream(MODEL).result);
    expect(await result.text).toBe(ANSWER.join(''));
    await ended(userId).toBe('COMPLETED');
    expect(await fixture.runOf(userId)).toMatchObject({ total_tokens: 18 });
  });

  test('if it returns nothing, and the stream is written elsewhere, with several steps', async () => {
    const timers = holdTimers(5_000);
    const userId = 'elsewhere';
    let text: PromiseLike<string> | undefined;
    const add = tool({
      description: 'Adds',
      inputSchema: z.object({ left: z.number(), right: z.number() }),
      execute: async ({ left, right }) => left + right,
    });
    try {
      await fixture.guard.run({ userId }, () => {
        text = stream(TOOL_MODEL, { tools: { add }, stopWhen: stepCountIs(3) }).result.text;
      });
      expect(await text).toBe(ANSWER.join(''));
      expect(await fixture.runOf(userId)).toMatchObject({ status: 'RUNNING', total_tokens: 36 });
      await expect.poll(() => statusAfter(timers, userId)).toBe('COMPLETED');
    } finally {
      timers.restore();
    }
  });

  test('as FAILED if the response is cut off by the provider', async () => {
    const userId = 'cut-off';
    const response = await fixture.guard.run({ userId }, () =>
      stream(CUT_OFF_MODEL).result.toUIMessageStreamResponse(),
    );
    await expect(response.text()).rejects.toThrow();
    await ended(userId).toBe('FAILED');
    expect(await fixture.stepsOf(userId)).toMatchObject([{ status: 'FAILED' }]);
  });
});

test('a browser that leaves, and a break, are recorded when nobody reads the stream any more', async () => {
  const timers = holdTimers(5_000);
  const now = vi.spyOn(performance, 'now');
  try {
    const response = await fixture.guard.run({ userId: 'left' }, () =>
      stream(MODEL).result.toTextStreamResponse(),
    );
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await fixture.guard.run({ userId: 'broken-off' }, async () => {
      for await (const _ of stream(MODEL).result.textStream) break;
    });
    now.mockReturnValue(performance.now() + 30_000);
    for (const userId of ['left', 'broken-off']) {
      await expect.poll(() => statusAfter(timers, userId), { timeout: 20_000 }).not.toBe('RUNNING');
      const [step] = await fixture.stepsOf(userId);
      expect(step?.status).toMatch(/COMPLETED|FAILED/);
      expect(step?.prompt_tokens).toBeGreaterThan(0);
    }
  } finally {
    now.mockRestore();
    timers.restore();
  }
});

describe('a run is FAILED although streamText has swallowed', () => {
  test('an error of the provider', async () => {
    const userId = 'provider-error';
    await fixture.guard.run({ userId }, async () => {
      const { result, errors } = stream(BROKEN_MODEL);
      await result.consumeStream();
      expect(errors).toHaveLength(1);
    });
    expect(await fixture.runOf(userId)).toMatchObject({ status: 'FAILED', steps: [{ status: 'FAILED' }] });
  });

  test('a denial, which isDenied finds in its error, and which did not reach the provider', async () => {
    const userId = 'denied';
    const before = provider.requests.length;
    await fixture.guard.run({ userId }, async () => {
      await fixture.guard.users.block(userId);
      const { result, errors } = stream(MODEL);
      await result.consumeStream();
      expect(errors.map(isDenied)).toEqual([true]);
      expect(denialIn(errors[0])).toMatchObject({ name: 'StepDeniedError', reason: 'USER_BLOCKED' });
      const error = await Promise.resolve(result.text).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
    });
    expect(provider.requests).toHaveLength(before);
    expect(await fixture.runOf(userId)).toMatchObject({ status: 'FAILED', steps: [{ status: 'BLOCKED' }] });
  });
});

test('a generator as a tool shows its preliminary results, and is a step', async () => {
  const userId = 'generator-tool';
  const parts: unknown[] = [];
  await fixture.guard.run({ userId }, async () => {
    const add = tool({
      description: 'Adds',
      inputSchema: z.object({ left: z.number(), right: z.number() }),
      execute: guardTool(
        async function* ({ left, right }: { left: number; right: number }) {
          yield 'adding';
          yield left + right;
        },
        { name: 'add' },
      ),
    });
    const { result } = stream(TOOL_MODEL, { tools: { add }, stopWhen: stepCountIs(3) });
    for await (const part of result.fullStream) {
      if (part.type === 'tool-result') parts.push([part.output, part.preliminary === true]);
    }
  });
  expect(parts).toEqual([
    ['adding', true],
    [5, true],
    [5, false],
  ]);
  expect((await fixture.stepsOf(userId)).map(({ type, status }) => [type, status])).toEqual([
    ['MODEL_CALL', 'COMPLETED'],
    ['TOOL_CALL', 'COMPLETED'],
    ['MODEL_CALL', 'COMPLETED'],
  ]);
});
