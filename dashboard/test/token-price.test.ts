import { describe, expect, test } from 'vitest';
import { describeTokenPrices, formatPerMillion, toPerMillion } from '../src/format/token-price.ts';

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

test('is shown to its last digit', () => {
  expect(formatPerMillion(0.00000015)).toBe('$0.15');
  expect(formatPerMillion(0.000003125)).toBe('$3.125');
});

test('prices are described with those of the cache that there are', () => {
  const prices = {
    input_cost_per_token: 0.000003,
    output_cost_per_token: 0.000015,
    cache_read_cost_per_token: 0.0000003,
    cache_write_cost_per_token: 0.00000375,
  };
  expect(describeTokenPrices(prices)).toBe('$3.00 input, $0.30 cache read, $3.75 cache write, $15.00 output');
  expect(describeTokenPrices({ ...prices, cache_read_cost_per_token: null })).toBe(
    '$3.00 input, $3.75 cache write, $15.00 output',
  );
});
