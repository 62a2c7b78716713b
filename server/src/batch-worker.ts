/** What runs in the thread of a BatchThread: its own connection to the store, and nothing else. */

import { parentPort, workerData } from 'node:worker_threads';
import { BatchServer, type FirstMessage, toPlainError } from './engine/batch-thread.js';
import { openStore, type StoreOptions } from './store/open-store.js';

if (parentPort === null) throw new Error('This file runs in a thread of the service');

let now = 0;
try {
  const store = await openStore({ ...(workerData as StoreOptions), clock: () => now });
  new BatchServer({
    port: parentPort,
    batches: store.batches,
    setNow: (given) => {
      now = given;
    },
    close: () => store.close(),
  });
} catch (error) {
  parentPort.postMessage({ failure: toPlainError(error) } satisfies FirstMessage);
}
