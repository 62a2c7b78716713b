/**
 * Tokens of one model call, in the same meaning for all providers. Unknown counts are omitted. The cost of a call follows
 * from its tokens and the price of its model, unless `costUsd` states it.
 */
export interface TokenUsage {
  /** Everything that was sent, including tokens read from or written to a cache. */
  readonly promptTokens?: number | undefined;
  /** Everything that was produced, including reasoning. */
  readonly completionTokens?: number | undefined;
  /** The part of the prompt that was read from a cache. */
  readonly cacheReadTokens?: number | undefined;
  /** The part of the prompt that was written to a cache. */
  readonly cacheWriteTokens?: number | undefined;
  /** The part of the completion that is reasoning. */
  readonly reasoningTokens?: number | undefined;
  /** What the provider states that the call costs. It precedes the price. */
  readonly costUsd?: number | undefined;
  /** The tokens are an estimate, for example of a stream that was broken off. */
  readonly estimated?: boolean | undefined;
}

const COUNTS = [
  'promptTokens',
  'completionTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const;

export type TokenCounts = { readonly [Name in (typeof COUNTS)[number]]?: unknown };

/** Null if neither the prompt nor the completion has a valid count. */
export function tokenUsage(given: TokenCounts): TokenUsage | null {
  const known = COUNTS.map((name) => [name, toCount(given[name])] as const).filter(
    ([, count]) => count !== undefined,
  );
  const usage: TokenUsage = Object.fromEntries(known);
  return usage.promptTokens === undefined && usage.completionTokens === undefined ? null : usage;
}

/** The sum of each count; one that is unknown in both stays unknown. */
export function addUsage(left: TokenUsage | null, right: TokenUsage | null): TokenUsage | null {
  if (left === null || right === null) return left ?? right;
  return tokenUsage(Object.fromEntries(COUNTS.map((name) => [name, sumOf([left[name], right[name]])])));
}

/** The sum of the valid counts; undefined without any. */
export function sumOf(values: readonly unknown[]): number | undefined {
  const counts = values.map(toCount).filter((count) => count !== undefined);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

/** Reads a property of an unknown value. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

export function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
