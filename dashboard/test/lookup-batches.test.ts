import { expect, test } from 'vitest';
import { toLookupBatches } from '../src/api/lookup-batches.ts';

test('a request has at most 50 names, in their order', () => {
  const names = Array.from({ length: 120 }, (_, index) => `model-${index}`);
  const batches = toLookupBatches(names);
  expect(batches.map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(batches.flat()).toEqual(names);
});

test('long names share a URL only up to its length', () => {
  const names = Array.from({ length: 12 }, () => 'ü'.repeat(255));
  const batches = toLookupBatches(names);
  expect(batches.flat()).toEqual(names);
  for (const batch of batches) {
    const query = batch.map((name) => `model=${encodeURIComponent(name)}`).join('&');
    expect(query.length).toBeLessThan(10_000);
  }
});

test('no names need no request', () => {
  expect(toLookupBatches([])).toEqual([]);
});
