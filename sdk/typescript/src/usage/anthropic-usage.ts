/** `input_tokens` of Anthropic excludes tokens read from and written to the cache. All three are the prompt. */

import { addUsage, fieldOf, sumOf, type TokenUsage, tokenUsage } from './token-usage.js';

export function readAnthropicUsage(result: unknown): TokenUsage | null {
  return fromAnthropicUsage(fieldOf(result, 'usage'));
}

/**
 * `message_start` contains the input tokens; each `message_delta` contains the output tokens so far and sometimes
 * corrected input tokens. The latest value of each field counts.
 */
export class AnthropicStreamUsage {
  #usage: object = {};

  add(event: unknown): TokenUsage | null {
    const type = fieldOf(event, 'type');
    if (type === 'message_start') this.#merge(fieldOf(fieldOf(event, 'message'), 'usage'));
    else if (type === 'message_delta') this.#merge(fieldOf(event, 'usage'));
    else return null;
    return fromAnthropicUsage(this.#usage);
  }

  #merge(usage: unknown): void {
    if (typeof usage !== 'object' || usage === null) return;
    const known = Object.entries(usage).filter(([, value]) => value !== null);
    this.#usage = { ...this.#usage, ...Object.fromEntries(known) };
  }
}

function fromAnthropicUsage(usage: unknown): TokenUsage | null {
  const iterations = fieldOf(usage, 'iterations');
  // The totals exclude what a compaction of the context has used, which costs as much as any other tokens.
  const compactions: unknown[] = Array.isArray(iterations)
    ? iterations.filter((iteration) => fieldOf(iteration, 'type') === 'compaction')
    : [];
  return compactions.map(fromCounts).reduce(addUsage, fromCounts(usage));
}

function fromCounts(usage: unknown): TokenUsage | null {
  const cacheReadTokens = fieldOf(usage, 'cache_read_input_tokens');
  const cacheWriteTokens = fieldOf(usage, 'cache_creation_input_tokens');
  return tokenUsage({
    promptTokens: sumOf([fieldOf(usage, 'input_tokens'), cacheReadTokens, cacheWriteTokens]),
    completionTokens: fieldOf(usage, 'output_tokens'),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: fieldOf(fieldOf(usage, 'output_tokens_details'), 'thinking_tokens'),
  });
}
