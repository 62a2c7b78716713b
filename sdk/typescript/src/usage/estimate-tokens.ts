/** The rule for the tokens that a model call holds before it is made. It needs no tokenizer. */

import { toCount } from './token-usage.js';

/** A request to a model, independent of its provider. */
export interface ModelRequest {
  /** All text of the prompt: messages, instructions and definitions of tools. */
  readonly texts: readonly string[];
  /** The number of parts that are not text. Each counts with a fixed number of tokens: see `PART_TOKENS`. */
  readonly images?: number | undefined;
  readonly audio?: number | undefined;
  readonly files?: number | undefined;
  /** Tokens of the prompt whose number is known. */
  readonly tokens?: number | undefined;
  /** Of one completion. Default: `defaultMaxTokens`. Zero for embeddings. */
  readonly maxTokens?: number | null | undefined;
  /** How many completions are requested. Default: 1. */
  readonly completions?: number | undefined;
}

/** `'estimate'`: three bytes a token. `'bound'`: one byte a token, because no token has less. */
export type HoldBound = 'estimate' | 'bound';

export interface EstimatedTokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/**
 * An image takes up to about 4,800 tokens with current models, whatever its bytes (with gpt-4o-mini more). Audio takes 10
 * to 32 tokens a second: 10,000 are 5 minutes or more. A page of a PDF takes up to about 3,000: 50,000 are 16 pages or more.
 */
export const PART_TOKENS = { images: 5_000, audio: 10_000, files: 50_000 };

const BYTES_PER_TOKEN: Readonly<Record<HoldBound, number>> = { estimate: 3, bound: 1 };

/** What a stream that was broken off has used, as far as its usage is unknown. */
export interface TokenEstimator {
  /** Undefined if the request is unknown. */
  promptTokens(): number | undefined;
  completionTokens(bytes: number): number;
}

export function tokenEstimator(
  request: ModelRequest | (() => ModelRequest) | undefined,
  { holdBound }: { holdBound: HoldBound },
): TokenEstimator {
  return {
    promptTokens: () => {
      if (request === undefined) return undefined;
      const given = typeof request === 'function' ? request() : request;
      return estimateTokens(given, { holdBound, defaultMaxTokens: 0 }).promptTokens;
    },
    completionTokens: (bytes) => Math.ceil(bytes / BYTES_PER_TOKEN[holdBound]),
  };
}

export function estimateTokens(
  request: ModelRequest,
  { holdBound, defaultMaxTokens }: { holdBound: HoldBound; defaultMaxTokens: number },
): EstimatedTokens {
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const text of request.texts) bytes += encoder.encode(text).byteLength;
  const parts =
    (request.images ?? 0) * PART_TOKENS.images +
    (request.audio ?? 0) * PART_TOKENS.audio +
    (request.files ?? 0) * PART_TOKENS.files;
  const maxTokens = toCount(request.maxTokens) ?? defaultMaxTokens;
  return {
    promptTokens: Math.ceil(bytes / BYTES_PER_TOKEN[holdBound]) + parts + (request.tokens ?? 0),
    completionTokens: Math.min(maxTokens * (request.completions ?? 1), Number.MAX_SAFE_INTEGER),
  };
}
