/** Results of the AI SDK and the OpenAI Agents SDK (numbers) and of AI SDK providers (objects with a `total`). */

import { fieldOf, type TokenUsage, tokenUsage } from './token-usage.js';

export function readAiSdkUsage(result: unknown): TokenUsage | null {
  // `usage` covers only the last step of a generation; `totalUsage` is the sum.
  return fromAiSdkUsage(fieldOf(result, 'totalUsage')) ?? fromAiSdkUsage(fieldOf(result, 'usage'));
}

export function fromAiSdkUsage(usage: unknown): TokenUsage | null {
  return tokenUsage({
    promptTokens: totalOf(fieldOf(usage, 'inputTokens')),
    completionTokens: totalOf(fieldOf(usage, 'outputTokens')),
  });
}

function totalOf(count: unknown): unknown {
  return typeof count === 'number' ? count : fieldOf(count, 'total');
}
