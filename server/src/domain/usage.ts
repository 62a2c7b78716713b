/** Tokens and money, as counted per day. */

import { unprocessable } from './app-error.js';
import { MAX_COUNTER, type PicoUsd } from './money.js';

export interface Usage {
  readonly costPicoUsd: PicoUsd;
  readonly promptTokens: bigint;
  readonly completionTokens: bigint;
  /** Tokens that had no price when they were reported: included in the counts above, without cost. */
  readonly unpricedTokens: bigint;
}

/** Parts of the tokens of a model. */
export interface UsageParts {
  readonly cacheReadTokens: bigint;
  readonly cacheWriteTokens: bigint;
  readonly reasoningTokens: bigint;
  /** What the cache saved against the input price; negative if it cost more. */
  readonly cacheSavedPicoUsd: PicoUsd;
}

export const NO_PARTS: UsageParts = {
  cacheReadTokens: 0n,
  cacheWriteTokens: 0n,
  reasoningTokens: 0n,
  cacheSavedPicoUsd: 0n,
};

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

export function addParts(left: UsageParts, right: UsageParts): UsageParts {
  return {
    cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
    reasoningTokens: left.reasoningTokens + right.reasoningTokens,
    cacheSavedPicoUsd: left.cacheSavedPicoUsd + right.cacheSavedPicoUsd,
  };
}

export function subtractParts(left: UsageParts, right: UsageParts): UsageParts {
  return {
    cacheReadTokens: left.cacheReadTokens - right.cacheReadTokens,
    cacheWriteTokens: left.cacheWriteTokens - right.cacheWriteTokens,
    reasoningTokens: left.reasoningTokens - right.reasoningTokens,
    cacheSavedPicoUsd: left.cacheSavedPicoUsd - right.cacheSavedPicoUsd,
  };
}

export function totalTokens(usage: Usage): bigint {
  return usage.promptTokens + usage.completionTokens;
}

/** Refuses a report that would overflow a counter. */
export function requireCountable(usage: Usage): void {
  if (usage.costPicoUsd > MAX_COUNTER) {
    throw unprocessable('The spend counted with this step is larger than can be represented');
  }
  if (totalTokens(usage) > MAX_COUNTER) {
    throw unprocessable('The tokens counted with this step are more than can be represented');
  }
}

/** The tokens of the parts fit if their wholes do. */
export function requireCountableSavings(savedPicoUsd: PicoUsd): void {
  if (savedPicoUsd > MAX_COUNTER || savedPicoUsd < -MAX_COUNTER)
    throw unprocessable('The savings counted with this step are larger than can be represented');
}

/** Then by name, in the byte order of the databases. */
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

/** From this code unit on, UTF-16 (JavaScript) and UTF-8 (the databases) sort differently. */
const NOT_IN_ORDER = /[\ud800-\uffff]/;

function compareBytes(left: string, right: string): number {
  if (NOT_IN_ORDER.test(left) || NOT_IN_ORDER.test(right))
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
