import { expect, test } from 'vitest';
import { type HashingKind, HashingSlots } from '../../src/auth/hashing-slots.js';
import type { AppError } from '../../src/domain/app-error.js';

/** Work that runs until the test ends it. */
class Bench {
  readonly slots = new HashingSlots();
  /** The work that is running, in order of its start. */
  readonly running: { readonly name: string; readonly end: () => void }[] = [];
  readonly refused: string[] = [];

  start(kind: HashingKind, address: string, name: string): void {
    const work = () => new Promise<void>((end) => this.running.push({ name, end }));
    this.slots
      .withSlot({ kind, address }, work)
      .catch((error: AppError) => this.refused.push(`${name}: ${error.kind}`));
  }

  async endOldest(): Promise<void> {
    this.running.shift()?.end();
    await this.settled();
  }

  /** Resolves when all work that can start has started. */
  settled(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  names(): string[] {
    return this.running.map(({ name }) => name);
  }
}

test('registrations never take more than one slot, and a sign-in starts at once beside them', async () => {
  const bench = new Bench();
  for (let count = 1; count <= 100; count += 1) bench.start('registration', 'x', `r${count}`);
  await bench.settled();
  expect(bench.names()).toEqual(['r1']);
  bench.start('sign-in', 'x', 's1');
  await bench.settled();
  expect(bench.names()).toEqual(['r1', 's1']);
  await bench.endOldest();
  expect(bench.names()).toEqual(['s1', 'r2']);
});

test('sign-ins take both slots while no registration waits, and one slot while one does', async () => {
  const bench = new Bench();
  for (let count = 1; count <= 20; count += 1) bench.start('sign-in', 'x', `s${count}`);
  await bench.settled();
  expect(bench.names()).toEqual(['s1', 's2']);
  for (let count = 1; count <= 3; count += 1) bench.start('registration', 'x', `r${count}`);
  await bench.endOldest();
  expect(bench.names()).toEqual(['s2', 'r1']);
  for (const expected of [
    ['r1', 's3'],
    ['s3', 'r2'],
    ['r2', 's4'],
    ['s4', 'r3'],
    ['r3', 's5'],
    ['s5', 's6'],
    ['s6', 's7'],
  ]) {
    await bench.endOldest();
    expect(bench.names()).toEqual(expected);
  }
});

test('an address that waits is passed by each other address at most once', async () => {
  const bench = new Bench();
  for (let count = 1; count <= 50; count += 1) bench.start('sign-in', 'busy', `b${count}`);
  bench.start('sign-in', 'owner', 'owner');
  await bench.settled();
  expect(bench.names()).toEqual(['b1', 'b2']);
  await bench.endOldest();
  await bench.endOldest();
  expect(bench.names()).toEqual(['b3', 'owner']);
});

test('one address cannot fill the queue: 128 of its sign-ins wait, the others are refused at once', async () => {
  const bench = new Bench();
  for (let count = 1; count <= 500; count += 1) bench.start('sign-in', 'busy', `b${count}`);
  await bench.settled();
  expect(bench.refused).toHaveLength(500 - 2 - 128);
  expect(new Set(bench.refused.map((text) => text.split(' ')[1]))).toEqual(new Set(['unavailable']));
  bench.start('sign-in', 'owner', 'owner');
  bench.start('registration', 'busy', 'r1');
  await bench.settled();
  expect(bench.refused).toHaveLength(500 - 2 - 128);
});

test('when 256 wait, an address with none waiting displaces one of the busiest address', async () => {
  const bench = new Bench();
  for (const address of ['busy', 'busier', 'busiest'])
    for (let count = 1; count <= 200; count += 1) bench.start('sign-in', address, address);
  await bench.settled();
  const before = bench.refused.length;
  expect(before).toBe(600 - 2 - 256);
  for (let count = 1; count <= 20; count += 1) bench.start('sign-in', `owner-${count}`, 'owner');
  await bench.settled();
  expect(bench.refused.length).toBe(before + 20);
  expect(bench.refused).not.toContain('owner: unavailable');
});

test('work that fails gives its slot to the next', async () => {
  const bench = new Bench();
  const failed = bench.slots.withSlot({ kind: 'registration', address: 'x' }, async () => {
    throw new Error('no');
  });
  bench.start('registration', 'x', 'r1');
  await expect(failed).rejects.toThrow('no');
  await bench.settled();
  expect(bench.names()).toEqual(['r1']);
});
