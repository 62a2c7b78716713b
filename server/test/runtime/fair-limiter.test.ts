import { expect, test } from 'vitest';
import { FairLimiter } from '../../src/runtime/fair-limiter.js';
import { FairQueue } from '../../src/runtime/fair-queue.js';

/** What asks whether the store is away must be able to tell that it is not: a caller could bring it about. */
const OVERLOAD = { kind: 'unavailable', isOverload: true };

test('work that finds too much waiting, or waits too long, is refused as an overload', async () => {
  const limiter = new FairLimiter({
    maxRunning: 1,
    maxRunningPerOwner: 1,
    maxWaiting: 1,
    maxWaitingPerOwner: 1,
    maxWaitMs: 1,
  });
  const leave = await limiter.enter('one');
  const waiting = limiter.enter('one');
  await expect(limiter.enter('one')).rejects.toMatchObject(OVERLOAD);
  await expect(waiting).rejects.toMatchObject(OVERLOAD);
  leave();
});

test('an item that finds the queue, or the part of its owner, full is refused as an overload', () => {
  const bounds = { maxBytes: 10, maxItemsPerOwner: 1, maxBytesPerOwner: 10 };
  const queue = new FairQueue<string>({ maxItems: 2, ...bounds });
  queue.add('one', 'first');
  expect(() => queue.add('one', 'second')).toThrow(expect.objectContaining(OVERLOAD));
  queue.add('two', 'first');
  expect(() => queue.add('three', 'first')).toThrow(expect.objectContaining(OVERLOAD));
});
