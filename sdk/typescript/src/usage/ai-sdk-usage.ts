/**
 * Results of the AI SDK (numbers) and of its providers (objects with a `total`). Both totals include all parts, whatever
 * the provider behind them.
 */

import { fieldOf, type TokenUsage, tokenUsage } from './token-usage.js';

export function readAiSdkUsage(result: unknown): TokenUsage | null {
  // `usage` covers only the last step of a generation; `totalUsage` is the sum.
  return fromAiSdkUsage(fieldOf(result, 'totalUsage')) ?? fromAiSdkUsage(fieldOf(result, 'usage'));
}

export function fromAiSdkUsage(usage: unknown): TokenUsage | null {
  const input = fieldOf(usage, 'inputTokens');
  const output = fieldOf(usage, 'outputTokens');
  const inputDetails = fieldOf(usage, 'inputTokenDetails');
  return tokenUsage({
    // Embeddings have only `tokens`.
    promptTokens: totalOf(input) ?? fieldOf(usage, 'tokens'),
    completionTokens: totalOf(output),
    cacheReadTokens: fieldOf(input, 'cacheRead') ?? fieldOf(inputDetails, 'cacheReadTokens'),
    cacheWriteTokens: fieldOf(input, 'cacheWrite') ?? fieldOf(inputDetails, 'cacheWriteTokens'),
    reasoningTokens:
      fieldOf(output, 'reasoning') ?? fieldOf(fieldOf(usage, 'outputTokenDetails'), 'reasoningTokens'),
  });
}

function totalOf(count: unknown): unknown {
  return typeof count === 'number' ? count : fieldOf(count, 'total');
}
