import { expect, test } from 'vitest';
import { FairLimiter } from '../../src/runtime/fair-limiter.js';
import { FairQueue } from '../../src/runtime/fair-queue.js';

const BOUNDS = { maxItems: 10, maxBytes: 100, maxItemsPerOwner: 6, maxBytesPerOwner: 60 };
const ALL = { maxItems: 100, maxBytes: 1_000 };
const UNAVAILABLE = expect.objectContaining({ kind: 'unavailable', retryAfterSeconds: 1 });

function queueOf(items: readonly string[], bounds = BOUNDS): FairQueue<string> {
  const queue = new FairQueue<string>(bounds);
  for (const item of items) queue.add(item.charAt(0), item, 1);
  return queue;
}

test('owners are served in turn, each in its own order', () => {
  const queue = queueOf(['a1', 'a2', 'a3', 'b1', 'c1', 'c2']);
  expect(queue.take(ALL)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  expect(queue.size).toBe(0);
});

test('an owner that a full batch did not serve is first in the next one', () => {
  const queue = queueOf(['a1', 'a2', 'b1', 'c1']);
  expect(queue.take({ ...ALL, maxItems: 2 })).toEqual(['a1', 'b1']);
  expect(queue.take(ALL)).toEqual(['c1', 'a2']);
});

test('one owner alone gets everything, in order', () => {
  const queue = queueOf(['a1', 'a2', 'a3']);
  expect(queue.take(ALL)).toEqual(['a1', 'a2', 'a3']);
});

test('an owner has at most its share of a batch', () => {
  const queue = queueOf(['a1', 'a2', 'a3', 'b1']);
  expect(queue.take({ ...ALL, maxShare: 2 })).toEqual(['a1', 'b1', 'a2']);
  expect(queue.take({ ...ALL, maxShare: 2 })).toEqual(['a3']);
});

test('a batch is bounded in bytes, and a single item larger than the bound is taken alone', () => {
  const queue = new FairQueue<string>(BOUNDS);
  queue.add('a', 'large', 55);
  queue.add('b', 'small', 1);
  expect(queue.take({ maxItems: 100, maxBytes: 50 })).toEqual(['large']);
  expect(queue.take({ maxItems: 100, maxBytes: 50 })).toEqual(['small']);
  expect(queue.bytes).toBe(0);
});

test('an owner that is held back keeps its items and its place', () => {
  const queue = queueOf(['a1', 'b1', 'a2']);
  expect(queue.take({ ...ALL, isHeldBack: (owner) => owner === 'a' })).toEqual(['b1']);
  expect(queue.take(ALL)).toEqual(['a1', 'a2']);
});

test.each([
  ['items', { bytes: 1, accepted: 6 }],
  ['bytes', { bytes: 20, accepted: 3 }],
])('an owner whose part is full of %s is refused, and others are not', (_, { bytes, accepted }) => {
  const queue = new FairQueue<string>(BOUNDS);
  for (let index = 0; index < accepted; index += 1) queue.add('a', `a${index}`, bytes);
  expect(() => queue.add('a', 'one too many', bytes)).toThrow(UNAVAILABLE);
  queue.add('b', 'b1', bytes);
  expect(queue.take(ALL)).toHaveLength(accepted + 1);
  queue.add('a', 'again', bytes);
});

test('a full queue refuses every owner', () => {
  const queue = queueOf(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3', 'b4', 'b5']);
  expect(() => queue.add('c', 'c1', 1)).toThrow(UNAVAILABLE);
});

test('a full queue makes room at the expense of the owner with the most items, newest first', () => {
  const displaced: string[] = [];
  const queue = new FairQueue<string>({
    maxItems: 4,
    maxBytes: 100,
    maxItemsPerOwner: 9,
    maxBytesPerOwner: 100,
    onDisplace: (item) => displaced.push(item),
  });
  for (const item of ['b1', 'a1', 'a2', 'a3', 'c1', 'd1']) queue.add(item.charAt(0), item, 1);
  expect(displaced).toEqual(['a3', 'a2']);
  for (const item of ['a4', 'b2', 'e1'])
    expect(() => queue.add(item.charAt(0), item, 1)).toThrow(UNAVAILABLE);
  expect(queue.take(ALL)).toEqual(['b1', 'a1', 'c1', 'd1']);
  queue.add('e', 'e2', 1);
  expect(queue.take(ALL)).toEqual(['e2']);
});

test('a queue that is full of bytes makes room at the expense of the owner with the most bytes', () => {
  const displaced: string[] = [];
  const queue = new FairQueue<string>({ ...BOUNDS, onDisplace: (item) => displaced.push(item) });
  queue.add('a', 'a1', 30);
  queue.add('a', 'a2', 30);
  for (const item of ['b1', 'c1', 'd1', 'e1']) queue.add(item.charAt(0), item, 10);
  queue.add('f', 'f1', 20);
  expect(displaced).toEqual(['a2']);
  expect(queue.bytes).toBe(90);
  expect(() => queue.add('a', 'a3', 30)).toThrow(UNAVAILABLE);
});

test('a single item of any size is accepted', () => {
  const queue = new FairQueue<string>(BOUNDS);
  queue.add('a', 'huge', 1_000);
  expect(queue.take(ALL)).toEqual(['huge']);
});

test('a removed item is not served, and its room is free again', () => {
  const queue = queueOf(['a1', 'a2', 'b1']);
  queue.remove('a', 'a1');
  queue.remove('b', 'b1');
  queue.remove('b', 'unknown');
  expect([queue.size, queue.bytes]).toEqual([1, 1]);
  expect(queue.take(ALL)).toEqual(['a2']);
});

test('all items of one owner are taken together', () => {
  const queue = queueOf(['a1', 'b1', 'a2']);
  expect(queue.takeAllOf('a')).toEqual(['a1', 'a2']);
  expect(queue.takeAll()).toEqual(['b1']);
  expect([queue.size, queue.bytes]).toEqual([0, 0]);
});

test('thousands of items of one owner are served in linear time and in order', () => {
  const queue = new FairQueue<number>({
    maxItems: 100_000,
    maxBytes: 1,
    maxItemsPerOwner: 100_000,
    maxBytesPerOwner: 1,
  });
  for (let item = 0; item < 50_000; item += 1) queue.add('a', item);
  const taken: number[] = [];
  while (queue.size > 0) taken.push(...queue.take({ maxItems: 256, maxBytes: 1 }));
  expect(taken).toEqual(Array.from({ length: 50_000 }, (_, index) => index));
});

// ── The limiter ────────────────────────────────────────────────────────────────────────────────────────────────────

const LIMITS = {
  maxRunning: 2,
  maxRunningPerOwner: 1,
  maxWaiting: 10,
  maxWaitingPerOwner: 3,
  maxWaitMs: 60_000,
};

/** Work that runs until the test ends it. */
class HeldWork {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();

  readonly work = (name: string) => () =>
    new Promise<string>((resolve) => {
      this.begun.push(name);
      this.#ends.set(name, () => resolve(name));
    });

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('an owner runs at most its limit, and others start in the meantime', async () => {
  const limiter = new FairLimiter(LIMITS);
  const held = new HeldWork();
  const results = ['a1', 'a2', 'b1', 'c1'].map((name) => limiter.run(name.charAt(0), held.work(name)));
  await held.end('nothing');
  expect(held.begun).toEqual(['a1', 'b1']);
  await held.end('b1');
  expect(held.begun).toEqual(['a1', 'b1', 'c1']);
  await held.end('a1');
  expect(held.begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  await held.end('c1');
  await held.end('a2');
  expect(await Promise.all(results)).toEqual(['a1', 'a2', 'b1', 'c1']);
});

test('failed work makes room for the next', async () => {
  const limiter = new FairLimiter({ ...LIMITS, maxRunning: 1 });
  const failed = limiter.run('a', () => Promise.reject(new Error('failed')));
  const next = limiter.run('b', async () => 'done');
  await expect(failed).rejects.toThrow('failed');
  expect(await next).toBe('done');
});

test('an owner with too much waiting is refused at once, and others keep waiting', async () => {
  const limiter = new FairLimiter({ ...LIMITS, maxRunning: 1 });
  const held = new HeldWork();
  const running = limiter.run('a', held.work('a0'));
  const waiting = [1, 2, 3].map((index) => limiter.run('a', held.work(`a${index}`)));
  await expect(limiter.run('a', held.work('a4'))).rejects.toEqual(UNAVAILABLE);
  const other = limiter.run('b', held.work('b1'));
  await held.end('a0');
  for (const name of ['a1', 'b1', 'a2', 'a3']) await held.end(name);
  await Promise.all([running, ...waiting, other]);
});

test('work that could not start in time is refused and takes no room', async () => {
  const limiter = new FairLimiter({ ...LIMITS, maxRunning: 1, maxWaitMs: 5 });
  const held = new HeldWork();
  const running = limiter.run('a', held.work('a1'));
  await expect(limiter.run('b', held.work('b1'))).rejects.toEqual(UNAVAILABLE);
  await held.end('a1');
  await running;
  expect(held.begun).toEqual(['a1']);
  expect(await limiter.run('b', async () => 'begins at once')).toBe('begins at once');
});
