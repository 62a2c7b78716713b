/** Prices are stored per token and shown per million tokens. Both ways move the decimal point in the text: no rounding. */

import { toPlainDecimal } from './money.ts';

/** A price per token has at most 18 decimal places, so one per million has at most 12. */
const MAX_DECIMALS_PER_MILLION = 12;
const MAX_PER_MILLION = 1_000_000_000_000;
const POWER_OF_MILLION = 6;

/** 0.0000025 per token is "2.5" per million. */
export function toPerMillion(perToken: number): string {
  return toPlainDecimal(movePoint(perToken, POWER_OF_MILLION));
}

/** "2.5" per million is 0.0000025 per token; null when the text is not such a price. */
export function fromPerMillion(text: string): number | null {
  const plain = text.trim().replace(/^\$/, '').replaceAll(',', '');
  const match = /^(\d+)(?:\.(\d*))?$/.exec(plain);
  if (match === null || (match[2] ?? '').length > MAX_DECIMALS_PER_MILLION) return null;
  return Number(plain) > MAX_PER_MILLION ? null : movePoint(Number(plain), -POWER_OF_MILLION);
}

/** Reading text is rounded correctly, multiplying a float is not. */
function movePoint(value: number, places: number): number {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  return Number(`${mantissa}e${Number(exponent) + places}`);
}
