/**
 * Checks which numbers are accepted. Numbers are parsed as doubles, and a number is rejected if it would be returned as another
 * one. In client data, a number with a decimal point or an exponent is assumed to be a double already: it is accepted with as
 * many digits as a double is ever serialized with.
 */

import { nextMatch, toSkippingTable } from './byte-table.js';

/** A double preserves any decimal number with this many significant digits; a number with more may be rounded. */
const SAFE_DIGITS = 15;
/** The most digits that are needed to represent a double. */
const MAX_DIGITS = 17;
/** Between 10⁻³⁰⁷ and 10³⁰⁷ a double has its full precision. */
const SAFE_POWER = 307;
/** Beyond these powers a double is infinite or 0. */
const MAX_POWER = 308;
const MIN_POWER = -324;
/** Comparing a number with its double is expensive. Only hostile bodies have many numbers that need it. */
const MAX_COMPARISONS = 100;
/** Larger exponents are not read to their end: no body has enough digits to compensate for them. */
const MAX_EXPONENT = 1_000_000_000;

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_E = 0x65;
/** The bit that turns an uppercase letter into lowercase. */
const LOWERCASE = 0x20;

const NO_DIGITS = toSkippingTable('0123456789');
const NO_ZEROS = toSkippingTable('0');

export type NumberViolation = 'range' | 'digits';

/** Checks the numbers of one body, one after the other. */
export class NumberCheck {
  /** The violation of the last number that was rejected. */
  violation: NumberViolation = 'digits';
  readonly #json: Buffer;
  #comparisons = 0;

  constructor(json: Buffer) {
    this.#json = json;
  }

  /**
   * Returns the offset after the number at `start`, or −1 if it is rejected. `isField`: the number is a field of the API with an
   * exact meaning, such as an amount or a count.
   */
  endOf(start: number, isField: boolean): number {
    const json = this.#json;
    const first = json[start] === MINUS ? start + 1 : start;
    const point = endOfDigits(json, first);
    const hasPoint = json[point] === POINT;
    // Only a number below 1 starts with zeros.
    const significant =
      json[first] !== ZERO ? first : hasPoint ? nextMatch(json, point + 1, NO_ZEROS) : point;
    const last = hasPoint ? endOfDigits(json, Math.max(significant, point + 1)) : point;
    const hasExponent = ((json[last] ?? 0) | LOWERCASE) === LETTER_E;
    if (!hasExponent && last - significant <= SAFE_DIGITS && last - first <= SAFE_POWER) return last;
    const end = hasExponent ? endOfExponent(json, last + 1) : last;
    const violation = this.#violationOf({ start, first, significant, point, last, end }, isField);
    if (violation === null) return end;
    this.violation = violation;
    return -1;
  }

  #violationOf(number: NumberOffsets, isField: boolean): NumberViolation | null {
    const json = this.#json;
    const { digits, power } = measure(json, number);
    if (digits === 0) return null;
    if (power > MAX_POWER || power < MIN_POWER) return 'range';
    const isNormal = Math.abs(power) <= SAFE_POWER;
    if (isNormal && digits <= SAFE_DIGITS) return null;
    if (digits > MAX_DIGITS) return 'digits';
    const isWhole = number.point === number.end;
    if (isNormal && !isWhole && !isField) return null;
    // Below 9 × 10¹⁵, and so below 2⁵³.
    if (isWhole && power === SAFE_DIGITS && json[number.first] !== NINE) return null;
    if (this.#isPreserved(number)) return null;
    return isNormal ? 'digits' : 'range';
  }

  /** Whether the number is the same after it was parsed and serialized. */
  #isPreserved({ start, end }: NumberOffsets): boolean {
    this.#comparisons += 1;
    if (this.#comparisons > MAX_COMPARISONS) return false;
    const text = this.#json.toString('latin1', start, end);
    const value = Number(text);
    return Number.isFinite(value) && toCanonical(text) === toCanonical(String(value));
  }
}

interface NumberOffsets {
  readonly start: number;
  /** The first digit. */
  readonly first: number;
  /** The first digit that is not 0, or `last`. */
  readonly significant: number;
  /** The decimal point, or where it would be. */
  readonly point: number;
  /** After the last digit before the exponent. */
  readonly last: number;
  readonly end: number;
}

interface Measures {
  /** The number of significant digits, without leading and trailing zeros. */
  readonly digits: number;
  /** The power of ten of the first significant digit. */
  readonly power: number;
}

function measure(json: Buffer, { significant: from, point, last, end }: NumberOffsets): Measures {
  if (from === last) return { digits: 0, power: 0 };
  let to = last - 1;
  while (json[to] === ZERO || json[to] === POINT) to -= 1;
  const hasPoint = from < point && point < to;
  return {
    digits: to - from + (hasPoint ? 0 : 1),
    power: point - from - (from < point ? 1 : 0) + (last < end ? readExponent(json, last + 1, end) : 0),
  };
}

function endOfDigits(json: Buffer, start: number): number {
  return nextMatch(json, start, NO_DIGITS);
}

function endOfExponent(json: Buffer, start: number): number {
  return endOfDigits(json, json[start] === MINUS || json[start] === PLUS ? start + 1 : start);
}

function readExponent(json: Buffer, start: number, end: number): number {
  let exponent = 0;
  for (let at = start; at < end && exponent < MAX_EXPONENT; at += 1) {
    const byte = json[at] ?? 0;
    if (byte >= ZERO) exponent = exponent * 10 + byte - ZERO;
  }
  return json[start] === MINUS ? -exponent : exponent;
}

/** Maps all spellings of a number to one: its significant digits and the power of ten of the first. */
function toCanonical(number: string): string {
  const [, digits = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(number) ?? [];
  const withoutZeros = (digits + fraction).replace(/^0+/, '');
  const power = withoutZeros.length - fraction.length + Number(exponent);
  return `0.${withoutZeros.replace(/0+$/, '')}e${power}`;
}
