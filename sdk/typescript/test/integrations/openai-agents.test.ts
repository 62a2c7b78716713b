import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { guardModelProvider } from '../../src/integrations/openai-agents.js';
import { guardTool } from '../../src/integrations/tools.js';
import { type GuardFixture, startGuard } from '../support/guard-fixture.js';
import { ANSWER, type ProviderStandIn, startProvider, TOOL_MODEL } from '../support/provider-stand-in.js';
import { type Call, describeIntegration } from './integration-contract.js';

setTracingDisabled(true);

for (const useResponses of [false, true]) {
  describeIntegration({
    name: `OpenAI Agents SDK with ${useResponses ? 'responses' : 'chat completions'}`,
    generate: async (call) => {
      const { finalOutput } = await runnerOf(call, useResponses).run(agentOf(call), 'Hi');
      return String(finalOutput);
    },
    stream: async (call) => {
      const result = await runnerOf(call, useResponses).run(agentOf(call), 'Hi', { stream: true });
      const texts: string[] = [];
      for await (const text of result.toTextStream()) texts.push(text);
      await result.completed;
      if (result.error !== null && result.error !== undefined) throw result.error;
      return texts;
    },
  });
}

let fixture: GuardFixture;
let provider: ProviderStandIn;
beforeAll(async () => {
  [fixture, provider] = await Promise.all([startGuard({ models: [TOOL_MODEL] }), startProvider()]);
});
afterAll(() => Promise.all([fixture.stop(), provider.stop()]));

test('an agent that uses a tool is recorded as model, tool and model in this order', async () => {
  const userId = 'using-a-tool';
  const answer = await fixture.guard.run({ userId }, async (run) => {
    const add = tool({
      name: 'add',
      description: 'Adds',
      parameters: z.object({ left: z.number(), right: z.number() }),
      execute: guardTool(async ({ left, right }) => String(left + right), { name: 'add', run }),
    });
    const agent = new Agent({ name: 'adder', model: TOOL_MODEL, tools: [add] });
    const { finalOutput } = await runnerOf({ run, provider }, true).run(agent, 'What is 2 + 3?');
    return finalOutput;
  });
  expect(answer).toBe(ANSWER.join(''));
  expect(await fixture.stepsOf(userId)).toMatchObject([
    { type: 'MODEL_CALL', sequence: 1, status: 'COMPLETED' },
    { type: 'TOOL_CALL', sequence: 2, status: 'COMPLETED', tool_name: 'add' },
    { type: 'MODEL_CALL', sequence: 3, status: 'COMPLETED' },
  ]);
});

test('the default model of a provider is recorded under its name', async () => {
  const userId = 'default-model';
  await fixture.guard.run({ userId }, (run) =>
    runnerOf({ run, provider }, true).run(new Agent({ name: 'greeter' }), 'Hi'),
  );
  const [step] = await fixture.stepsOf(userId);
  expect(step?.model).toBe(provider.requests.at(-1)?.body.model);
});

function agentOf({ model }: Call) {
  return new Agent({ name: 'greeter', model });
}

function runnerOf({ run, provider }: Omit<Call, 'model'>, useResponses: boolean): Runner {
  const openAIClient = new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1`, maxRetries: 0 });
  const modelProvider = new OpenAIProvider({ openAIClient, useResponses });
  return new Runner({ modelProvider: guardModelProvider(modelProvider, run), tracingDisabled: true });
}
