/** The AI SDK 7: a whole answer, a stream, a stream that is broken off, and a denial inside of a stream. */

import process from 'node:process';
import { createOpenAI } from '@ai-sdk/openai';
import { GuardedRuns, isDenied } from '@guarded-runs/sdk';
import { guardMiddleware } from '@guarded-runs/sdk/ai-sdk';
import { generateText, streamText, wrapLanguageModel } from 'ai';

const { guardUrl, apiKey, providerUrl, model: name, userId } = JSON.parse(process.env.AGENT);
const guard = new GuardedRuns({ baseUrl: guardUrl, apiKey });
const provider = createOpenAI({ apiKey: 'none', baseURL: `${providerUrl}/v1` });
const model = wrapLanguageModel({ model: provider.chat(name), middleware: guardMiddleware() });

const outcome = await guard.run({ userId }, async () => {
  const { text } = await generateText({ model, prompt: 'Hi', maxRetries: 0 });
  let streamed = '';
  for await (const part of streamText({ model, prompt: 'Hi', maxRetries: 0 }).textStream) streamed += part;
  for await (const _ of streamText({ model, prompt: 'Hi', maxRetries: 0 }).textStream) break;
  return { whole: text, streamed };
});

await guard.workspace.setKillSwitch(true);
const denied = await guard
  .run({ userId: `${userId}-denied` }, () => generateText({ model, prompt: 'Hi', maxRetries: 0 }))
  .catch((error) => isDenied(error));
await guard.workspace.setKillSwitch(false);
console.log(JSON.stringify({ ...outcome, denied }));
