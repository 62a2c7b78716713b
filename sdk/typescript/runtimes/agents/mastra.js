/** The recipe for Mastra: its agent takes a model of the AI SDK, and every call of it belongs to the current run. */

import process from 'node:process';
import { createOpenAI } from '@ai-sdk/openai';
import { GuardedRuns } from '@guarded-runs/sdk';
import { guardMiddleware } from '@guarded-runs/sdk/ai-sdk';
import { Agent } from '@mastra/core/agent';
import { wrapLanguageModel } from 'ai';

const { guardUrl, apiKey, providerUrl, model: name, userId } = JSON.parse(process.env.AGENT);
const guard = new GuardedRuns({ baseUrl: guardUrl, apiKey });
const provider = createOpenAI({ apiKey: 'none', baseURL: `${providerUrl}/v1` });
const agent = new Agent({
  id: 'greeter',
  name: 'greeter',
  instructions: 'Answer in one sentence.',
  model: wrapLanguageModel({ model: provider.chat(name), middleware: guardMiddleware() }),
});

const outcome = await guard.run({ userId }, async () => {
  const { text } = await agent.generate('Hi');
  let streamed = '';
  for await (const part of (await agent.stream('Hi')).textStream) streamed += part;
  return { whole: text, streamed };
});
console.log(JSON.stringify(outcome));
