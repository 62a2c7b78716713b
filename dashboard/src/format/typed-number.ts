/**
 * Parses numbers entered by users. Only unambiguous input is accepted: digits with at most one decimal point. Accepted
 * values are exact; other input is rejected with a reason.
 */

import { toPlainDecimal } from './money.ts';

export type TypedNumber =
  | { readonly value: number; readonly problem: null }
  | { readonly value: null; readonly problem: string };

/** The largest whole number of dollars that fits into 64 bits as pico-dollars. */
const MAX_BUDGET_USD = 9_223_372;
const BUDGET_DECIMALS = 12;
/** Derived from the bounds of a price per token: at most 18 decimal places and at most 1,000,000. */
const PER_MILLION_DECIMALS = 12;
const MAX_PER_MILLION_USD = 1_000_000_000_000;
const POWER_OF_MILLION = 6;
const ANY_COUNT: CountBounds = { min: 1, max: 2_147_483_647 };

/** Parses an amount such as "0.02" dollars. */
export function parseUsd(text: string): TypedNumber {
  return parseDecimal(text, { decimals: BUDGET_DECIMALS, max: MAX_BUDGET_USD, power: 0 });
}

/** Parses a price such as "2.5" dollars per million tokens and returns the price per token: 0.0000025. */
export function parsePerMillion(text: string): TypedNumber {
  return parseDecimal(text, {
    decimals: PER_MILLION_DECIMALS,
    max: MAX_PER_MILLION_USD,
    power: POWER_OF_MILLION,
  });
}

/** Like `parsePerMillion`, for a field that may stay empty: null without a problem. */
export function parseOptionalPerMillion(
  text: string,
): TypedNumber | { readonly value: null; readonly problem: null } {
  return text.trim() === '' ? { value: null, problem: null } : parsePerMillion(text);
}

export interface CountBounds {
  readonly min: number;
  readonly max: number;
}

/** Parses a count such as "50". */
export function parseCount(text: string, { min, max }: CountBounds = ANY_COUNT): TypedNumber {
  const plain = text.trim();
  const value = /^\d{1,10}$/.test(plain) ? Number(plain) : null;
  // The message has the bounds as they must be typed: without commas.
  return value !== null && value >= min && value <= max
    ? { value, problem: null }
    : invalid(`Enter a whole number from ${min} to ${max}`);
}

interface Bounds {
  readonly decimals: number;
  readonly max: number;
  /** The result is the entered number divided by ten to this power. */
  readonly power: number;
}

function parseDecimal(text: string, { decimals, max, power }: Bounds): TypedNumber {
  const plain = text.trim();
  // Depending on the locale, "1,250" is either 1.25 or 1250.
  if (plain.includes(',')) {
    return invalid('Use a decimal point and no commas, for example 0.50 or 1250.75');
  }
  const match = /^(\d*)(?:\.(\d*))?$/.exec(plain);
  const [, whole = '', typedFraction = ''] = match ?? [];
  if (whole + typedFraction === '') return invalid('Enter a number such as 25 or 0.50');
  const fraction = typedFraction.replace(/0+$/, '');
  if (fraction.length > decimals) return invalid(`Use at most ${decimals} decimal places`);
  const digits = toDigits(whole, fraction, decimals);
  if (digits > BigInt(max) * 10n ** BigInt(decimals)) return invalid(`Enter at most ${max}`);
  // Parsing a decimal string is correctly rounded; dividing a float is not.
  const value = Number(`${whole}.${fraction}e-${power}`);
  const [keptWhole = '', keptFraction = ''] = toPlainDecimal(value).split('.');
  const isExact =
    keptFraction.length <= decimals + power && toDigits(keptWhole, keptFraction, decimals + power) === digits;
  return isExact ? { value, problem: null } : invalid('Too many digits to store exactly');
}

/** The number as an integer, in units of its last decimal place. */
function toDigits(whole: string, fraction: string, decimals: number): bigint {
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

function invalid(problem: string): TypedNumber {
  return { value: null, problem };
}
