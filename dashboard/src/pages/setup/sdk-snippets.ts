/**
 * Programs with the TypeScript SDK, for Node.js. The SDK asks before each step, reports it and ends the run, so that a program
 * has only its own calls. Pure.
 */

import { type SnippetInput, TEST_DENIAL_USER } from './snippet-input.ts';

export function sdkRun(given: SnippetInput): string {
  return `import { GuardedRuns } from '@guarded-runs/sdk';

${newGuard(given)}

// Starts the run with a lease, asks before the call, reports it, and ends the run.
const result = await guard.run({ userId: 'first-user', leaseSeconds: 60 }, (run) =>
  run.toolCall({ name: 'search', call: async () => 'Call your tool here' }),
);
console.log(result);
`;
}

export function sdkDenial(given: SnippetInput): string {
  return `import { denialIn, GuardedRuns } from '@guarded-runs/sdk';

${newGuard(given)}
const options = { userId: '${TEST_DENIAL_USER}', leaseSeconds: 60, limits: { maxSteps: 1 } };

try {
  await guard.run(options, async (run) => {
    const search = () => run.toolCall({ name: 'search', call: async () => 'Found' });
    console.log(await search());
    console.log(await search());
  });
} catch (error) {
  const denial = denialIn(error);
  if (denial === null) throw error;
  console.log('Denied:', denial.reason);
}
`;
}

export function openAIRun(given: SnippetInput): string {
  return `import { GuardedRuns } from '@guarded-runs/sdk';
import { guardOpenAI } from '@guarded-runs/sdk/openai';
import OpenAI from 'openai';

${newGuard(given)}
const client = new OpenAI();

await guard.run({ userId: 'first-user', leaseSeconds: 60 }, async (run) => {
  const openai = guardOpenAI(client, run);
  const answer = await openai.chat.completions.create({
    model: 'gpt-4o',
    max_completion_tokens: 100,
    messages: [{ role: 'user', content: 'Say hello' }],
  });
  console.log(answer.choices[0]?.message.content);
});
`;
}

export function anthropicRun(given: SnippetInput): string {
  return `import Anthropic from '@anthropic-ai/sdk';
import { GuardedRuns } from '@guarded-runs/sdk';
import { guardAnthropic } from '@guarded-runs/sdk/anthropic';

${newGuard(given)}
const client = new Anthropic();

await guard.run({ userId: 'first-user', leaseSeconds: 60 }, async (run) => {
  const anthropic = guardAnthropic(client, run);
  const message = await anthropic.messages.create({
    model: 'claude-sonnet-5-5',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Say hello' }],
  });
  for (const block of message.content) if (block.type === 'text') console.log(block.text);
});
`;
}

export function aiSdkRun(given: SnippetInput): string {
  return `import { openai } from '@ai-sdk/openai';
import { GuardedRuns } from '@guarded-runs/sdk';
import { guardMiddleware } from '@guarded-runs/sdk/ai-sdk';
import { generateText, wrapLanguageModel } from 'ai';

${newGuard(given)}

await guard.run({ userId: 'first-user', leaseSeconds: 60 }, async (run) => {
  const model = wrapLanguageModel({ model: openai('gpt-4o'), middleware: guardMiddleware(run) });
  const { text } = await generateText({ model, maxOutputTokens: 100, prompt: 'Say hello' });
  console.log(text);
});
`;
}

export function langChainRun(given: SnippetInput): string {
  return `import { GuardedRuns } from '@guarded-runs/sdk';
import { guardMiddleware } from '@guarded-runs/sdk/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';

${newGuard(given)}
const model = new ChatOpenAI({ model: 'gpt-4o', maxTokens: 100 });

await guard.run({ userId: 'first-user', leaseSeconds: 60 }, async (run) => {
  const agent = createAgent({ model, tools: [], middleware: [guardMiddleware(run)] });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Say hello' }] });
  console.log(messages.at(-1)?.text);
});
`;
}

export function openAIAgentsRun(given: SnippetInput): string {
  return `import { GuardedRuns } from '@guarded-runs/sdk';
import { guardRunner } from '@guarded-runs/sdk/openai-agents';
import { guardTool } from '@guarded-runs/sdk/tools';
import { Agent, OpenAIProvider, tool } from '@openai/agents';
import { z } from 'zod';

${newGuard(given)}
const modelProvider = new OpenAIProvider();

await guard.run({ userId: 'first-user', leaseSeconds: 60 }, async (run) => {
  const add = tool({
    name: 'add',
    description: 'Adds two numbers',
    parameters: z.object({ left: z.number(), right: z.number() }),
    execute: guardTool(async ({ left, right }) => String(left + right), { name: 'add', run }),
  });
  const agent = new Agent({ name: 'Greeter', model: 'gpt-4o', tools: [add] });
  const runner = guardRunner({ modelProvider, tracingDisabled: true }, run);
  const { finalOutput } = await runner.run(agent, 'Say hello');
  console.log(finalOutput);
});
`;
}

function newGuard({ url, apiKey }: SnippetInput): string {
  return `const guard = new GuardedRuns({
  baseUrl: '${url}', // or GUARDED_RUNS_URL
  apiKey: '${apiKey}', // or GUARDED_RUNS_API_KEY
});`;
}
