/**
 * Chat completions, completions, embeddings and responses: results and stream events. OpenAI counts cached tokens within
 * the prompt, and reasoning within the completion.
 */

import { fieldOf, type TokenUsage, tokenUsage } from './token-usage.js';

export function readOpenAIUsage(result: unknown): TokenUsage | null {
  // The last event of a streamed response contains the whole response.
  const response = fieldOf(result, 'response');
  const whole = isResponse(response) ? response : result;
  const usage = fieldOf(whole, 'usage');
  return isResponse(whole) || fieldOf(usage, 'input_tokens_details') !== undefined
    ? fromResponseUsage(usage)
    : fromCompletionUsage(usage);
}

/** A response, or the result of `responses.compact`. */
function isResponse(value: unknown): boolean {
  const object = fieldOf(value, 'object');
  return object === 'response' || object === 'response.compaction';
}

function fromResponseUsage(usage: unknown): TokenUsage | null {
  const input = fieldOf(usage, 'input_tokens_details');
  return tokenUsage({
    promptTokens: fieldOf(usage, 'input_tokens'),
    completionTokens: fieldOf(usage, 'output_tokens'),
    cacheReadTokens: fieldOf(input, 'cached_tokens'),
    cacheWriteTokens: fieldOf(input, 'cache_write_tokens'),
    reasoningTokens: fieldOf(fieldOf(usage, 'output_tokens_details'), 'reasoning_tokens'),
  });
}

export function fromCompletionUsage(usage: unknown): TokenUsage | null {
  const prompt = fieldOf(usage, 'prompt_tokens_details');
  return tokenUsage({
    promptTokens: fieldOf(usage, 'prompt_tokens'),
    completionTokens: fieldOf(usage, 'completion_tokens'),
    cacheReadTokens: fieldOf(prompt, 'cached_tokens'),
    cacheWriteTokens: fieldOf(prompt, 'cache_write_tokens'),
    reasoningTokens: fieldOf(fieldOf(usage, 'completion_tokens_details'), 'reasoning_tokens'),
  });
}
