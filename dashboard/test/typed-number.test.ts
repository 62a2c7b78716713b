import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPerMillion } from '../src/format/token-price.ts';
import {
  parseCount,
  parseOptionalPerMillion,
  parsePerMillion,
  parseUsd,
} from '../src/format/typed-number.ts';

const NO_COMMAS = 'Use a decimal point and no commas, for example 0.50 or 1250.75';
const PLAIN = 'Enter a number such as 25 or 0.50';
const DECIMALS = 'Use at most 12 decimal places';
const DIGITS = 'Too many digits to store exactly';

/** Rejected in every field. */
const AMBIGUOUS: readonly [string, string][] = [
  ['0,02', NO_COMMAS],
  ['2,50', NO_COMMAS],
  ['1,250', NO_COMMAS],
  ['1,250.75', NO_COMMAS],
  ['1.250,75', NO_COMMAS],
  [',5', NO_COMMAS],
  ['', PLAIN],
  [' ', PLAIN],
  ['.', PLAIN],
  ['1.2.3', PLAIN],
  ['1 250', PLAIN],
  ['1\u00a0250', PLAIN],
  ['1’250', PLAIN],
  ["1'250", PLAIN],
  ['1_250', PLAIN],
  ['1e3', PLAIN],
  ['1E-3', PLAIN],
  ['0x10', PLAIN],
  ['-1', PLAIN],
  ['−1', PLAIN],
  ['+1', PLAIN],
  ['$3', PLAIN],
  ['3 USD', PLAIN],
  ['ten', PLAIN],
  ['NaN', PLAIN],
  ['Infinity', PLAIN],
  ['٣', PLAIN],
  ['１２', PLAIN],
  ['½', PLAIN],
];

describe('a typed amount', () => {
  test.each([
    ['25', 25],
    ['0.50', 0.5],
    ['0.02', 0.02],
    ['.5', 0.5],
    ['5.', 5],
    [' 3 ', 3],
    ['007', 7],
    ['0', 0],
    ['1250.75', 1250.75],
    ['0.000000000001', 1e-12],
    ['2.5000000000000000', 2.5],
    ['9223372', 9_223_372],
  ])('of %j is %d', (text, usd) => {
    expect(parseUsd(text)).toEqual({ value: usd, problem: null });
  });

  test.each<[string, string]>([
    ...AMBIGUOUS,
    ['0.0000000000001', DECIMALS],
    ['1234567.123456789012', DIGITS],
    ['9223372.01', 'Enter at most 9223372'],
    ['99999999999999999999999', 'Enter at most 9223372'],
  ])('of %j is rejected: %s', (text, problem) => {
    expect(parseUsd(text)).toEqual({ value: null, problem });
  });
});

describe('a typed price per million', () => {
  test.each([
    ['2.5', 0.0000025],
    ['2.50', 0.0000025],
    ['0.15', 0.00000015],
    ['0', 0],
    ['1000', 0.001],
    ['0.000000000001', 1e-18],
    ['1000000000000', 1_000_000],
  ])('of %s is %d per token', (text, perToken) => {
    expect(parsePerMillion(text)).toEqual({ value: perToken, problem: null });
  });

  test.each<[string, string]>([
    ...AMBIGUOUS,
    ['0.0000000000001', DECIMALS],
    ['1234567.123456789012', DIGITS],
    ['1000000000001', 'Enter at most 1000000000000'],
  ])('of %j is rejected: %s', (text, problem) => {
    expect(parsePerMillion(text)).toEqual({ value: null, problem });
  });

  test('survives a round trip without rounding', () => {
    const price = fc
      .tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 999_999 }))
      .map(([whole, millionths]) => `${whole}.${String(millionths).padStart(6, '0')}`);
    fc.assert(
      fc.property(price, (text) => {
        const { value } = parsePerMillion(text);
        expect(toPerMillion(value ?? Number.NaN)).toBe(String(Number(text)));
      }),
    );
  });
});

describe('a typed number of runs', () => {
  test.each([
    ['1', 1],
    [' 50 ', 50],
    ['2147483647', 2_147_483_647],
  ])('of %j is %d', (text, runs) => {
    expect(parseCount(text)).toEqual({ value: runs, problem: null });
  });

  test.each(['', '0', '-1', '1.5', '1.000', '1,000', '1 000', '1e2', '2147483648', 'ten'])(
    'of %j is rejected',
    (text) => {
      expect(parseCount(text).problem).toBe('Enter a whole number from 1 to 2147483647');
    },
  );
});

test('an optional price may stay empty, and is otherwise as strict as the others', () => {
  expect(parseOptionalPerMillion('')).toEqual({ value: null, problem: null });
  expect(parseOptionalPerMillion('  ')).toEqual({ value: null, problem: null });
  expect(parseOptionalPerMillion('0')).toEqual({ value: 0, problem: null });
  expect(parseOptionalPerMillion('0.30')).toEqual({ value: 0.0000003, problem: null });
  expect(parseOptionalPerMillion('0,30')).toEqual(parsePerMillion('0,30'));
  expect(parseOptionalPerMillion('-1').problem).not.toBeNull();
});
