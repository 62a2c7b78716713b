/** Responses of the models of the OpenAI Agents SDK. Their totals include all parts, as those of OpenAI do. */

import { readOpenAIUsage } from './openai-usage.js';
import { fieldOf, sumOf, type TokenUsage, tokenUsage } from './token-usage.js';

export function readAgentsUsage(response: unknown): TokenUsage | null {
  const usage = fieldOf(response, 'usage');
  const input = fieldOf(usage, 'inputTokensDetails');
  if (input === undefined) return null;
  return tokenUsage({
    promptTokens: fieldOf(usage, 'inputTokens'),
    completionTokens: fieldOf(usage, 'outputTokens'),
    cacheReadTokens: detailOf(input, 'cached_tokens'),
    // The model for chat completions keeps these only in the response of the provider.
    cacheWriteTokens:
      detailOf(input, 'cache_write_tokens') ??
      readOpenAIUsage(fieldOf(response, 'providerData'))?.cacheWriteTokens,
    reasoningTokens: detailOf(fieldOf(usage, 'outputTokensDetails'), 'reasoning_tokens'),
  });
}

/** A response has one object for each request; in a stream, there is only one. */
function detailOf(details: unknown, name: string): number | undefined {
  const all: unknown[] = Array.isArray(details) ? details : [details];
  return sumOf(all.map((detail) => fieldOf(detail, name)));
}
