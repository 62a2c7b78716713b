import { describe, expect, test } from 'vitest';
import { toPerMillion } from '../src/format/token-price.ts';

describe('a price', () => {
  test.each([
    [0.0000025, '2.5'],
    [0.00000015, '0.15'],
    [0, '0'],
    [1e-18, '0.000000000001'],
    [0.001, '1000'],
  ])('of %d per token is %s per million', (perToken, text) => {
    expect(toPerMillion(perToken)).toBe(text);
  });
});
