/** Collects the usage from the chunks of a stream of any known provider, and whether the stream failed. */

import { fromAiSdkUsage } from './ai-sdk-usage.js';
import { AnthropicStreamUsage } from './anthropic-usage.js';
import { readUsage } from './read-usage.js';
import { fieldOf, type TokenUsage } from './token-usage.js';

/** Events with which OpenAI responses and the AI SDK report a failure instead of throwing. */
const FAILURES: ReadonlySet<unknown> = new Set(['error', 'abort', 'response.failed']);

export class StreamUsage {
  readonly #anthropic = new AnthropicStreamUsage();
  #usage: TokenUsage | null = null;
  #failed = false;

  add(chunk: unknown): void {
    if (FAILURES.has(fieldOf(chunk, 'type'))) this.#failed = true;
    this.#usage = this.#anthropic.add(chunk) ?? usageOf(chunk) ?? this.#usage;
  }

  /** The usage in the latest chunk that contains any. */
  get usage(): TokenUsage | null {
    return this.#usage;
  }

  get failed(): boolean {
    return this.#failed;
  }
}

function usageOf(chunk: unknown): TokenUsage | null {
  // `response_done` of the OpenAI Agents SDK contains the whole response.
  return readUsage(chunk) ?? fromAiSdkUsage(fieldOf(fieldOf(chunk, 'response'), 'usage'));
}
