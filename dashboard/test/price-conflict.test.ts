import { expect, test } from 'vitest';
import { priceConflict } from '../src/pages/prices/price-conflict.ts';

const OPENED = {
  id: '1',
  model: 'gpt-4o',
  input_cost_per_token: 0.0000025,
  output_cost_per_token: 0.00001,
  cache_read_cost_per_token: null,
  cache_write_cost_per_token: null,
  is_active: true,
};

test.each([
  [OPENED, null],
  [{ ...OPENED, id: '2' }, null],
  [null, 'The price has been deactivated.'],
  [
    { ...OPENED, input_cost_per_token: 0.000003 },
    'The price has changed: $3.00 input, $10.00 output per 1M tokens.',
  ],
  [
    { ...OPENED, cache_read_cost_per_token: 0 },
    'The price has changed: $2.50 input, $0.00 cache read, $10.00 output per 1M tokens.',
  ],
  [
    { ...OPENED, cache_write_cost_per_token: 0.000003125 },
    'The price has changed: $2.50 input, $3.125 cache write, $10.00 output per 1M tokens.',
  ],
])('a current price of %j is described as %s', (present, description) => {
  expect(priceConflict(OPENED, present)).toBe(description);
});
