/** One model call through the real package of each integration, which finds the current run by itself. */

import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, setTracingDisabled } from '@openai/agents';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import { createAgent } from 'langchain';
import OpenAI from 'openai';
import { guardMiddleware as guardAiSdk } from '../../src/integrations/ai-sdk.js';
import { guardAnthropic } from '../../src/integrations/anthropic.js';
import { guardCallbacks, guardMiddleware } from '../../src/integrations/langchain.js';
import { guardOpenAI } from '../../src/integrations/openai.js';
import { guardRunner } from '../../src/integrations/openai-agents.js';

export type ModelCaller = (text: string) => Promise<unknown>;

export function everyIntegration(providerUrl: string, model: string): Readonly<Record<string, ModelCaller>> {
  setTracingDisabled(true);
  const baseURL = `${providerUrl}/v1`;
  const options = { apiKey: 'none', maxRetries: 0 };
  const openai = guardOpenAI(new OpenAI({ ...options, baseURL }));
  const anthropic = guardAnthropic(new Anthropic({ ...options, baseURL: providerUrl }));
  const aiSdk = wrapLanguageModel({
    model: createOpenAI({ apiKey: 'none', baseURL }).chat(model),
    middleware: guardAiSdk(),
  });
  const chatModel = new ChatOpenAI({ ...options, model, configuration: { baseURL } });
  const provider = new OpenAIProvider({
    openAIClient: new OpenAI({ ...options, baseURL }),
    useResponses: true,
  });
  const messagesOf = (content: string) => [{ role: 'user' as const, content }];
  return {
    'OpenAI chat': (text) => openai.chat.completions.create({ model, messages: messagesOf(text) }),
    'OpenAI chat, streamed': async (text) => {
      const stream = await openai.chat.completions.create({
        model,
        messages: messagesOf(text),
        stream: true,
      });
      for await (const _ of stream);
    },
    'OpenAI responses': (text) => openai.responses.create({ model, input: text }),
    Anthropic: (text) => anthropic.messages.create({ model, max_tokens: 100, messages: messagesOf(text) }),
    'Anthropic, streamed': (text) =>
      anthropic.messages.stream({ model, max_tokens: 100, messages: messagesOf(text) }).finalMessage(),
    'AI SDK': (text) => generateText({ model: aiSdk, prompt: text, maxRetries: 0 }),
    'AI SDK, streamed': async (text) => {
      const errors: unknown[] = [];
      const onError = ({ error }: { error: unknown }) => void errors.push(error);
      await streamText({ model: aiSdk, prompt: text, maxRetries: 0, onError }).consumeStream();
      if (errors.length > 0) throw errors[0];
    },
    'LangChain callbacks': (text) => chatModel.invoke(text, { callbacks: [guardCallbacks()] }),
    'LangChain agent': (text) =>
      createAgent({ model: chatModel, tools: [], middleware: [guardMiddleware()] }).invoke({
        messages: messagesOf(text),
      }),
    'OpenAI Agents': (text) =>
      guardRunner({ modelProvider: provider, tracingDisabled: true }).run(
        new Agent({ name: 'Agent', model }),
        text,
      ),
  };
}
