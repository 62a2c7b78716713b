/** Messages of LangChain, for all providers. */

import { fieldOf, type TokenUsage, tokenUsage } from './token-usage.js';

export function readLangChainUsage(message: unknown): TokenUsage | null {
  const usage = fieldOf(message, 'usage_metadata');
  return tokenUsage({
    promptTokens: fieldOf(usage, 'input_tokens'),
    completionTokens: fieldOf(usage, 'output_tokens'),
  });
}
