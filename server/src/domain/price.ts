/** What a model costs per token, and the exact cost of a step. */

import { unprocessable } from './app-error.js';
import { type AttoUsd, MAX_COUNTER, type PicoUsd, roundToPicoUsd } from './money.js';

/** The highest price per token: its product with 2⁵³ tokens fits the stores. */
export const MAX_PRICE_USD = 1_000_000;

/** USD per token. */
export interface TokenPrices {
  readonly inputAttoUsd: AttoUsd;
  readonly outputAttoUsd: AttoUsd;
  /** Of prompt tokens that were read from the provider's cache, or written to it; null: the input price. */
  readonly cacheReadAttoUsd: AttoUsd | null;
  readonly cacheWriteAttoUsd: AttoUsd | null;
}

export interface ModelPrice extends TokenPrices {
  readonly id: string;
  readonly model: string;
  /** Grows when an amount changes. What each version cost is kept, so that every cost can be explained later. */
  readonly version: number;
  readonly isActive: boolean;
}

export interface TokenCounts {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Parts of the prompt tokens; null: none. */
export interface CachedTokens {
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
}

/** What each part of the tokens cost, not rounded; the parts together, rounded once, are the cost. */
export interface CostParts {
  readonly inputAttoUsd: AttoUsd;
  readonly cacheReadAttoUsd: AttoUsd;
  readonly cacheWriteAttoUsd: AttoUsd;
  readonly outputAttoUsd: AttoUsd;
}

/** (prompt − read − write) × input + read × cache read + write × cache write + completion × output, rounded once. */
export function costOf(tokens: TokenCounts, cached: CachedTokens | null, prices: TokenPrices): PicoUsd {
  const atInputPrice =
    BigInt(tokens.promptTokens) * prices.inputAttoUsd +
    BigInt(tokens.completionTokens) * prices.outputAttoUsd;
  const saved = cached === null ? 0n : savedBy(cached, prices);
  return requireCost(roundToPicoUsd(atInputPrice - saved));
}

/** What the cache saved: the cost of the same tokens without it, minus their cost. Negative if writing cost more. */
export function cacheSavingsOf(tokens: TokenCounts, cached: CachedTokens, prices: TokenPrices): PicoUsd {
  if (savedBy(cached, prices) === 0n) return 0n;
  return costOf(tokens, null, prices) - costOf(tokens, cached, prices);
}

export function costPartsOf(tokens: TokenCounts, cached: CachedTokens, prices: TokenPrices): CostParts {
  const { inputAttoUsd, cacheReadAttoUsd, cacheWriteAttoUsd, outputAttoUsd } = prices;
  const read = BigInt(cached.cacheReadTokens ?? 0);
  const write = BigInt(cached.cacheWriteTokens ?? 0);
  return {
    inputAttoUsd: (BigInt(tokens.promptTokens) - read - write) * inputAttoUsd,
    cacheReadAttoUsd: read * (cacheReadAttoUsd ?? inputAttoUsd),
    cacheWriteAttoUsd: write * (cacheWriteAttoUsd ?? inputAttoUsd),
    outputAttoUsd: BigInt(tokens.completionTokens) * outputAttoUsd,
  };
}

export function isActivePrice(price: ModelPrice | null): price is ModelPrice {
  return price?.isActive === true;
}

/** Compared with the input price. */
function savedBy({ cacheReadTokens, cacheWriteTokens }: CachedTokens, prices: TokenPrices): AttoUsd {
  const { inputAttoUsd, cacheReadAttoUsd, cacheWriteAttoUsd } = prices;
  const read = BigInt(cacheReadTokens ?? 0) * (inputAttoUsd - (cacheReadAttoUsd ?? inputAttoUsd));
  return read + BigInt(cacheWriteTokens ?? 0) * (inputAttoUsd - (cacheWriteAttoUsd ?? inputAttoUsd));
}

function requireCost(cost: PicoUsd): PicoUsd {
  if (cost > MAX_COUNTER) throw unprocessable('The cost of this step is larger than can be represented');
  return cost;
}
