/** The worker threads of the embedded store. Each has its own connection to the database. */

import { parentPort, workerData } from 'node:worker_threads';
import { type CommitCall, CommitServer } from './engine/thread-committer.js';
import { lowerThreadPriority, refuseToServe, serveCalls } from './runtime/call-thread.js';
import { SqliteDatabase } from './store/sqlite/sqlite-database.js';
import {
  CHECKPOINT,
  openSqliteForReading,
  openSqliteStore,
  type SqliteThreadData,
} from './store/sqlite/sqlite-store.js';
import { callMethod, type MethodCall } from './store/store-methods.js';

if (parentPort === null) throw new Error('This file must run in a worker thread');

let now = 0;
const clock = () => now;
try {
  const { role, file } = workerData as SqliteThreadData;
  if (role === 'reader') lowerThreadPriority();
  const store = await (role === 'writer' ? openSqliteStore : openSqliteForReading)({ file, clock });
  const commits = new CommitServer(store.batches);
  let checkpoints: SqliteDatabase | undefined;
  serveCalls(parentPort, {
    setNow: (given) => {
      now = given;
    },
    answer: async (call) => {
      if (call === CHECKPOINT) {
        // A separate connection, because the one for reports is read-only.
        checkpoints ??= await SqliteDatabase.openForCheckpoints(file);
        return checkpoints.checkpoint();
      }
      return isCommit(call) ? commits.commit(call.commands) : callMethod(store, call as MethodCall);
    },
    close: async () => {
      checkpoints?.close();
      await store.close();
    },
  });
} catch (error) {
  refuseToServe(parentPort, error);
}

function isCommit(call: unknown): call is CommitCall {
  return (call as CommitCall).kind === 'commit';
}
