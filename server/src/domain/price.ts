/** What a model costs per token, and the exact cost of a step. */

import { unprocessable } from './app-error.js';
import { type AttoUsd, MAX_COUNTER, type PicoUsd, roundToPicoUsd } from './money.js';

/** The highest price per token: its product with 2⁵³ tokens fits the stores. */
export const MAX_PRICE_USD = 1_000_000;

export interface ModelPrice {
  readonly id: string;
  readonly model: string;
  readonly inputAttoUsd: AttoUsd;
  readonly outputAttoUsd: AttoUsd;
  readonly isActive: boolean;
}

export interface TokenCounts {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** prompt × input + completion × output, rounded once; null without an active price. */
export function costOf(tokens: TokenCounts, price: ModelPrice | null): PicoUsd | null {
  if (price === null || !price.isActive) return null;
  const cost = roundToPicoUsd(
    BigInt(tokens.promptTokens) * price.inputAttoUsd + BigInt(tokens.completionTokens) * price.outputAttoUsd,
  );
  if (cost > MAX_COUNTER) throw unprocessable('The cost of this step is larger than can be represented');
  return cost;
}
