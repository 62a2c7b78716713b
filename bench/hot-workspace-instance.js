/**
 * One instance of the data plane without HTTP: an engine with batches and one without, over the same store. It starts runs
 * with the given number of clients for the given time, and returns how many it started.
 */

import { randomUUID } from 'node:crypto';
import { uuidV7 } from '../server/dist/domain/uuid.js';
import { Engine } from '../server/dist/engine/engine.js';
import { LocalCommitter } from '../server/dist/engine/local-committer.js';
import { openStore } from '../server/dist/store/open-store.js';

const [databaseUrl] = process.argv.slice(2);
const store = await openStore({ databaseUrl, poolMax: 10, timeoutMs: 60_000 });
const observer = { decided: () => {} };
const engines = {
  batched: new Engine({ committer: new LocalCommitter(store.batches), observer }),
  single: new Engine({ committer: new LocalCommitter(store.batches, { maxBatchSize: 1 }), observer }),
};

process.on('message', ({ mode, caller, clients, durationMs }) => {
  startRuns({ engine: engines[mode], caller, clients, durationMs }).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send({ result: 'ready' });

async function startRuns({ engine, caller, clients, durationMs }) {
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  let count = 0;
  const client = async (index) => {
    while (performance.now() - begun < durationMs) {
      const id = uuidV7(Date.now(), randomUUID());
      await engine.startRun(caller, { id, userId: `user-${index}`, metadata: null });
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { rate: (count * 1_000) / (performance.now() - begun), count, cpuMs: (user + system) / 1_000 };
}
