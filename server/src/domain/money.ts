/**
 * Money without floats. An amount is a bigint of pico-dollars (10⁻¹² USD); a price per token is a bigint of
 * atto-dollars (10⁻¹⁸ USD). Numbers enter through their shortest decimal text, so 0.1 means exactly one tenth.
 */

import { unprocessable } from './app-error.js';

export type PicoUsd = bigint;
export type AttoUsd = bigint;

/** The largest amount and token count a counter can hold: both stores keep them as signed 64-bit integers. */
export const MAX_COUNTER = 2n ** 63n - 1n;

const PICO_DECIMALS = 12;
const ATTO_DECIMALS = 18;
/** The largest whole number of dollars among the amounts. */
export const MAX_WHOLE_USD = Number(MAX_COUNTER / 10n ** BigInt(PICO_DECIMALS));
const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);
const ATTO_PER_PICO = 10n ** BigInt(ATTO_DECIMALS - PICO_DECIMALS);

/** Refuses an amount that no counter can hold. */
export function requireAmount(amount: PicoUsd): PicoUsd {
  if (amount > MAX_COUNTER) throw unprocessable('The amount is larger than can be represented');
  return amount;
}

/** The exact amount of a JSON number, or null when it has more than 12 decimal places or exceeds the range. */
export function toPicoUsd(usd: number): PicoUsd | null {
  const amount = scaleDecimal(String(usd), PICO_DECIMALS);
  return amount === null || amount > MAX_COUNTER || amount < -MAX_COUNTER ? null : amount;
}

/** The exact price of a JSON number, or null when it has more than 18 decimal places. */
export function toAttoUsd(usd: number): AttoUsd | null {
  return scaleDecimal(String(usd), ATTO_DECIMALS);
}

/** The JSON number whose shortest text is the amount (nearest double beyond 15 significant digits). */
export function picoUsdToNumber(amount: PicoUsd): number {
  return toNearestNumber(amount, PICO_DECIMALS);
}

/** For an amount that may be absent. */
export function nullablePicoUsdToNumber(amount: PicoUsd | null): number | null {
  return amount === null ? null : picoUsdToNumber(amount);
}

export function attoUsdToNumber(price: AttoUsd): number {
  return toNearestNumber(price, ATTO_DECIMALS);
}

/** For a price that may be absent. */
export function nullableAttoUsdToNumber(price: AttoUsd | null): number | null {
  return price === null ? null : attoUsdToNumber(price);
}

/** Plain decimal text, as stored for prices: "0.0000025". */
export function attoUsdToText(price: AttoUsd): string {
  return formatDecimal(price, ATTO_DECIMALS);
}

export function attoUsdFromText(text: string): AttoUsd {
  const price = scaleDecimal(text, ATTO_DECIMALS);
  if (price === null) throw new Error(`Not a price: ${text}`);
  return price;
}

/** The only rounding in the system: half-even, from atto- to pico-dollars. */
export function roundToPicoUsd(amount: AttoUsd): PicoUsd {
  const quotient = amount / ATTO_PER_PICO;
  const twiceRemainder = (amount % ATTO_PER_PICO) * 2n;
  const isOddQuotient = (quotient & 1n) === 1n;
  if (twiceRemainder > ATTO_PER_PICO || (twiceRemainder === ATTO_PER_PICO && isOddQuotient))
    return quotient + 1n;
  return quotient;
}

/** Reads decimal text with an optional exponent ("2.5e-7") as an integer of 10⁻ᵈᵉᶜⁱᵐᵃˡˢ; null when digits would be lost. */
function scaleDecimal(text: string, decimals: number): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return 0n;
  const shift = Number(exponent) - fraction.length + decimals;
  let scaled: bigint;
  if (shift >= 0) {
    scaled = digits * 10n ** BigInt(shift);
  } else {
    const divisor = 10n ** BigInt(-shift);
    if (digits % divisor !== 0n) return null;
    scaled = digits / divisor;
  }
  return sign === '-' ? -scaled : scaled;
}

/** Dividing two integers that a double holds exactly is correctly rounded, so it equals reading the decimal text. */
function toNearestNumber(value: bigint, decimals: number): number {
  if (value <= MAX_EXACT && value >= -MAX_EXACT) return Number(value) / 10 ** decimals;
  return Number(formatDecimal(value, decimals));
}

function formatDecimal(value: bigint, decimals: number): string {
  const negative = value < 0n;
  const digits = (negative ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals);
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return (negative ? '-' : '') + (fraction === '' ? whole : `${whole}.${fraction}`);
}
