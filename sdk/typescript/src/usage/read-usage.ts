import { readAiSdkUsage } from './ai-sdk-usage.js';
import { readAnthropicUsage } from './anthropic-usage.js';
import { readLangChainUsage } from './langchain-usage.js';
import { readAgentsUsage } from './openai-agents-usage.js';
import { readOpenAIUsage } from './openai-usage.js';
import type { TokenUsage } from './token-usage.js';

/** Reads the usage from a result of a known provider; null for other results. */
export function readUsage(result: unknown): TokenUsage | null {
  return (
    readOpenAIUsage(result) ??
    readAnthropicUsage(result) ??
    readAgentsUsage(result) ??
    readAiSdkUsage(result) ??
    readLangChainUsage(result)
  );
}
