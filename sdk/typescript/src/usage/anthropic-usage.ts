/** `input_tokens` of Anthropic excludes tokens read from and written to the cache. All three count as input. */

import { fieldOf, type TokenUsage, toCount, tokenUsage } from './token-usage.js';

const INPUT_FIELDS = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'] as const;

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
  const inputs = INPUT_FIELDS.map((name) => toCount(fieldOf(usage, name)));
  const isKnown = inputs.some((count) => count !== undefined);
  return tokenUsage({
    promptTokens: isKnown ? inputs.reduce<number>((sum, count) => sum + (count ?? 0), 0) : undefined,
    completionTokens: fieldOf(usage, 'output_tokens'),
  });
}
