/** What the chunks of a stream tell, of whichever provider they are: tokens, and whether it failed half-way. */

import { fromAiSdkUsage } from './ai-sdk-usage.js';
import { AnthropicStreamUsage } from './anthropic-usage.js';
import { readUsage } from './read-usage.js';
import { fieldOf, type TokenUsage } from './token-usage.js';

/** Events by which a stream says that it failed, instead of throwing: OpenAI responses, AI SDK. */
const FAILURES: ReadonlySet<unknown> = new Set(['error', 'abort', 'response.failed']);

export class StreamUsage {
  readonly #anthropic = new AnthropicStreamUsage();
  #usage: TokenUsage | null = null;
  #failed = false;

  add(chunk: unknown): void {
    if (FAILURES.has(fieldOf(chunk, 'type'))) this.#failed = true;
    this.#usage = this.#anthropic.add(chunk) ?? usageOf(chunk) ?? this.#usage;
  }

  /** As of the newest chunk that told any. */
  get usage(): TokenUsage | null {
    return this.#usage;
  }

  get failed(): boolean {
    return this.#failed;
  }
}

function usageOf(chunk: unknown): TokenUsage | null {
  // `response_done` of the OpenAI Agents SDK carries the whole response.
  return readUsage(chunk) ?? fromAiSdkUsage(fieldOf(fieldOf(chunk, 'response'), 'usage'));
}
