/**
 * Which numbers are kept. They are read as doubles: a number is refused when what is shown later would be another one.
 * A number in the client's own data that is written with a point or an exponent is a double already, and is kept as such with
 * as many digits as a double is ever written with.
 */

import { nextMarked } from './marked-bytes.js';

/** A decimal number with so many digits is read back from a double as it was; one with more may be rounded. */
const SAFE_DIGITS = 15;
/** No double needs more. */
const MAX_DIGITS = 17;
/** Between 10⁻³⁰⁷ and 10³⁰⁷ a double has all its digits. */
const SAFE_POWER = 307;
/** Beyond these it is infinite or 0. */
const MAX_POWER = 308;
const MIN_POWER = -324;
/** Reading a number back to compare it costs more than a body may, and an honest body has few that need it. */
const MAX_COMPARISONS = 100;
/** A larger exponent is not worth reading to its end: no body has the digits that would make up for it. */
const MAX_EXPONENT = 1_000_000_000;

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const NO_DIGITS = new Uint8Array(256).fill(1).fill(0, ZERO, NINE + 1);
const LETTER_E = 0x65;
/** Turns a capital letter into a small one. */
const SMALL = 0x20;

export type NumberFlaw = 'range' | 'digits';

/** Checks the numbers of one body, one after the other. */
export class NumberCheck {
  /** Of the latest number that cannot be kept. */
  flaw: NumberFlaw = 'digits';
  readonly #json: Buffer;
  #comparisons = 0;

  constructor(json: Buffer) {
    this.#json = json;
  }

  /**
   * The byte after the number that starts here, or −1: it cannot be kept. `isField`: it is a field of the API, with an exact
   * meaning, such as money or a count.
   */
  endOf(start: number, isField: boolean): number {
    const json = this.#json;
    const first = json[start] === MINUS ? start + 1 : start;
    const point = endOfDigits(json, first);
    const last = json[point] === POINT ? endOfDigits(json, point + 1) : point;
    const hasExponent = ((json[last] ?? 0) | SMALL) === LETTER_E;
    if (!hasExponent && last - first <= SAFE_DIGITS) return last;
    const end = hasExponent ? endOfExponent(json, last + 1) : last;
    const flaw = this.#flawOf({ start, first, point, last, end }, isField);
    if (flaw === null) return end;
    this.flaw = flaw;
    return -1;
  }

  #flawOf(number: NumberPlaces, isField: boolean): NumberFlaw | null {
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
    if (this.#isReadBack(number)) return null;
    return isNormal ? 'digits' : 'range';
  }

  #isReadBack({ start, end }: NumberPlaces): boolean {
    this.#comparisons += 1;
    if (this.#comparisons > MAX_COMPARISONS) return false;
    const text = this.#json.toString('latin1', start, end);
    const value = Number(text);
    return Number.isFinite(value) && toCanonical(text) === toCanonical(String(value));
  }
}

interface NumberPlaces {
  readonly start: number;
  /** The first digit. */
  readonly first: number;
  /** The point, or where it would be. */
  readonly point: number;
  /** After the last digit before the exponent. */
  readonly last: number;
  readonly end: number;
}

interface Measures {
  /** Significant digits: without zeros at either end. */
  readonly digits: number;
  /** Of ten, that the first of them stands for. */
  readonly power: number;
}

function measure(json: Buffer, { first, point, last, end }: NumberPlaces): Measures {
  let from = first;
  while (from < last && (json[from] === ZERO || json[from] === POINT)) from += 1;
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
  return nextMarked(json, start, NO_DIGITS);
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

/** One text for all spellings of a number: its digits without zeros at either end, and the power of ten of the first. */
function toCanonical(number: string): string {
  const [, digits = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(number) ?? [];
  const withoutZeros = (digits + fraction).replace(/^0+/, '');
  const power = withoutZeros.length - fraction.length + Number(exponent);
  return `0.${withoutZeros.replace(/0+$/, '')}e${power}`;
}
