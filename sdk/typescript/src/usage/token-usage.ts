/** Tokens of one model call. Unknown counts are omitted. */
export interface TokenUsage {
  /** Input tokens, including those read from or written to a cache. */
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
}

/** Null if neither count is valid. */
export function tokenUsage(given: { promptTokens: unknown; completionTokens: unknown }): TokenUsage | null {
  const promptTokens = toCount(given.promptTokens);
  const completionTokens = toCount(given.completionTokens);
  if (promptTokens === undefined && completionTokens === undefined) return null;
  return { promptTokens, completionTokens };
}

/** Reads a property of an unknown value. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

export function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
