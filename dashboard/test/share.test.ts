import { expect, test } from 'vitest';
import { formatShare } from '../src/format/share.ts';

test.each([
  [44, 100, '44 %'],
  [0, 100, '0 %'],
  [0, 0, '0 %'],
  [1, 1_000_000, '<1 %'],
  [999_999, 1_000_000, '>99 %'],
  [7, 7, '100 %'],
])('%d of %d is %s', (part, whole, text) => {
  expect(formatShare(part, whole)).toBe(text);
});
