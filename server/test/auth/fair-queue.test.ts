import { expect, test } from 'vitest';
import { FairQueue } from '../../src/auth/fair-queue.js';

const drain = (queue: FairQueue<string>): string[] => {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
};

test('owners take turns, each with its oldest item', () => {
  const queue = new FairQueue<string>({ maxItems: 9, maxItemsPerOwner: 9 });
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'])
    expect(queue.push(item.slice(0, 1), item)).toBeNull();
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('an owner that had its turn goes behind those who wait', () => {
  const queue = new FairQueue<string>({ maxItems: 9, maxItemsPerOwner: 9 });
  for (const item of ['a1', 'a2', 'b1']) queue.push(item.slice(0, 1), item);
  expect(queue.shift()).toBe('a1');
  queue.push('c', 'c1');
  expect(drain(queue)).toEqual(['b1', 'a2', 'c1']);
});

test('an owner has a bound of its own', () => {
  const queue = new FairQueue<string>({ maxItems: 9, maxItemsPerOwner: 2 });
  expect(['a1', 'a2', 'a3'].map((item) => queue.push('a', item))).toEqual([null, null, 'a3']);
  expect(queue.push('b', 'b1')).toBeNull();
  expect(drain(queue)).toEqual(['a1', 'b1', 'a2']);
});

test('a full queue makes room at the expense of the owner with the most items, newest first', () => {
  const queue = new FairQueue<string>({ maxItems: 4, maxItemsPerOwner: 9 });
  for (const item of ['b1', 'a1', 'a2', 'a3']) queue.push(item.slice(0, 1), item);
  expect(queue.push('c', 'c1')).toBe('a3');
  expect(queue.push('a', 'a4')).toBe('a4');
  expect(queue.push('b', 'b2')).toBe('b2');
  expect(queue.push('d', 'd1')).toBe('a2');
  expect(queue.push('e', 'e1')).toBe('e1');
  expect(drain(queue)).toEqual(['b1', 'a1', 'c1', 'd1']);
  expect(queue.push('e', 'e2')).toBeNull();
  expect(drain(queue)).toEqual(['e2']);
});
