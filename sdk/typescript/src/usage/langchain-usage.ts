/** Messages of LangChain. Their totals include all parts, whatever the provider. */

import { fromCompletionUsage } from './openai-usage.js';
import { fieldOf, type TokenUsage, tokenUsage } from './token-usage.js';

export function readLangChainUsage(message: unknown): TokenUsage | null {
  const usage = fieldOf(message, 'usage_metadata');
  const input = fieldOf(usage, 'input_token_details');
  return tokenUsage({
    promptTokens: fieldOf(usage, 'input_tokens'),
    completionTokens: fieldOf(usage, 'output_tokens'),
    cacheReadTokens: fieldOf(input, 'cache_read'),
    // Of OpenAI chat completions, LangChain keeps these only in the usage of the provider.
    cacheWriteTokens:
      fieldOf(input, 'cache_creation') ??
      fromCompletionUsage(fieldOf(fieldOf(message, 'response_metadata'), 'usage'))?.cacheWriteTokens,
    reasoningTokens: fieldOf(fieldOf(usage, 'output_token_details'), 'reasoning'),
  });
}
