import { describe, expect, test } from 'vitest';
import { formatAxisUsd, formatExactUsd, formatUsd, sumUsd, toPlainDecimal } from '../src/format/money.ts';

describe('an amount', () => {
  test.each([
    [0, '$0'],
    [0.0023, '$0.0023'],
    [0.00234, '$0.0023'],
    [0.00999, '$0.01'],
    [0.1, '$0.10'],
    [0.1234, '$0.12'],
    [0.999, '$1.00'],
    [1, '$1.00'],
    [12.345, '$12.35'],
    [1234.5, '$1,234.50'],
    [0.0000023, '$0.0000023'],
    [0.000001, '$0.000001'],
    [0.0000004, '<$0.000001'],
    [0.000000000001, '<$0.000001'],
    [-0.5, '−$0.50'],
  ])('%d is shown as %s', (usd, text) => {
    expect(formatUsd(usd)).toBe(text);
  });

  test.each([
    [2.5, '$2.50'],
    [0.0375, '$0.0375'],
    [2.5e-7, '$0.00000025'],
    [15, '$15.00'],
    [0, '$0.00'],
    [1250, '$1,250.00'],
    [9223372.036, '$9,223,372.036'],
    [1234.56789, '$1,234.56789'],
    [-0.5, '−$0.50'],
  ])('%d without rounding is %s', (usd, text) => {
    expect(formatExactUsd(usd)).toBe(text);
  });

  test.each([
    [0.05, '$0.05'],
    [0, '$0'],
    [4, '$4'],
    [12.5, '$12.5'],
    [0.125, '$0.125'],
    [0.1 + 0.2, '$0.3'],
    [0.0000025, '$0.0000025'],
    [750, '$750'],
    [1_250, '$1.25k'],
    [2_000_000, '$2M'],
  ])('%d on an axis is %s', (usd, text) => {
    expect(formatAxisUsd(usd)).toBe(text);
  });
});

describe('a sum', () => {
  test.each([
    [[], 0],
    [[0.1, 0.2], 0.3],
    [[0.7, 0.1], 0.8],
    [[1e-18, 2e-18], 3e-18],
    [[0.000000000000000001, 1], 1],
    [[9_223_372.036854, 0.000001], 9_223_372.036855],
    [[0.3, -0.1], 0.2],
  ])('of %j is %d', (amounts, total) => {
    expect(sumUsd(amounts)).toBe(total);
  });

  test('of a million parts has no rounding error', () => {
    expect(sumUsd(Array.from({ length: 1_000_000 }, () => 0.0000001))).toBe(0.1);
  });
});

describe('decimal notation', () => {
  test.each([
    [1e-12, '0.000000000001'],
    [1.5e21, '1500000000000000000000'],
    [123.456, '123.456'],
    [0, '0'],
    [1e-7, '0.0000001'],
  ])('of %d is %s', (value, text) => {
    expect(toPlainDecimal(value)).toBe(text);
  });
});
