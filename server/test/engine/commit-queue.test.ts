import { expect, test } from 'vitest';
import { CommitQueue } from '../../src/engine/commit-queue.js';

/** Commits that wait until the test lets them go. */
class HeldCommits {
  readonly batches: string[][] = [];
  /** Batches as they are begun, and their items as they are settled. */
  readonly events: string[] = [];
  readonly #release: (() => void)[] = [];

  readonly commit = (batch: string[]): Promise<() => void> => {
    this.batches.push(batch);
    this.events.push(`begin ${batch}`);
    return new Promise((resolve) =>
      this.#release.push(() => resolve(() => this.events.push(`settle ${batch}`))),
    );
  };

  async releaseNext(): Promise<void> {
    this.#release.shift()?.();
    await turnOfTheLoop();
  }
}

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

function createQueue(
  commits: HeldCommits,
  limits: { maxBatchSize?: number; maxWaiting?: number; maxUnderWay?: number; beginSize?: number } = {},
) {
  return new CommitQueue<string>({
    laneOf: (item) => item.charAt(0),
    commit: commits.commit,
    maxBatchSize: 100,
    maxWaiting: 100,
    ...limits,
  });
}

/** With two commits under way: not after the first of them. */
async function expectDrainedAfterTwo(queue: CommitQueue<string>, commits: HeldCommits): Promise<void> {
  let drained = false;
  const done = queue.drained().then(() => {
    drained = true;
  });
  await commits.releaseNext();
  expect(drained).toBe(false);
  await commits.releaseNext();
  await done;
  expect(drained).toBe(true);
}

test('items of one turn of the event loop share the first batch', async () => {
  const commits = new HeldCommits();
  const queue = createQueue(commits);
  for (const item of ['a1', 'a2', 'a3']) queue.add(item);
  await turnOfTheLoop();
  expect(commits.batches).toEqual([['a1', 'a2', 'a3']]);
});

test('what arrives during a commit forms the next batch, in order of arrival', async () => {
  const commits = new HeldCommits();
  const queue = createQueue(commits);
  queue.add('a1');
  await turnOfTheLoop();
  for (const item of ['a2', 'a3']) queue.add(item);
  await turnOfTheLoop();
  expect(commits.batches).toEqual([['a1']]);
  await commits.releaseNext();
  expect(commits.batches).toEqual([['a1'], ['a2', 'a3']]);
});

test('a batch is settled when it is committed, after the next one was begun', async () => {
  const commits = new HeldCommits();
  const queue = createQueue(commits);
  queue.add('a1');
  await turnOfTheLoop();
  queue.add('a2');
  await turnOfTheLoop();
  expect(commits.events).toEqual(['begin a1']);
  await commits.releaseNext();
  expect(commits.events).toEqual(['begin a1', 'begin a2', 'settle a1']);
  await commits.releaseNext();
  expect(commits.events).toEqual(['begin a1', 'begin a2', 'settle a1', 'settle a2']);
});

test('where several may be under way, each turn of the event loop makes a batch, until there are too many', async () => {
  const commits = new HeldCommits();
  const queue = createQueue(commits, { maxUnderWay: 2 });
  for (const turn of [['a1', 'a2'], ['a3'], ['a4'], ['a5']]) {
    for (const item of turn) queue.add(item);
    await turnOfTheLoop();
  }
  expect(commits.batches).toEqual([['a1', 'a2'], ['a3']]);
  await commits.releaseNext();
  expect(commits.batches).toEqual([['a1', 'a2'], ['a3'], ['a4', 'a5']]);
  await expectDrainedAfterTwo(queue, commits);
  expect(commits.events.filter((event) => event.startsWith('settle'))).toHaveLength(3);
});

test('a batch that is large enough begins before the turn of the event loop is over, and what follows is the next one', async () => {
  const commits = new HeldCommits();
  const queue = createQueue(commits, { maxUnderWay: 3, beginSize: 2 });
  for (const item of ['a1', 'a2', 'a3', 'a4', 'a5']) queue.add(item);
  expect(commits.batches).toEqual([
    ['a1', 'a2'],
    ['a3', 'a4'],
  ]);
  await turnOfTheLoop();
  expect(commits.batches.at(-1)).toEqual(['a5']);
  const drained = queue.drained();
  for (let released = 0; released < 3; released += 1) await commits.releaseNext();
  await drained;
  expect(commits.events.filter((event) => event.startsWith('settle'))).toHaveLength(3);
});

test('a batch that is large enough waits all the same while as many as may be are under way', async () => {
  const commits = new HeldCommits();
  const queue = createQueue(commits, { maxUnderWay: 1, beginSize: 2 });
  for (const item of ['a1', 'a2', 'a3', 'a4', 'a5']) queue.add(item);
  await turnOfTheLoop();
  expect(commits.batches).toEqual([['a1', 'a2']]);
  await commits.releaseNext();
  expect(commits.batches).toEqual([
    ['a1', 'a2'],
    ['a3', 'a4', 'a5'],
  ]);
  await commits.releaseNext();
  await queue.drained();
});

test('lanes do not wait for each other', async () => {
  const commits = new HeldCommits();
  const queue = createQueue(commits);
  for (const item of ['a1', 'b1']) queue.add(item);
  await turnOfTheLoop();
  expect(commits.batches).toEqual([['a1'], ['b1']]);
});

test('a batch is never larger than its bound', async () => {
  const commits = new HeldCommits();
  const queue = createQueue(commits, { maxBatchSize: 2 });
  for (const item of ['a1', 'a2', 'a3']) queue.add(item);
  await turnOfTheLoop();
  await commits.releaseNext();
  expect(commits.batches).toEqual([['a1', 'a2'], ['a3']]);
});

test('past the bound an item is refused at once with Retry-After, and accepted again when there is room', async () => {
  const commits = new HeldCommits();
  const queue = createQueue(commits, { maxWaiting: 2 });
  for (const item of ['a1', 'a2']) queue.add(item);
  expect(() => queue.add('a3')).toThrow(
    expect.objectContaining({ kind: 'unavailable', retryAfterSeconds: 1 }),
  );
  await turnOfTheLoop();
  expect(queue.waiting).toBe(0);
  queue.add('a3');
  expect(queue.waiting).toBe(1);
});

test('drained waits for what is waiting and for what is being committed', async () => {
  const commits = new HeldCommits();
  const queue = createQueue(commits);
  queue.add('a1');
  queue.add('b1');
  await turnOfTheLoop();
  await expectDrainedAfterTwo(queue, commits);
  await queue.drained();
});
