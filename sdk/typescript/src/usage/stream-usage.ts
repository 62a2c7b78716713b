/** Collects from the chunks of a stream of any known provider: its usage, what it has produced, and whether it failed. */

import { fromAiSdkUsage } from './ai-sdk-usage.js';
import { AnthropicStreamUsage } from './anthropic-usage.js';
import type { TokenEstimator } from './estimate-tokens.js';
import { readLangChainUsage } from './langchain-usage.js';
import { readAgentsUsage } from './openai-agents-usage.js';
import { readUsage } from './read-usage.js';
import { textOf } from './received-text.js';
import { addUsage, fieldOf, type TokenUsage } from './token-usage.js';

/** Events with which OpenAI responses and the AI SDK report a failure instead of throwing. */
const FAILURES: ReadonlySet<unknown> = new Set(['error', 'abort', 'response.failed']);

const encoder = new TextEncoder();

export class StreamUsage {
  readonly #anthropic = new AnthropicStreamUsage();
  readonly #maxTextLength: number;
  #usage: TokenUsage | null = null;
  /** The sum of counts that each chunk has only for itself. */
  #sum: TokenUsage | null = null;
  #failure: { readonly error: unknown } | null = null;
  #text = '';
  #hasText = false;
  /** Bytes of text since the latest usage, which does not include them. */
  #uncountedBytes = 0;
  /** Events of a provider within those of the OpenAI Agents SDK repeat its text, and have arguments of tools besides. */
  #uncountedRawBytes = 0;

  /** `maxTextLength`: how much of the text is kept. */
  constructor({ maxTextLength = 0 }: { maxTextLength?: number } = {}) {
    this.#maxTextLength = maxTextLength;
  }

  add(chunk: unknown): void {
    if (FAILURES.has(fieldOf(chunk, 'type'))) this.#failure = { error: errorOf(chunk) };
    this.#addText(textOf(chunk), textOf(rawEventOf(chunk)));
    const usage = this.#usageOf(chunk);
    if (usage === null) return;
    this.#usage = withoutLoss(usage, this.#usage);
    this.#uncountedBytes = 0;
    this.#uncountedRawBytes = 0;
  }

  /** The usage in the latest chunk that contains any. */
  get usage(): TokenUsage | null {
    return this.#usage;
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  /** What the stream itself reported as its failure. */
  get error(): unknown {
    return this.#failure?.error;
  }

  /** The beginning of what was produced. */
  get text(): string {
    return this.#text;
  }

  /**
   * What a stream has used that was broken off: the usage seen, and an estimate of what came after it. A provider
   * charges nothing for a call that fails before it has produced anything, but it charges for what a reader has left.
   */
  brokenOff({ estimator, isLeft }: { estimator: TokenEstimator; isLeft: boolean }): TokenUsage | null {
    const seen = this.#usage;
    const bytes = Math.max(this.#uncountedBytes, this.#uncountedRawBytes);
    if (seen?.promptTokens !== undefined && bytes === 0) return seen;
    if (seen === null && !this.#hasText && !isLeft) return null;
    const promptTokens = seen?.promptTokens ?? estimator.promptTokens();
    if (promptTokens === undefined && bytes === 0) return seen;
    const completionTokens = (seen?.completionTokens ?? 0) + estimator.completionTokens(bytes);
    return { ...seen, promptTokens, completionTokens, estimated: true };
  }

  #addText(text: string, rawText: string): void {
    if (text === '' && rawText === '') return;
    this.#hasText = true;
    this.#uncountedBytes += encoder.encode(text).byteLength;
    this.#uncountedRawBytes += encoder.encode(rawText).byteLength;
    if (this.#text.length < this.#maxTextLength) {
      this.#text = (this.#text + text).slice(0, this.#maxTextLength);
    }
  }

  #usageOf(chunk: unknown): TokenUsage | null {
    const own =
      fieldOf(chunk, 'type') === 'finish-step'
        ? fromAiSdkUsage(fieldOf(chunk, 'usage'))
        : (readLangChainUsage(chunk) ?? readLangChainUsage(fieldOf(chunk, 'message')));
    if (own !== null) {
      this.#sum = addUsage(this.#sum, own);
      return this.#sum;
    }
    return (
      this.#anthropic.add(chunk) ??
      readUsage(chunk) ??
      // `response_done` of the OpenAI Agents SDK contains the whole response.
      readAgentsUsage(fieldOf(chunk, 'response')) ??
      fromAiSdkUsage(fieldOf(fieldOf(chunk, 'response'), 'usage')) ??
      readUsage(rawEventOf(chunk))
    );
  }
}

function rawEventOf(chunk: unknown): unknown {
  return fieldOf(chunk, 'type') === 'model' ? fieldOf(chunk, 'event') : undefined;
}

/** The OpenAI Agents SDK repeats the usage of the provider without the tokens written to the cache. */
function withoutLoss(latest: TokenUsage, before: TokenUsage | null): TokenUsage {
  const isRepeated =
    latest.promptTokens === before?.promptTokens && latest.completionTokens === before?.completionTokens;
  return isRepeated ? { ...before, ...latest } : latest;
}

function errorOf(chunk: unknown): unknown {
  return (
    fieldOf(chunk, 'error') ??
    fieldOf(fieldOf(chunk, 'response'), 'error') ??
    fieldOf(chunk, 'message') ??
    fieldOf(chunk, 'reason') ??
    (fieldOf(chunk, 'type') === 'abort' ? 'The stream was aborted' : undefined)
  );
}
