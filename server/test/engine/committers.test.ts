/** Natural batching in both committers: commands that arrive while others are committed. */

import { expect, test } from 'vitest';
import type { Command } from '../../src/engine/command.js';
import { MAX_BATCH_BYTES, MAX_SHARE } from '../../src/engine/committer.js';
import { LocalCommitter } from '../../src/engine/local-committer.js';
import { ThreadCommitter } from '../../src/engine/thread-committer.js';
import type { CallThread } from '../../src/runtime/call-thread.js';
import type { BatchStore } from '../../src/store/store.js';
import { newStartRun } from '../support/seed.js';

/** Commits that wait until the test releases them; they decide nothing. */
class HeldCommits {
  /** The workspaces of the commands of each batch. */
  readonly batches: string[][] = [];
  readonly #release: ((error?: Error) => void)[] = [];

  /** Stands in for the writer thread of SQLite. */
  readonly thread = {
    call: ({ commands }: { commands: readonly Command[] }) => {
      this.batches.push(commands.map(({ caller }) => caller.workspaceId));
      return new Promise((resolve, reject) =>
        this.#release.push((error) =>
          error === undefined
            ? resolve(commands.map(() => ({ reply: { id: 'done' }, isReplay: false })))
            : reject(error),
        ),
      );
    },
  } as unknown as CallThread;

  /** Stands in for a store. A batch without facts is one whose workspaces are all locked elsewhere, unless it waits for them. */
  readonly store: BatchStore = {
    commit: (needs) => {
      this.batches.push(needs.map(({ workspaceId }) => workspaceId));
      return new Promise((resolve, reject) =>
        this.#release.push((error) => (error === undefined ? resolve() : reject(error))),
      );
    },
  };

  async release(error?: Error): Promise<void> {
    this.#release.shift()?.(error);
    await turnOfTheLoop();
  }
}

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

function startRun(workspaceId: string, metadata: string | null = null): Command {
  const caller = { workspaceId, apiKeyId: 'key' };
  return { kind: 'start-run', caller, input: newStartRun({ id: 'run', metadata }) };
}

test('commands of one turn of the event loop share a batch', async () => {
  const commits = new HeldCommits();
  const committer = new ThreadCommitter(commits.thread);
  const submitted = ['a', 'b', 'a'].map((workspaceId) => committer.submit(startRun(workspaceId)));
  expect(commits.batches).toEqual([]);
  await turnOfTheLoop();
  expect(commits.batches).toEqual([['a', 'b', 'a']]);
  await commits.release();
  expect(await Promise.all(submitted)).toHaveLength(3);
});

test('a batch that is large enough is sent before the turn of the event loop ends', async () => {
  const commits = new HeldCommits();
  const committer = new ThreadCommitter(commits.thread);
  const submitted = Array.from({ length: 20 }, () => committer.submit(startRun('a')));
  expect(commits.batches.map(({ length }) => length)).toEqual([16]);
  await turnOfTheLoop();
  expect(commits.batches.map(({ length }) => length)).toEqual([16, 4]);
  await commits.release();
  await commits.release();
  await Promise.all(submitted);
  await committer.drained();
});

test('at most one batch of commands is sent ahead, and the rest is sent as batches are committed', async () => {
  const commits = new HeldCommits();
  const committer = new ThreadCommitter(commits.thread, { maxBatchSize: 4 });
  const submitted = Array.from({ length: 6 }, () => committer.submit(startRun('a')));
  await turnOfTheLoop();
  expect(commits.batches.map(({ length }) => length)).toEqual([4]);
  expect(committer.waiting).toBe(2);
  await commits.release();
  expect(commits.batches.map(({ length }) => length)).toEqual([4, 2]);
  await commits.release();
  await Promise.all(submitted);
});

test('a flooding workspace has a bounded share in flight, and the command of another is next', async () => {
  const commits = new HeldCommits();
  const committer = new ThreadCommitter(commits.thread);
  const light = committer.submit(startRun('light'));
  const flood = Array.from({ length: 500 }, () => committer.submit(startRun('flood')));
  await turnOfTheLoop();
  const sent = commits.batches.flat().filter((workspaceId) => workspaceId === 'flood');
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.length).toBeLessThanOrEqual(MAX_SHARE);
  const next = committer.submit(startRun('light'));
  await turnOfTheLoop();
  expect(commits.batches.at(-1)).toEqual(['light']);
  while (committer.waiting > 0) await commits.release();
  for (let left = 0; left < 600; left += 1) await commits.release();
  await Promise.all([light, next, ...flood]);
});

test('a flooding workspace that is locked elsewhere has a bounded share in flight, too', async () => {
  const sizes: number[] = [];
  const store: BatchStore = {
    // Nothing is decided: without waiting, because all workspaces are locked.
    commit: async ([needs], _decide, options) => {
      if (options?.waits === true && needs?.workspaceId === 'flood') sizes.push(needs.startingUserIds.size);
    },
  };
  const committer = new LocalCommitter(store);
  const caller = { workspaceId: 'flood', apiKeyId: 'key' };
  const submitted = [committer.submit(startRun('light'))];
  for (let user = 0; user < 100; user += 1) {
    const input = newStartRun({ id: `${user}`, userId: `${user}` });
    submitted.push(committer.submit({ kind: 'start-run', caller, input }));
  }
  await Promise.allSettled(submitted);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(100);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_SHARE);
});

test('large payloads are committed a few at a time, and a small command does not wait for all of them', async () => {
  const commits = new HeldCommits();
  const committer = new LocalCommitter(commits.store);
  const large = '"'.padEnd(MAX_BATCH_BYTES - 2_000, 'x');
  const submitted = ['a', 'a', 'a', 'a'].map((workspaceId) => committer.submit(startRun(workspaceId, large)));
  submitted.push(committer.submit(startRun('b')));
  await turnOfTheLoop();
  expect(commits.batches).toEqual([['a', 'b']]);
  for (const promise of submitted) promise.catch(() => {});
});

test('one workspace cannot fill the queue: the next command of another is accepted', async () => {
  const committer = new LocalCommitter(new HeldCommits().store, { maxWaiting: 10 });
  const flood = Array.from({ length: 6 }, () => committer.submit(startRun('flood')));
  await expect(flood[5]).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
  committer.submit(startRun('other')).catch(() => {});
  expect(committer.waiting).toBe(6);
});

test('waiting payloads are bounded in bytes for each workspace', async () => {
  const committer = new LocalCommitter(new HeldCommits().store);
  const megabyte = 'x'.repeat(1024 * 1024);
  const flood = Array.from({ length: 17 }, () => committer.submit(startRun('flood', megabyte)));
  await expect(flood[16]).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(flood[15]).rejects.toMatchObject({ kind: 'unavailable' });
  committer.submit(startRun('other', megabyte)).catch(() => {});
  expect(committer.waiting).toBe(16);
});

test('an unavailable store also fails the commands that wait behind the batch', async () => {
  const commits = new HeldCommits();
  const committer = new ThreadCommitter(commits.thread, { maxBatchSize: 1 });
  const submitted = ['a', 'b', 'c'].map((workspaceId) => committer.submit(startRun(workspaceId)));
  await turnOfTheLoop();
  const { AppError } = await import('../../src/domain/app-error.js');
  const settled = Promise.allSettled(submitted);
  await commits.release(new AppError('unavailable', 'away'));
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(commits.batches).toHaveLength(1);
  await committer.drained();
});
