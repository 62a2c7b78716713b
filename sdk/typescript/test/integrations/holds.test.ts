/** Every integration holds what the request of its real package may cost, before the provider is called. */

import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, setTracingDisabled } from '@openai/agents';
import { tool as aiSdkTool, generateText, streamText, wrapLanguageModel } from 'ai';
import { createAgent, initChatModel, tool as langChainTool } from 'langchain';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { denialIn, type GuardedRun, StepDenied } from '../../src/index.js';
import { guardMiddleware as guardAiSdk } from '../../src/integrations/ai-sdk.js';
import { guardAnthropic } from '../../src/integrations/anthropic.js';
import { guardCallbacks, guardMiddleware } from '../../src/integrations/langchain.js';
import { guardOpenAI } from '../../src/integrations/openai.js';
import { guardRunner } from '../../src/integrations/openai-agents.js';
import { guardTool } from '../../src/integrations/tools.js';
import { type GuardFixture, MODEL, startGuard } from '../support/guard-fixture.js';
import { type ProviderStandIn, STALLED_MODEL, startProvider } from '../support/provider-stand-in.js';
import { recordSteps } from '../support/record-steps.js';

setTracingDisabled(true);

interface Prompt {
  readonly run: GuardedRun;
  readonly text: string;
  readonly maxTokens?: number | undefined;
  /** Base64 of an image in the prompt. */
  readonly image?: string | undefined;
  /** The description of a tool of the request. */
  readonly tool?: string | undefined;
}

interface Row {
  readonly name: string;
  readonly call: (prompt: Prompt) => Promise<unknown>;
  /** Without a limit in the request. */
  readonly defaultMaxTokens?: number;
  readonly hasImages?: boolean;
  readonly hasTools?: boolean;
}

let fixture: GuardFixture;
let provider: ProviderStandIn;
beforeAll(async () => {
  [fixture, provider] = await Promise.all([startGuard({ models: [MODEL, STALLED_MODEL] }), startProvider()]);
});
afterAll(() => Promise.all([fixture.stop(), provider.stop()]));

const newOpenAI = () => new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1`, maxRetries: 0 });
const newAnthropic = () => new Anthropic({ apiKey: 'none', baseURL: provider.url, maxRetries: 0 });
const dataUrl = (image: string) => `data:image/png;base64,${image}`;
const parameters = { type: 'object' as const, properties: {} };

const ROWS: readonly Row[] = [
  { name: 'OpenAI chat completions', call: chat },
  { name: 'OpenAI responses', call: responses },
  { name: 'OpenAI embeddings', call: embed, defaultMaxTokens: 0, hasImages: false, hasTools: false },
  { name: 'Anthropic messages', call: anthropic, defaultMaxTokens: 100 },
  { name: 'AI SDK, generated', call: (prompt) => generateText(aiSdkOptions(prompt)) },
  { name: 'AI SDK, streamed', call: streamAiSdk },
  { name: 'LangChain callback handler', call: langChainModel },
  { name: 'LangChain middleware', call: langChainAgent },
  { name: 'OpenAI Agents SDK with chat completions', call: (prompt) => agents(prompt, false) },
  { name: 'OpenAI Agents SDK with responses', call: (prompt) => agents(prompt, true) },
];

describe.each(ROWS)('$name', ({ call, defaultMaxTokens = 4_096, hasImages = true, hasTools = true }) => {
  async function estimateOf(prompt: Omit<Prompt, 'run'>, options = {}) {
    const recorded = recordSteps();
    const guard = fixture.client({ fetch: recorded.fetch, ...options });
    await guard.run({ userId: 'estimating' }, (run) => call({ run, ...prompt }));
    expect(recorded.estimates()).toEqual([
      { estimated_prompt_tokens: expect.any(Number), max_completion_tokens: expect.any(Number) },
    ]);
    const [estimate] = recorded.estimates();
    return {
      prompt: Number(estimate?.['estimated_prompt_tokens']),
      completion: Number(estimate?.['max_completion_tokens']),
    };
  }

  test('holds the bytes of the text, also if a character has several', async () => {
    const text = 'né 日本語 🙂\n"'.repeat(100);
    const bytes = Buffer.byteLength(text);
    const [short, long] = [await estimateOf({ text: 'x' }), await estimateOf({ text })];
    expect(short.prompt).toBeGreaterThan(0);
    expect(short.prompt).toBeLessThan(60);
    expect(Math.abs(long.prompt - short.prompt - (bytes - 1) / 3)).toBeLessThan(1);
    const bound = { holdBound: 'bound' } as const;
    const added =
      (await estimateOf({ text }, bound)).prompt - (await estimateOf({ text: 'x' }, bound)).prompt;
    expect(added).toBe(bytes - 1);
  });

  test('holds the limit of the completion', async () => {
    expect(await estimateOf({ text: 'x' })).toMatchObject({ completion: defaultMaxTokens });
    if (defaultMaxTokens === 0) return;
    expect(await estimateOf({ text: 'x', maxTokens: 33 })).toMatchObject({ completion: 33 });
  });

  if (hasImages) {
    test('holds a fixed number of tokens for an image', async () => {
      const [small, large] = [
        await estimateOf({ text: 'x', image: 'iVBORw0KGgo=' }),
        await estimateOf({ text: 'x', image: Buffer.alloc(100_000).toString('base64') }),
      ];
      expect(large.prompt).toBe(small.prompt);
      const plain = await estimateOf({ text: 'x' });
      expect(large.prompt - plain.prompt).toBeGreaterThanOrEqual(5_000);
      expect(large.prompt - plain.prompt).toBeLessThan(5_020);
    });
  }

  if (hasTools) {
    test('holds the definitions of tools', async () => {
      const short = await estimateOf({ text: 'x', tool: 'Adds' });
      const long = await estimateOf({ text: 'x', tool: 'Adds'.repeat(100) });
      expect(Math.abs(long.prompt - short.prompt - 396 / 3)).toBeLessThan(1);
    });
  }

  test('is denied before the provider is called if its hold does not fit', async () => {
    const before = provider.requests.length;
    const limits = { maxCostUsd: 0.000_001 };
    const run = await fixture.guard.start({ userId: 'exceeding', limits });
    const error = await call({ run, text: 'x'.repeat(100) }).then(() => null, denialIn);
    expect(error).toBeInstanceOf(StepDenied);
    expect(error).toMatchObject({ reason: 'RUN_COST_LIMIT_EXCEEDED', remainingUsd: 0.000_001 });
    expect((error as StepDenied).holdUsd).toBeGreaterThan(0.000_001);
    expect(provider.requests.length).toBe(before);
    await run.end('FAILED');
  });

  test('holds nothing if holds are off', async () => {
    const recorded = recordSteps();
    const guard = fixture.client({ hold: 'off', fetch: recorded.fetch });
    await guard.run({ userId: 'off' }, (run) => call({ run, text: 'x' }));
    expect(recorded.estimates()).toEqual([{}]);
  });
});

test('parallel calls do not overshoot a budget together', async () => {
  const { guard } = fixture;
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  // 17 bytes of text are 6 tokens: 6 × 0.000002 + 100 × 0.00001.
  const holdUsd = 0.001_012;
  const run = await guard.start({ userId: 'parallel', limits: { maxCostUsd: 0.003_5 } });
  const client = guardOpenAI(newOpenAI(), run);
  const before = provider.requests.length;
  const body = { model: STALLED_MODEL, max_tokens: 100, messages, stream: true as const };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => client.chat.completions.create(body)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(provider.requests.length - before).toBe(3);
  expect((await fixture.runOf('parallel')).held_usd).toBeCloseTo(3 * holdUsd, 12);
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') outcome.value.controller.abort();
  await run.end();
});

test('several completions, lists of prompts and tokens are counted', async () => {
  const recorded = recordSteps();
  const guard = fixture.client({ fetch: recorded.fetch });
  await guard.run({ userId: 'several' }, async (run) => {
    const client = guardOpenAI(newOpenAI(), run);
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    await client.chat.completions.create({ model: MODEL, messages, n: 3, max_completion_tokens: 10 });
    await client.embeddings.create({ model: MODEL, input: ['abc', 'def'] });
    await client.embeddings.create({ model: MODEL, input: [[1, 2, 3], [4]] });
  });
  expect(recorded.estimates()).toEqual([
    { estimated_prompt_tokens: 6, max_completion_tokens: 30 },
    { estimated_prompt_tokens: 2, max_completion_tokens: 0 },
    { estimated_prompt_tokens: 4, max_completion_tokens: 0 },
  ]);
});

test('audio and files have their own constants, and a document of text is text', async () => {
  const recorded = recordSteps();
  const guard = fixture.client({ fetch: recorded.fetch });
  const data = Buffer.alloc(30_000).toString('base64');
  await guard.run({ userId: 'parts' }, async (run) => {
    const openai = guardOpenAI(newOpenAI(), run);
    const input_audio = { data, format: 'wav' as const };
    const file = { file_data: `data:application/pdf;base64,${data}` };
    await openai.chat.completions.create({
      model: MODEL,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'input_audio', input_audio },
            { type: 'file', file },
          ],
        },
      ],
    });
    const messages = guardAnthropic(newAnthropic(), run).messages;
    const create = (source: Anthropic.Base64PDFSource | Anthropic.PlainTextSource) =>
      messages.create({
        model: MODEL,
        max_tokens: 10,
        messages: [{ role: 'user', content: [{ type: 'document', source }] }],
      });
    await create({ type: 'base64', media_type: 'application/pdf', data });
    await create({ type: 'text', media_type: 'text/plain', data });
  });
  const [both = 0, pdf = 0, text = 0] = recorded
    .estimates()
    .map((estimate) => Number(estimate['estimated_prompt_tokens']));
  expect(Math.floor(both / 100)).toBe(600);
  expect(Math.floor(pdf / 100)).toBe(500);
  expect(Math.floor(text / 100)).toBe(Math.floor(data.length / 300));
});

describe('everything that an agent adds to the prompt is counted', () => {
  const TEXT = 'x'.repeat(3_000);
  const schema = z.object({ answer: z.string().describe(TEXT) });
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const options = () => ({
    apiKey: 'none',
    maxRetries: 0,
    maxTokens: 44,
    configuration: { baseURL: `${provider.url}/v1` },
  });
  const agent = async (run: GuardedRun, more: { systemPrompt?: string; responseFormat?: typeof schema }) => {
    const model = await initChatModel(MODEL, { ...options(), modelProvider: 'openai' });
    // The stand-in does not answer in the format.
    await createAgent({ model, tools: [], middleware: [guardMiddleware(run)], ...more })
      .invoke({ messages })
      .catch(() => {});
  };
  const openAIAgent = async (
    run: GuardedRun,
    more: { instructions?: string; outputType?: typeof schema },
  ) => {
    const modelProvider = new OpenAIProvider({ openAIClient: newOpenAI(), useResponses: true });
    const greeter = new Agent({ name: 'greeter', model: MODEL, modelSettings: { maxTokens: 44 }, ...more });
    const runner = guardRunner({ modelProvider, tracingDisabled: true }, run);
    await runner.run(greeter as unknown as Agent, 'Hi').catch(() => {});
  };

  test.each<[string, (run: GuardedRun) => Promise<unknown>]>([
    ['the system prompt of a LangChain agent', (run) => agent(run, { systemPrompt: TEXT })],
    ['the format of a LangChain agent', (run) => agent(run, { responseFormat: schema })],
    ['the instructions of an agent', (run) => openAIAgent(run, { instructions: TEXT })],
    ['the output type of an agent', (run) => openAIAgent(run, { outputType: schema })],
  ])('%s', async (_, call) => {
    const recorded = recordSteps();
    await fixture.client({ fetch: recorded.fetch }).run({ userId: 'adding' }, call);
    const [estimate] = recorded.estimates();
    expect(estimate).toMatchObject({ max_completion_tokens: 44 });
    expect(Math.floor(Number(estimate?.['estimated_prompt_tokens']) / 100)).toBe(10);
  });
});

test('data of a tool that looks like an image is text', async () => {
  const recorded = recordSteps();
  const guard = fixture.client({ fetch: recorded.fetch });
  await guard.run({ userId: 'disguised' }, (run) =>
    guardAnthropic(newAnthropic(), run).messages.create({
      model: MODEL,
      max_tokens: 10,
      messages: [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'a', name: 'draw', input: { type: 'image', x: 'x'.repeat(90) } }],
        },
      ],
    }),
  );
  expect(Number(recorded.estimates()[0]?.['estimated_prompt_tokens'])).toBeLessThan(100);
});

test('a guarded tool holds its amount', async () => {
  const recorded = recordSteps();
  const guard = fixture.client({ fetch: recorded.fetch });
  await guard.run({ userId: 'tool' }, (run) => guardTool(() => 1, { name: 'search', run, hold: 0.25 })());
  expect(recorded.estimates()).toEqual([{ estimated_cost_usd: 0.25 }]);
});

function chat({ run, text, maxTokens, image, tool }: Prompt): Promise<unknown> {
  return guardOpenAI(newOpenAI(), run).chat.completions.create({
    model: MODEL,
    messages: [
      {
        role: 'user',
        content:
          image === undefined
            ? text
            : [
                { type: 'text', text },
                { type: 'image_url', image_url: { url: dataUrl(image) } },
              ],
      },
    ],
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(tool === undefined
      ? {}
      : { tools: [{ type: 'function', function: { name: 'add', description: tool, parameters } }] }),
  });
}

function responses({ run, text, maxTokens, image, tool }: Prompt): Promise<unknown> {
  return guardOpenAI(newOpenAI(), run).responses.create({
    model: MODEL,
    input:
      image === undefined
        ? text
        : [
            {
              role: 'user',
              content: [
                { type: 'input_text', text },
                { type: 'input_image', image_url: dataUrl(image), detail: 'auto' },
              ],
            },
          ],
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(tool === undefined
      ? {}
      : { tools: [{ type: 'function', name: 'add', description: tool, parameters, strict: false }] }),
  });
}

function embed({ run, text }: Prompt): Promise<unknown> {
  return guardOpenAI(newOpenAI(), run).embeddings.create({ model: MODEL, input: text });
}

function anthropic({ run, text, maxTokens, image, tool }: Prompt): Promise<unknown> {
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: image ?? '' };
  return guardAnthropic(newAnthropic(), run).messages.create({
    model: MODEL,
    max_tokens: maxTokens ?? 100,
    messages: [
      {
        role: 'user',
        content:
          image === undefined
            ? text
            : [
                { type: 'text', text },
                { type: 'image', source },
              ],
      },
    ],
    ...(tool === undefined ? {} : { tools: [{ name: 'add', description: tool, input_schema: parameters }] }),
  });
}

function aiSdkOptions({ run, text, maxTokens, image, tool }: Prompt) {
  const model = createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }).chat(MODEL);
  const content = [
    { type: 'text' as const, text },
    ...(image === undefined ? [] : [{ type: 'image' as const, image: Buffer.from(image, 'base64') }]),
  ];
  return {
    model: wrapLanguageModel({ model, middleware: guardAiSdk(run) }),
    messages: [{ role: 'user' as const, content }],
    maxRetries: 0,
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(tool === undefined ? {} : { tools: { add: aiSdkAdder(tool) } }),
  };
}

const aiSdkAdder = (description: string) =>
  aiSdkTool({
    description,
    inputSchema: z.object({ left: z.number() }),
    execute: async ({ left }) => String(left),
  });

async function streamAiSdk(prompt: Prompt): Promise<void> {
  const { fullStream } = streamText({ ...aiSdkOptions(prompt), onError: () => {} });
  for await (const part of fullStream) if (part.type === 'error') throw part.error;
}

const newChatModel = (maxTokens: number | undefined) =>
  new ChatOpenAI({
    model: MODEL,
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: `${provider.url}/v1` },
    ...(maxTokens === undefined ? {} : { maxTokens }),
  });

function humanMessage({ text, image }: Prompt): HumanMessage {
  if (image === undefined) return new HumanMessage(text);
  return new HumanMessage({
    content: [
      { type: 'text', text },
      { type: 'image_url', image_url: { url: dataUrl(image) } },
    ],
  });
}

const adder = (description: string) =>
  langChainTool(() => '', { name: 'add', description, schema: z.object({ left: z.number() }) });

function langChainModel(prompt: Prompt): Promise<unknown> {
  const model = newChatModel(prompt.maxTokens);
  const bound = prompt.tool === undefined ? model : model.bindTools([adder(prompt.tool)]);
  return bound.invoke([humanMessage(prompt)], { callbacks: [guardCallbacks(prompt.run)] });
}

function langChainAgent(prompt: Prompt): Promise<unknown> {
  const agent = createAgent({
    model: newChatModel(prompt.maxTokens),
    tools: prompt.tool === undefined ? [] : [adder(prompt.tool)],
    middleware: [guardMiddleware(prompt.run)],
  });
  return agent.invoke({ messages: [humanMessage(prompt)] });
}

function agents({ run, text, maxTokens, image, tool }: Prompt, useResponses: boolean): Promise<unknown> {
  const modelProvider = new OpenAIProvider({ openAIClient: newOpenAI(), useResponses });
  const runner = guardRunner({ modelProvider, tracingDisabled: true }, run);
  const agent = new Agent({
    name: 'greeter',
    model: MODEL,
    modelSettings: maxTokens === undefined ? {} : { maxTokens },
    tools:
      tool === undefined
        ? []
        : [
            {
              type: 'function',
              name: 'add',
              description: tool,
              parameters: { ...parameters, required: [], additionalProperties: false },
              strict: true,
              invoke: async () => '',
              needsApproval: async () => false,
              isEnabled: async () => true,
            },
          ],
  });
  if (image === undefined) return runner.run(agent, text);
  const content = [
    { type: 'input_text' as const, text },
    { type: 'input_image' as const, image: dataUrl(image) },
  ];
  return runner.run(agent, [{ role: 'user', content }]);
}
