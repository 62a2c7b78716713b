/** Prices are stored per token and shown per million tokens. The conversion shifts the exponent and does not round. */

import type { Schemas } from '../api/api-client.ts';
import { formatExactUsd, toPlainDecimal } from './money.ts';

const POWER_OF_MILLION = 6;

/** A price of 0.0000025 per token is "2.5" per million. */
export function toPerMillion(perToken: number): string {
  return toPlainDecimal(movePoint(perToken, POWER_OF_MILLION));
}

/** For example "$2.50", without rounding. */
export function formatPerMillion(perToken: number): string {
  return formatExactUsd(Number(toPerMillion(perToken)));
}

export type TokenPrices = Pick<
  Schemas['ModelPrice'],
  | 'input_cost_per_token'
  | 'output_cost_per_token'
  | 'cache_read_cost_per_token'
  | 'cache_write_cost_per_token'
>;

/** For example "$3.00 input, $0.30 cache read, $15.00 output". Without a price for the cache, it costs as much as other input. */
export function describeTokenPrices(prices: TokenPrices): string {
  const { cache_read_cost_per_token: read, cache_write_cost_per_token: write } = prices;
  return [
    `${formatPerMillion(prices.input_cost_per_token)} input`,
    ...(read === null ? [] : [`${formatPerMillion(read)} cache read`]),
    ...(write === null ? [] : [`${formatPerMillion(write)} cache write`]),
    `${formatPerMillion(prices.output_cost_per_token)} output`,
  ].join(', ');
}

/** For example "$0.0000025", without trailing zeros. */
export function formatPerToken(perToken: number): string {
  return `$${toPlainDecimal(perToken)}`;
}

/** Parsing a decimal string is correctly rounded; multiplying a float is not. */
function movePoint(value: number, places: number): number {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  return Number(`${mantissa}e${Number(exponent) + places}`);
}
