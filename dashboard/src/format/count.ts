const whole = new Intl.NumberFormat('en-US');
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

const COMPACT_FROM = 10_000;

/** 12,345. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** 9,870 and 12.3K and 4.56M: for tokens, of which nobody counts the last. */
export function formatTokens(tokens: number): string {
  return tokens < COMPACT_FROM ? whole.format(tokens) : compact.format(tokens);
}

/** "1 run", "2 runs". */
export function formatQuantity(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
