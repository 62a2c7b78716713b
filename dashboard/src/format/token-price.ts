/** Prices are stored per token and shown per million tokens. The conversion shifts the exponent and does not round. */

import { toPlainDecimal } from './money.ts';

const POWER_OF_MILLION = 6;

/** A price of 0.0000025 per token is "2.5" per million. */
export function toPerMillion(perToken: number): string {
  return toPlainDecimal(movePoint(perToken, POWER_OF_MILLION));
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
