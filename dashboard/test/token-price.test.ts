import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromPerMillion, toPerMillion } from '../src/format/token-price.ts';

describe('a price', () => {
  test.each([
    ['2.5', 0.0000025],
    ['2.50', 0.0000025],
    ['0.15', 0.00000015],
    ['$3', 0.000003],
    ['0', 0],
    ['0.000000000001', 1e-18],
    ['1,000', 0.001],
  ])('of %s per million is %d per token', (text, perToken) => {
    expect(fromPerMillion(text)).toBe(perToken);
  });

  test.each([
    ['', 'nothing'],
    ['-1', 'negative'],
    ['1e3', 'an exponent'],
    ['0.0000000000001', 'too many digits'],
    ['x', 'letters'],
  ])('%j is refused: %s', (text) => {
    expect(fromPerMillion(text)).toBeNull();
  });

  test('is the same digits after going there and back', () => {
    const price = fc
      .tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 999_999 }))
      .map(([whole, millionths]) => `${whole}.${String(millionths).padStart(6, '0')}`);
    fc.assert(
      fc.property(price, (text) => {
        const perToken = fromPerMillion(text);
        expect(perToken).not.toBeNull();
        expect(toPerMillion(perToken ?? Number.NaN)).toBe(String(Number(text)));
      }),
    );
  });
});
