const whole = new Intl.NumberFormat('en-US');
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

const COMPACT_FROM = 10_000;

/** For example "12,345". */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** For example "9,870", "12.3K" or "4.56M". */
export function formatTokens(tokens: number): string {
  return tokens < COMPACT_FROM ? whole.format(tokens) : compact.format(tokens);
}

/** For example "1 token" or "12.3K tokens". */
export function formatTokenQuantity(tokens: number): string {
  return `${formatTokens(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`;
}

/** For example "1 run" or "2 runs". */
export function formatQuantity(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
