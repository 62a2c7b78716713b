import { expect, test } from 'vitest';
import { spendToday } from '../src/api/spend-today.ts';

const today = { total_usd: 1.2 };

test('with open holds, spend and holds come from the same response', () => {
  const summary = { today: { total_usd: 1.1 }, held_usd: 0.3 };
  expect(spendToday({ today, summary })).toEqual({ spentUsd: 1.1, heldUsd: 0.3 });
  expect(spendToday({ today: undefined, summary })).toEqual({ spentUsd: 1.1, heldUsd: 0.3 });
});

test('without, the spend is that of the response that is refreshed more often', () => {
  const summary = { today: { total_usd: 1.1 }, held_usd: 0 };
  expect(spendToday({ today, summary })).toEqual({ spentUsd: 1.2, heldUsd: 0 });
  expect(spendToday({ today, summary: undefined })).toEqual({ spentUsd: 1.2, heldUsd: 0 });
  expect(spendToday({ today: undefined, summary })).toBeUndefined();
});
