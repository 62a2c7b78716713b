/** Chat completions, completions, embeddings and responses: results and stream events. */

import { fieldOf, type TokenUsage, tokenUsage } from './token-usage.js';

export function readOpenAIUsage(result: unknown): TokenUsage | null {
  // The last event of a streamed response contains the whole response.
  const response = fieldOf(result, 'response');
  const whole = fieldOf(response, 'object') === 'response' ? response : result;
  const usage = fieldOf(whole, 'usage');
  if (fieldOf(whole, 'object') === 'response') {
    return tokenUsage({
      promptTokens: fieldOf(usage, 'input_tokens'),
      completionTokens: fieldOf(usage, 'output_tokens'),
    });
  }
  return tokenUsage({
    promptTokens: fieldOf(usage, 'prompt_tokens'),
    completionTokens: fieldOf(usage, 'completion_tokens'),
  });
}
