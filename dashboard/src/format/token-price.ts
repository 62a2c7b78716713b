/** Prices are stored per token and shown per million tokens: the decimal point moves in the text, without rounding. */

import { toPlainDecimal } from './money.ts';

const POWER_OF_MILLION = 6;

/** 0.0000025 per token is "2.5" per million. */
export function toPerMillion(perToken: number): string {
  return toPlainDecimal(movePoint(perToken, POWER_OF_MILLION));
}

/** $0.0000025, without zeros that say nothing. */
export function formatPerToken(perToken: number): string {
  return `$${toPlainDecimal(perToken)}`;
}

/** Reading text is rounded correctly, multiplying a float is not. */
function movePoint(value: number, places: number): number {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  return Number(`${mantissa}e${Number(exponent) + places}`);
}
