import { FakeListChatModel } from '@langchain/core/utils/testing';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, createMiddleware, initChatModel, modelFallbackMiddleware, tool } from 'langchain';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type GuardedRun, StepDenied, UnguardedCall } from '../../src/index.js';
import { guardCallbacks, guardMiddleware } from '../../src/integrations/langchain.js';
import { type GuardFixture, MODEL, startGuard } from '../support/guard-fixture.js';
import {
  ANSWER,
  BROKEN_MODEL,
  type ProviderStandIn,
  startProvider,
  TOOL_MODEL,
} from '../support/provider-stand-in.js';
import { type Call, describeIntegration } from './integration-contract.js';

const modelOf = ({ provider, model }: Omit<Call, 'run'>, options = {}) =>
  new ChatOpenAI({
    model,
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: `${provider.url}/v1` },
    ...options,
  });

describeIntegration({
  name: 'LangChain callback handler',
  generate: async (call) => {
    const { text } = await modelOf(call).invoke('Hi', { callbacks: [guardCallbacks(call.run)] });
    return text;
  },
  stream: async (call) => {
    const texts: string[] = [];
    for await (const { text } of await modelOf(call).stream('Hi', {
      callbacks: [guardCallbacks(call.run)],
    })) {
      if (text !== '') texts.push(text);
    }
    return texts;
  },
  abandon: async (call) => {
    const controller = new AbortController();
    const options = { callbacks: [guardCallbacks(call.run)], signal: controller.signal };
    const reading = async () => {
      for await (const _ of await modelOf(call).stream('Hi', options)) controller.abort();
    };
    await expect(reading()).rejects.toThrow();
  },
});

describeIntegration({
  name: 'LangChain middleware',
  generate: async (call) => {
    const agent = createAgent({ model: modelOf(call), tools: [], middleware: [guardMiddleware(call.run)] });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Hi' }] });
    return messages.at(-1)?.text ?? '';
  },
  stream: async (call) => {
    const agent = createAgent({ model: modelOf(call), tools: [], middleware: [guardMiddleware(call.run)] });
    const input = { messages: [{ role: 'user', content: 'Hi' }] };
    const texts: string[] = [];
    for await (const [chunk] of await agent.stream(input, { streamMode: 'messages' })) {
      if (chunk.text !== '') texts.push(chunk.text);
    }
    return texts;
  },
});

let fixture: GuardFixture;
let provider: ProviderStandIn;
beforeAll(async () => {
  [fixture, provider] = await Promise.all([startGuard({ models: [MODEL, TOOL_MODEL] }), startProvider()]);
});
afterAll(() => Promise.all([fixture.stop(), provider.stop()]));

test('the tools of an agent are guarded', async () => {
  const userId = 'using-a-tool';
  const answer = await fixture.guard.run({ userId }, (run) => runAdder(run, async () => {}));
  expect(answer).toBe(ANSWER.join(''));
  expect(await fixture.stepsOf(userId)).toMatchObject([
    { type: 'MODEL_CALL', sequence: 1, status: 'COMPLETED' },
    { type: 'TOOL_CALL', sequence: 2, status: 'COMPLETED', tool_name: 'add' },
    { type: 'MODEL_CALL', sequence: 3, status: 'COMPLETED' },
  ]);
});

test('an error of a tool is told to the model in the same words as without the guard, and the agent goes on', async () => {
  const userId = 'failing-tool';
  const failing = async () => {
    throw new Error('no such number');
  };
  const told = () => provider.requests.at(-1)?.body.messages;
  const answer = await fixture.guard.run({ userId }, async (run) => {
    const unguarded = await runAdder(null, failing);
    const expected = told();
    const guarded = await runAdder(run, failing);
    expect(JSON.stringify(told())).toContain('no such number');
    expect(told()).toEqual(expected);
    expect(guarded).toBe(unguarded);
    return guarded;
  });
  expect(answer).toBe(ANSWER.join(''));
  expect(await fixture.stepsOf(userId)).toMatchObject([
    { type: 'MODEL_CALL', status: 'COMPLETED' },
    { type: 'TOOL_CALL', status: 'FAILED', error: 'no such number' },
    { type: 'MODEL_CALL', status: 'COMPLETED' },
  ]);
});

test('a denied tool is not called and ends the agent', async () => {
  const userId = 'denied-tool';
  const before = provider.requests.length;
  let isCalled = false;
  const run = await fixture.guard.start({ userId });
  // The user is blocked after the model has responded and before the tool is called.
  const outcome = runAdder(
    run,
    async () => {
      isCalled = true;
    },
    () => fixture.guard.users.block(userId),
  );
  const error = await outcome.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ cause: expect.any(StepDenied) });
  expect(isCalled).toBe(false);
  expect(provider.requests.length - before).toBe(1);
  expect(await fixture.stepsOf(userId)).toMatchObject([
    { type: 'MODEL_CALL', status: 'COMPLETED' },
    { type: 'TOOL_CALL', status: 'BLOCKED' },
  ]);
});

describe('the model is recorded under its name, and has a price, if it is configured as', () => {
  type AgentModel = Parameters<typeof createAgent>[0]['model'];
  const fields = () => ({
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: `${provider.url}/v1` },
  });
  const instance = () => modelOf({ provider, model: MODEL });
  const configurable = () =>
    initChatModel(TOOL_MODEL, {
      ...fields(),
      modelProvider: 'openai',
      configurableFields: ['model'],
      configPrefix: 'chosen',
    });
  const chosen = { configurable: { chosen_model: MODEL } };

  afterEach(() => vi.unstubAllEnvs());

  const ways: Record<string, { model: () => AgentModel | Promise<AgentModel>; config?: object }> = {
    'an instance': { model: instance },
    'an instance with a configuration': { model: () => instance().withConfig({ tags: ['x'] }) as AgentModel },
    'provider:model': { model: () => `openai:${MODEL}` },
    initChatModel: { model: () => initChatModel(MODEL, { ...fields(), modelProvider: 'openai' }) },
    'initChatModel with provider:model': {
      model: () => initChatModel(`openai:${MODEL}`, fields()),
    },
    'initChatModel, configured for the call': { model: configurable, config: chosen },
    'initChatModel, configured before the call': {
      model: async () => (await configurable()).withConfig(chosen) as unknown as AgentModel,
    },
  };

  test.each(Object.entries(ways))('%s', async (userId, { model, config = {} }) => {
    vi.stubEnv('OPENAI_API_KEY', 'none');
    vi.stubEnv('OPENAI_BASE_URL', `${provider.url}/v1`);
    const given = await model();
    await fixture.guard.run({ userId }, async (run) => {
      const agent = createAgent({ model: given, tools: [], middleware: [guardMiddleware(run)] });
      await agent.invoke({ messages: [{ role: 'user', content: 'Hi' }] }, config);
    });
    expect(provider.requests.at(-1)?.body.model).toBe(MODEL);
    expect(await fixture.stepsOf(userId)).toMatchObject([
      { status: 'COMPLETED', model: MODEL, cost_usd: 0.000_092 },
    ]);
  });

  test('initChatModel without an agent', async () => {
    const model = await initChatModel(MODEL, { ...fields(), modelProvider: 'openai' });
    await fixture.guard.run({ userId: 'outside' }, (run) =>
      model.invoke('Hi', { callbacks: [guardCallbacks(run)] }),
    );
    expect(await fixture.stepsOf('outside')).toMatchObject([{ model: MODEL, cost_usd: 0.000_092 }]);
  });
});

describe('middleware that changes the model', () => {
  const switching = () =>
    createMiddleware({
      name: 'Switching',
      wrapModelCall: (request, handler) =>
        handler({ ...request, model: modelOf({ provider, model: MODEL }) }),
    });
  const input = { messages: [{ role: 'user', content: 'Hi' }] };

  test('before the guard: the model that is called is recorded', async () => {
    await fixture.guard.run({ userId: 'switching' }, (run) => {
      const middleware = [switching(), guardMiddleware(run)];
      return createAgent({ model: modelOf({ provider, model: TOOL_MODEL }), middleware }).invoke(input);
    });
    expect(await fixture.stepsOf('switching')).toMatchObject([{ model: MODEL, cost_usd: 0.000_092 }]);
  });

  test('before the guard: each model of a fallback is a step', async () => {
    await fixture.guard.run({ userId: 'falling-back' }, (run) => {
      const middleware = [modelFallbackMiddleware(modelOf({ provider, model: MODEL })), guardMiddleware(run)];
      return createAgent({ model: modelOf({ provider, model: BROKEN_MODEL }), middleware }).invoke(input);
    });
    expect(await fixture.stepsOf('falling-back')).toMatchObject([
      { model: BROKEN_MODEL, status: 'FAILED' },
      { model: MODEL, status: 'COMPLETED', cost_usd: 0.000_092 },
    ]);
  });

  test('after the guard: the call throws UnguardedCall, because permission was for another model', async () => {
    const before = provider.requests.length;
    const run = await fixture.guard.start({ userId: 'switching-late' });
    const middleware = [guardMiddleware(run), switching()];
    const agent = createAgent({ model: modelOf({ provider, model: TOOL_MODEL }), middleware });
    const error = await agent.invoke(input).catch((thrown: unknown) => thrown);
    expect(causesOf(error)).toContainEqual(expect.any(UnguardedCall));
    expect(provider.requests.length).toBe(before);
    expect(await fixture.stepsOf('switching-late')).toMatchObject([{ status: 'FAILED' }]);
  });
});

describe('a model whose name LangChain does not expose', () => {
  const nameless = () => new FakeListChatModel({ responses: ['Hello'] });
  const invoke = (middleware: ReturnType<typeof guardMiddleware>) =>
    createAgent({ model: nameless(), middleware: [middleware] }).invoke({
      messages: [{ role: 'user', content: 'Hi' }],
    });

  test('throws UnguardedCall, because it would have no price', async () => {
    const run = await fixture.guard.start({ userId: 'nameless' });
    const error = await invoke(guardMiddleware(run)).catch((thrown: unknown) => thrown);
    expect(causesOf(error)).toContainEqual(expect.any(UnguardedCall));
    const outside = nameless().invoke('Hi', { callbacks: [guardCallbacks(run)] });
    await expect(outside).rejects.toThrow(UnguardedCall);
    expect(await fixture.stepsOf('nameless')).toEqual([]);
  });

  test('is recorded under the name in the options', async () => {
    await fixture.guard.run({ userId: 'named' }, async (run) => {
      await invoke(guardMiddleware(run, { model: MODEL }));
      await nameless().invoke('Hi', { callbacks: [guardCallbacks(run, { model: MODEL })] });
    });
    expect(await fixture.stepsOf('named')).toMatchObject([{ model: MODEL }, { model: MODEL }]);
  });
});

function causesOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

async function runAdder(
  run: GuardedRun | null,
  onCall: () => Promise<void>,
  afterModel: () => Promise<unknown> = async () => {},
): Promise<string> {
  const add = tool(
    async ({ left, right }: { left: number; right: number }) => {
      await onCall();
      return String(left + right);
    },
    { name: 'add', description: 'Adds', schema: z.object({ left: z.number(), right: z.number() }) },
  );
  const agent = createAgent({
    model: modelOf(
      { provider, model: TOOL_MODEL },
      { callbacks: [{ handleLLMEnd: afterModel, awaitHandlers: true }] },
    ),
    tools: [add],
    middleware: run === null ? [] : [guardMiddleware(run)],
  });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'What is 2 + 3?' }] });
  return messages.at(-1)?.text ?? '';
}
