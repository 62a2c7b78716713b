/** Tokens and money as the daily roll-ups count them. */

import { unprocessable } from './app-error.js';
import { MAX_COUNTER, type PicoUsd } from './money.js';

export interface Usage {
  readonly costPicoUsd: PicoUsd;
  readonly promptTokens: bigint;
  readonly completionTokens: bigint;
  /** Tokens that had no price when they were reported: they are counted above, and cost nothing yet. */
  readonly unpricedTokens: bigint;
}

export const NO_USAGE: Usage = {
  costPicoUsd: 0n,
  promptTokens: 0n,
  completionTokens: 0n,
  unpricedTokens: 0n,
};

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    costPicoUsd: left.costPicoUsd + right.costPicoUsd,
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
    unpricedTokens: left.unpricedTokens + right.unpricedTokens,
  };
}

export function subtractUsage(left: Usage, right: Usage): Usage {
  return {
    costPicoUsd: left.costPicoUsd - right.costPicoUsd,
    promptTokens: left.promptTokens - right.promptTokens,
    completionTokens: left.completionTokens - right.completionTokens,
    unpricedTokens: left.unpricedTokens - right.unpricedTokens,
  };
}

export function totalTokens(usage: Usage): bigint {
  return usage.promptTokens + usage.completionTokens;
}

/** Refuses a report that would carry a counter beyond what the stores hold: a sum is never wrapped. */
export function requireCountable(usage: Usage): void {
  if (usage.costPicoUsd > MAX_COUNTER) {
    throw unprocessable('The spend counted with this step is larger than can be represented');
  }
  if (totalTokens(usage) > MAX_COUNTER) {
    throw unprocessable('The tokens counted with this step are more than can be represented');
  }
}

/** Then by name, in the order in which the databases have text. */
export function mostExpensiveFirst<Item extends { readonly costPicoUsd: PicoUsd }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  return [...items].sort(
    (left, right) =>
      compareAmounts(right.costPicoUsd, left.costPicoUsd) || compareBytes(nameOf(left), nameOf(right)),
  );
}

function compareAmounts(left: PicoUsd, right: PicoUsd): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** From here on UTF-16, by which JavaScript goes, and UTF-8 have another order: an emoji would come before some other letters. */
const NOT_IN_ORDER = /[\ud800-\uffff]/;

function compareBytes(left: string, right: string): number {
  if (NOT_IN_ORDER.test(left) || NOT_IN_ORDER.test(right))
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
