/**
 * Reads numbers that people type, and only those that can be read in one way: digits with at most one point. What is
 * accepted is kept digit by digit; everything else is refused with the reason.
 */

import { toPlainDecimal } from './money.ts';

export type TypedNumber =
  | { readonly value: number; readonly problem: null }
  | { readonly value: null; readonly problem: string };

/** The stores count pico-dollars in 64 bits; beyond this many whole dollars nothing is accepted. */
const MAX_BUDGET_USD = 9_223_372;
const BUDGET_DECIMALS = 12;
/** A price per token has at most 18 decimal places and is at most 1,000,000, so one per million has these bounds. */
const PER_MILLION_DECIMALS = 12;
const MAX_PER_MILLION_USD = 1_000_000_000_000;
const POWER_OF_MILLION = 6;
const MAX_RUNS = 2_147_483_647;

/** "0.02" dollars. */
export function parseUsd(text: string): TypedNumber {
  return parseDecimal(text, { decimals: BUDGET_DECIMALS, max: MAX_BUDGET_USD, power: 0 });
}

/** "2.5" dollars per million tokens, as the price of one token: 0.0000025. */
export function parsePerMillion(text: string): TypedNumber {
  return parseDecimal(text, {
    decimals: PER_MILLION_DECIMALS,
    max: MAX_PER_MILLION_USD,
    power: POWER_OF_MILLION,
  });
}

/** "50" runs. */
export function parseRunCount(text: string): TypedNumber {
  const plain = text.trim();
  const value = /^\d{1,10}$/.test(plain) ? Number(plain) : 0;
  return value >= 1 && value <= MAX_RUNS
    ? { value, problem: null }
    : refused(`A whole number from 1 to ${MAX_RUNS}, only digits`);
}

interface Bounds {
  readonly decimals: number;
  readonly max: number;
  /** What is kept is the typed number divided by ten to this power. */
  readonly power: number;
}

function parseDecimal(text: string, { decimals, max, power }: Bounds): TypedNumber {
  const plain = text.trim();
  // In half of the world "1,250" is a little more than one, in the other half it is more than a thousand.
  if (plain.includes(',')) {
    return refused('Decimals are written with a point and without commas, such as 0.50 or 1250.75');
  }
  const match = /^(\d*)(?:\.(\d*))?$/.exec(plain);
  const [, whole = '', typedFraction = ''] = match ?? [];
  if (whole + typedFraction === '') return refused('A plain number such as 25 or 0.50');
  const fraction = typedFraction.replace(/0+$/, '');
  if (fraction.length > decimals) return refused(`At most ${decimals} decimal places`);
  const digits = toDigits(whole, fraction, decimals);
  if (digits > BigInt(max) * 10n ** BigInt(decimals)) return refused(`At most ${max}`);
  // Reading text is rounded correctly, dividing a float is not.
  const value = Number(`${whole}.${fraction}e-${power}`);
  const [keptWhole = '', keptFraction = ''] = toPlainDecimal(value).split('.');
  const isExact =
    keptFraction.length <= decimals + power && toDigits(keptWhole, keptFraction, decimals + power) === digits;
  return isExact ? { value, problem: null } : refused('More digits than can be kept exactly');
}

/** The number as an integer of its last decimal place. */
function toDigits(whole: string, fraction: string, decimals: number): bigint {
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

function refused(problem: string): TypedNumber {
  return { value: null, problem };
}
