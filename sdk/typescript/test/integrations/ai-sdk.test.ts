import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import { guardMiddleware } from '../../src/integrations/ai-sdk.js';
import { type Call, describeIntegration } from './integration-contract.js';

const APIS = ['chat', 'responses'] as const;

for (const api of APIS) {
  const modelOf = ({ run, provider, model }: Call) =>
    wrapLanguageModel({
      model: createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` })[api](model),
      middleware: guardMiddleware(run),
    });

  describeIntegration({
    name: `AI SDK with the ${api} API of OpenAI`,
    generate: async (call) =>
      (await generateText({ model: modelOf(call), prompt: 'Hi', maxRetries: 0 })).text,
    stream: async (call) => {
      const { fullStream } = streamText({
        model: modelOf(call),
        prompt: 'Hi',
        maxRetries: 0,
        onError: () => {},
      });
      const texts: string[] = [];
      for await (const part of fullStream) {
        if (part.type === 'error') throw part.error;
        if (part.type === 'text-delta') texts.push(part.text);
      }
      return texts;
    },
    abandon: async (call) => {
      const controller = new AbortController();
      const { fullStream } = streamText({
        model: modelOf(call),
        prompt: 'Hi',
        abortSignal: controller.signal,
        onError: () => {},
      });
      for await (const part of fullStream) {
        if (part.type === 'text-delta') controller.abort();
      }
    },
  });
}
