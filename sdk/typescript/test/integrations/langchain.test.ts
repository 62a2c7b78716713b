import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type GuardedRun, StepDenied } from '../../src/index.js';
import { guardCallbacks, guardMiddleware } from '../../src/integrations/langchain.js';
import { type GuardFixture, startGuard } from '../support/guard-fixture.js';
import { ANSWER, type ProviderStandIn, startProvider, TOOL_MODEL } from '../support/provider-stand-in.js';
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
  breakOff: async (call) => {
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
  [fixture, provider] = await Promise.all([startGuard({ models: [TOOL_MODEL] }), startProvider()]);
});
afterAll(() => Promise.all([fixture.stop(), provider.stop()]));

test('the tools of an agent ask, too', async () => {
  const userId = 'using-a-tool';
  const answer = await fixture.guard.run({ userId }, (run) => adding(run, async () => {}));
  expect(answer).toBe(ANSWER.join(''));
  expect(await fixture.stepsOf(userId)).toMatchObject([
    { type: 'MODEL_CALL', sequence: 1, status: 'COMPLETED' },
    { type: 'TOOL_CALL', sequence: 2, status: 'COMPLETED', tool_name: 'add' },
    { type: 'MODEL_CALL', sequence: 3, status: 'COMPLETED' },
  ]);
});

test('a denied tool is not called, and ends the agent', async () => {
  const userId = 'denied-tool';
  const before = provider.requests.length;
  let isCalled = false;
  const run = await fixture.guard.start({ userId });
  // The model answers, and before its tool is called the user is blocked.
  const outcome = adding(
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

async function adding(
  run: GuardedRun,
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
    middleware: [guardMiddleware(run)],
  });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'What is 2 + 3?' }] });
  return messages.at(-1)?.text ?? '';
}
