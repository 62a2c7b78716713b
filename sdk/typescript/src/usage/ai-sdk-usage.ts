/** The AI SDK's results (numbers), its provider layer (objects with a `total`) and the OpenAI Agents SDK, which is alike. */

import { fieldOf, type TokenUsage, tokenUsage } from './token-usage.js';

export function readAiSdkUsage(result: unknown): TokenUsage | null {
  // `usage` of a whole generation is that of its last step; `totalUsage` is the sum.
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
