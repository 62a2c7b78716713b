/** The embedded store: in this thread for a command that runs alone, with threads of its own for the service. */

import { resolve } from 'node:path';
import { type BackgroundWork, repeatInBackground } from '../../runtime/background-work.js';
import { CallThread } from '../../runtime/call-thread.js';
import { FairLimiter } from '../../runtime/fair-limiter.js';
import { pauseWhileBusy } from '../../runtime/load-share.js';
import { sqlStore } from '../sql/sql-store.js';
import type { Store } from '../store.js';
import { type MethodCall, routeMethods } from '../store-methods.js';
import { writePrivately } from './private-files.js';
import { SqliteBatches } from './sqlite-batches.js';
import { SqliteDatabase } from './sqlite-database.js';
import { migrateSqlite } from './sqlite-migrate.js';
import { SqliteSql } from './sqlite-sql.js';

export interface SqliteStoreOptions {
  readonly file: string;
  readonly clock: () => number;
}

/** Opens the file, creating and migrating it as needed. Everything happens in this thread. */
export async function openSqliteStore({ file, clock }: SqliteStoreOptions): Promise<Store> {
  const database = await SqliteDatabase.open(file);
  migrateSqlite(database);
  return toStore(database, { file, clock });
}

/** For a file that exists and is migrated; writes fail. */
export async function openSqliteForReading({ file, clock }: SqliteStoreOptions): Promise<Store> {
  return toStore(await SqliteDatabase.openForReading(file), { file, clock });
}

function toStore(database: SqliteDatabase, { file, clock }: SqliteStoreOptions): Store {
  const sql = new SqliteSql(database, clock);
  const backup = async (target: string) =>
    writePrivately(target, () => void database.run('VACUUM INTO ?', [target]));
  return {
    location: resolve(file),
    batches: new SqliteBatches({ database, sql, clock }),
    ...sqlStore(sql, { backup }),
    close: async () => database.close(),
  };
}

/** What a thread of the service is for. */
export interface SqliteThreadData {
  readonly role: 'writer' | 'reader';
  readonly file: string;
}

export interface ThreadedSqliteStore {
  readonly store: Store;
  /** Also commits the batches of the data plane. */
  readonly writer: CallThread;
}

/** Each has a connection with a cache of its own. With two, a long report of one workspace leaves the other to the rest. */
const READERS = 2;
const READS = {
  maxRunning: READERS,
  maxRunningPerOwner: 1,
  maxWaiting: 1_000,
  maxWaitingPerOwner: 100,
  maxWaitMs: 10_000,
};
/** A batch or a page has some values of the largest size, as text of two bytes for each character. */
const BASE_HEAP_MB = 28;
const HEAP_MB_PER_MEBIBYTE = 16;

/** One at a time: batches of the data plane go in between. */
const WRITES = {
  maxRunning: 1,
  maxRunningPerOwner: 1,
  maxWaiting: 2_000,
  maxWaitingPerOwner: 200,
  maxWaitMs: 10_000,
};

/** This thread only looks rows up by their keys; threads of `module` read reports and write. */
export async function openThreadedSqliteStore({
  file,
  clock,
  module,
  maxValueBytes,
}: SqliteStoreOptions & { module: URL; maxValueBytes: number }): Promise<ThreadedSqliteStore> {
  const maxHeapMb = BASE_HEAP_MB + Math.ceil(maxValueBytes / 1024 / 1024) * HEAP_MB_PER_MEBIBYTE;
  const start = (data: SqliteThreadData) => CallThread.start({ module, data, clock, maxHeapMb });
  // The writer creates and migrates the file.
  const writer = await start({ role: 'writer', file });
  const lookups = await openSqliteForReading({ file, clock });
  const readers = await Promise.all(Array.from({ length: READERS }, () => start({ role: 'reader', file })));
  const idle = [...readers];
  // The main thread's part of a report, and of a write, takes time that all requests share.
  const pauseMs = pauseWhileBusy();
  const reads = new FairLimiter({ ...READS, pauseMs });
  const writes = new FairLimiter({ ...WRITES, pauseMs });
  const report = (call: MethodCall, owner: string) =>
    reads.run(owner, async () => {
      const reader = idle.pop();
      if (reader === undefined) throw new Error('There are as many readers as reports at the same time');
      try {
        return await reader.call(call);
      } finally {
        idle.push(reader);
      }
    });
  const write = (call: MethodCall, owner: string) => writes.run(owner, () => writer.call(call));
  const checkpoints = checkpointRegularly(readers[0]);
  const store: Store = {
    ...lookups,
    ...routeMethods(lookups, { report, write }),
    close: async () => {
      checkpoints.stop();
      await Promise.all(readers.map((reader) => reader.close()));
      await lookups.close();
      // Last, so that it leaves no log behind.
      await writer.close();
    },
  };
  return { store, writer };
}

/** What a reader is told now and then: a commit that had to copy the log by itself would take long. */
export const CHECKPOINT = 'checkpoint';
const CHECKPOINT_INTERVAL_MS = 1_000;

/** A checkpoint that failed is made by the next one, or by a commit. */
function checkpointRegularly(thread: CallThread | undefined): BackgroundWork {
  const work = async () => thread?.call(CHECKPOINT);
  return repeatInBackground({ intervalMs: CHECKPOINT_INTERVAL_MS, work, onError: () => {} });
}
