import { describe, expect, test } from 'vitest';
import { differingListPrice, knownModels } from '../src/pages/prices/list-price.ts';

const LISTED = {
  provider: 'OpenAI',
  model: 'gpt-4o',
  name: 'GPT-4o',
  input_cost_per_token: 0.0000025,
  output_cost_per_token: 0.00001,
  cache_read_cost_per_token: 0.00000125,
  cache_write_cost_per_token: null,
  has_other_prices: false,
  as_of: '2026-09-23',
};
const RESOLD = { ...LISTED, provider: 'Reseller', input_cost_per_token: 0.000003 };
const OWN = {
  input_cost_per_token: 0.0000025,
  output_cost_per_token: 0.00001,
  cache_read_cost_per_token: 0.00000125,
  cache_write_cost_per_token: null,
};
const MATCH = { model: 'gpt-4o', price: LISTED, other_prices: [RESOLD] };

describe('a price', () => {
  test.each([
    ['as listed', OWN],
    ['with a price that the list does not have', { ...OWN, cache_write_cost_per_token: 0.1 }],
    ['of another provider', { ...OWN, input_cost_per_token: 0.000003 }],
  ])('%s does not differ', (_, price) => {
    expect(differingListPrice(price, MATCH)).toBeNull();
  });

  test.each([
    ['of other input', { ...OWN, input_cost_per_token: 0.0000026 }],
    ['of other output', { ...OWN, output_cost_per_token: 0 }],
    ['without the price of the cache', { ...OWN, cache_read_cost_per_token: null }],
    ['with another price of the cache', { ...OWN, cache_read_cost_per_token: 0.000001 }],
  ])('%s differs', (_, price) => {
    expect(differingListPrice(price, MATCH)).toBe(LISTED);
  });

  test('without a price of the cache is as listed if the list says that it costs as much as input', () => {
    const listed = { ...LISTED, cache_read_cost_per_token: LISTED.input_cost_per_token };
    const match = { ...MATCH, price: listed };
    expect(differingListPrice({ ...OWN, cache_read_cost_per_token: null }, match)).toBeNull();
  });

  test('of a model that the catalogue does not know is not compared', () => {
    expect(differingListPrice(OWN, undefined)).toBeNull();
    expect(differingListPrice(OWN, { ...MATCH, price: null })).toBeNull();
  });
});

test('models that the catalogue knows keep their names and their order', () => {
  const matches = [
    { model: 'openai/gpt-4o', price: LISTED, other_prices: [] },
    { model: 'house-model', price: null, other_prices: [RESOLD] },
  ];
  expect(knownModels(['house-model', 'openai/gpt-4o', 'unseen'], matches)).toEqual([
    { model: 'openai/gpt-4o', listed: LISTED },
  ]);
  expect(knownModels(['gpt-4o'], undefined)).toEqual([]);
});
