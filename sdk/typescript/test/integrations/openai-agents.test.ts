import {
  Agent,
  type CallModelInputFilter,
  handoff,
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIProvider,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type GuardedRun, StepDenied, UnguardedCall } from '../../src/index.js';
import { guardModel, guardModelProvider, guardRunner } from '../../src/integrations/openai-agents.js';
import { guardTool } from '../../src/integrations/tools.js';
import { type GuardFixture, MODEL, startGuard } from '../support/guard-fixture.js';
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
  [fixture, provider] = await Promise.all([startGuard({ models: [MODEL, TOOL_MODEL] }), startProvider()]);
});
afterAll(() => Promise.all([fixture.stop(), provider.stop()]));

test('an agent that uses a tool is recorded as model, tool and model call, in this order', async () => {
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

describe('a model instance of an agent', () => {
  test('throws UnguardedCall in a guarded runner, and nothing is sent', async () => {
    const before = provider.requests.length;
    const run = await fixture.guard.start({ userId: 'instance' });
    const runner = runnerOf({ run, provider }, true);
    const agent = new Agent({ name: 'greeter', model: newModel() });
    await expect(runner.run(agent, 'Hi')).rejects.toThrow(UnguardedCall);
    const streamed = await runner.run(agent, 'Hi', { stream: true });
    await expect(streamed.completed).rejects.toThrow(UnguardedCall);
    // The filter of a run replaces the one of the runner.
    const callModelInputFilter: CallModelInputFilter = ({ modelData }) => modelData;
    await expect(runner.run(agent, 'Hi', { callModelInputFilter })).rejects.toThrow(UnguardedCall);
    expect(provider.requests.length).toBe(before);
    expect(await fixture.stepsOf('instance')).toEqual([]);
  });

  test('throws UnguardedCall after a handoff', async () => {
    const run = await fixture.guard.start({ userId: 'handing-off' });
    const before = provider.requests.length;
    const expert = new Agent({ name: 'expert', model: newModel() });
    const agent = new Agent({
      name: 'greeter',
      model: TOOL_MODEL,
      handoffs: [handoff(expert, { toolNameOverride: 'add' })],
    });
    await expect(runnerOf({ run, provider }, false).run(agent, 'Hi')).rejects.toThrow(UnguardedCall);
    expect(provider.requests.length - before).toBe(1);
  });

  test('is guarded by guardModel and recorded under its name', async () => {
    const userId = 'wrapped';
    const { guard } = fixture;
    await guard.run({ userId }, async (run) => {
      const agent = new Agent({ name: 'greeter', model: guardModel(newModel(), { run }) });
      await runnerOf({ run, provider }, true).run(agent, 'Hi');
    });
    expect(await fixture.stepsOf(userId)).toMatchObject([{ model: MODEL, cost_usd: 0.000_092 }]);
    const run = await guard.start({ userId });
    const agent = new Agent({ name: 'greeter', model: guardModel(newModel(), { run }) });
    await guard.users.block(userId);
    const before = provider.requests.length;
    await expect(new Runner({ tracingDisabled: true }).run(agent, 'Hi')).rejects.toThrow(StepDenied);
    expect(provider.requests.length).toBe(before);
  });

  test('is guarded as the model of a runner', async () => {
    const userId = 'model-of-runner';
    await fixture.guard.run({ userId }, (run) =>
      guardRunner({ modelProvider: newProvider(true), model: newModel(), tracingDisabled: true }, run).run(
        new Agent({ name: 'greeter' }),
        'Hi',
      ),
    );
    expect(await fixture.stepsOf(userId)).toMatchObject([{ model: MODEL, cost_usd: 0.000_092 }]);
  });
});

test('an agent used as a tool is guarded', async () => {
  const userId = 'nested';
  await fixture.guard.run({ userId }, (run) => {
    const helper = new Agent({ name: 'helper', model: MODEL });
    const parameters = z.object({ left: z.number(), right: z.number() });
    const add = helper.asTool({ toolName: 'add', toolDescription: 'Adds', parameters });
    const agent = new Agent({ name: 'adder', model: TOOL_MODEL, tools: [add] });
    return runnerOf({ run, provider }, true).run(agent, 'What is 2 + 3?');
  });
  const models = (await fixture.stepsOf(userId)).map(({ model }) => model);
  expect(models).toEqual([TOOL_MODEL, MODEL, TOOL_MODEL]);
});

test('a model without a known name throws UnguardedCall unless a name is passed', async () => {
  const client = new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1`, maxRetries: 0 });
  // This class does not expose its name.
  const model: Model = new OpenAIChatCompletionsModel(client, MODEL);
  const userId = 'nameless';
  await fixture.guard.run({ userId }, async (run) => {
    expect(() => guardModel(model, { run })).toThrow(UnguardedCall);
    const runner = guardRunner({ modelProvider: { getModel: () => model }, tracingDisabled: true }, run);
    await expect(runner.run(new Agent({ name: 'greeter' }), 'Hi')).rejects.toThrow(UnguardedCall);
    const agent = new Agent({ name: 'greeter', model: guardModel(model, { run, name: MODEL }) });
    await runner.run(agent, 'Hi');
  });
  expect(await fixture.stepsOf(userId)).toMatchObject([{ model: MODEL, cost_usd: 0.000_092 }]);
});

test('a stored prompt, which has its own model, throws UnguardedCall unless the agent sets one', async () => {
  const userId = 'prompting';
  const prompt = { promptId: 'stored' };
  await fixture.guard.run({ userId }, async (run) => {
    const runner = runnerOf({ run, provider }, true);
    const unnamed = new Agent({ name: 'greeter', prompt });
    await expect(runner.run(unnamed, 'Hi')).rejects.toThrow(UnguardedCall);
    await runner.run(new Agent({ name: 'greeter', prompt, model: MODEL }), 'Hi');
  });
  expect(await fixture.stepsOf(userId)).toMatchObject([{ model: MODEL, cost_usd: 0.000_092 }]);
});

test('guardModelProvider guards the models of the provider', async () => {
  const userId = 'provider-alone';
  await fixture.guard.run({ userId }, (run) => {
    const modelProvider = guardModelProvider(newProvider(true), run);
    return new Runner({ modelProvider, tracingDisabled: true }).run(agentOf({ model: MODEL }), 'Hi');
  });
  expect(await fixture.stepsOf(userId)).toMatchObject([{ model: MODEL, cost_usd: 0.000_092 }]);
});

function agentOf({ model }: Pick<Call, 'model'>) {
  return new Agent({ name: 'greeter', model });
}

function newModel(): Model {
  const client = new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1`, maxRetries: 0 });
  return new OpenAIResponsesModel(client, MODEL);
}

function newProvider(useResponses: boolean, at = provider): OpenAIProvider {
  const openAIClient = new OpenAI({ apiKey: 'none', baseURL: `${at.url}/v1`, maxRetries: 0 });
  return new OpenAIProvider({ openAIClient, useResponses });
}

function runnerOf(given: { run: GuardedRun; provider: ProviderStandIn }, useResponses: boolean): Runner {
  const modelProvider = newProvider(useResponses, given.provider);
  return guardRunner({ modelProvider, tracingDisabled: true }, given.run);
}
