import { expect, test } from 'vitest';
import { priceMeanwhile } from '../src/pages/prices/price-meanwhile.ts';

const OPENED = {
  id: '1',
  model: 'gpt-4o',
  input_cost_per_token: 0.0000025,
  output_cost_per_token: 0.00001,
  is_active: true,
};

test.each([
  [OPENED, null],
  [{ ...OPENED, id: '2' }, null],
  [null, 'The price was deactivated meanwhile.'],
  [
    { ...OPENED, input_cost_per_token: 0.000003 },
    'The price was changed meanwhile: $3.00 input, $10.00 output per 1M tokens.',
  ],
])('a price that is now %j: %s', (present, words) => {
  expect(priceMeanwhile(OPENED, present)).toBe(words);
});
