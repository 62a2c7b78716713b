/** What the agent does in every runtime: the same calls with the real OpenAI package, in a run that is found by itself. */

import { GuardedRuns, isDenied } from '@guarded-runs/sdk';
import { guardOpenAI } from '@guarded-runs/sdk/openai';
import OpenAI from 'openai';

/** @param {{ guardUrl: string, apiKey: string, providerUrl: string, model: string, userId: string, waitUntil?: (work: Promise<unknown>) => void }} given */
export async function callModels({ guardUrl, apiKey, providerUrl, model, userId, waitUntil }) {
  const guard = new GuardedRuns({ baseUrl: guardUrl, apiKey, waitUntil });
  const openai = guardOpenAI(new OpenAI({ baseURL: `${providerUrl}/v1`, apiKey: 'none', maxRetries: 0 }));
  const request = { model, messages: [{ role: 'user', content: 'Hi' }] };
  try {
    return await guard.run({ userId }, async () => {
      const whole = await openai.chat.completions.create(request);
      let streamed = '';
      for await (const chunk of await openai.chat.completions.create({ ...request, stream: true })) {
        streamed += chunk.choices[0]?.delta?.content ?? '';
      }
      return { whole: whole.choices[0].message.content, streamed };
    });
  } catch (error) {
    return { denied: isDenied(error), reason: error.reason ?? String(error) };
  }
}
