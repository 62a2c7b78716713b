/**
 * The data plane without HTTP and without its thread: complete agent runs as batches of commands, decided and committed one
 * after the other in a given store and workspace. On each message it runs for the given time and returns the commands that
 * it committed per second.
 */

import { randomUUID } from 'node:crypto';
import { parseApiKey } from '../server/dist/auth/api-key-secret.js';
import { newStepReport } from '../server/dist/domain/step-report.js';
import { uuidV7 } from '../server/dist/domain/uuid.js';
import { commitBatch } from '../server/dist/engine/commit-batch.js';
import { openStore } from '../server/dist/store/open-store.js';

const AGENTS = 64;
const BATCH_SIZE = 16;
const STEPS_PER_RUN = 3;
/** 1 kB, the size of a prompt with some context. */
const INPUT_DATA = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(960) }] });
const REPORT = newStepReport({
  status: 'COMPLETED',
  durationMs: 1_200,
  promptTokens: 800,
  completionTokens: 200,
});

const [databaseUrl, apiKey] = process.argv.slice(2);
const store = await openStore({ databaseUrl });
const { workspaceId, id: apiKeyId } = await store.apiKeys.findByPrefix(parseApiKey(apiKey).prefix);
const caller = { workspaceId, apiKeyId };
const agents = Array.from({ length: AGENTS }, (_, index) => lifeOf(`user-${index}`));
let turn = 0;

process.on('message', ({ durationMs }) => {
  commitFor(durationMs).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: String(error) }),
  );
});
process.on('disconnect', () => store.close().then(() => process.exit()));
process.send({ result: 'ready' });

async function commitFor(durationMs) {
  const begun = performance.now();
  let count = 0;
  while (performance.now() - begun < durationMs) {
    const commands = Array.from({ length: BATCH_SIZE }, () => agents[turn++ % AGENTS].next().value);
    for (const { error } of await commitBatch(store.batches, commands)) if (error) throw error;
    count += commands.length;
  }
  return { rate: (count * 1_000) / (performance.now() - begun) };
}

function* lifeOf(userId) {
  for (;;) {
    const runId = newId();
    yield { kind: 'start-run', caller, input: { id: runId, userId, metadata: '{"source":"bench"}' } };
    for (let sequence = 1; sequence <= STEPS_PER_RUN; sequence += 1) {
      const step = { id: newId(), runId, type: 'MODEL_CALL', sequence, model: 'gpt-4o', toolName: null };
      yield { kind: 'create-step', caller, input: { ...step, inputData: INPUT_DATA } };
      yield { kind: 'report-step', caller, input: { runId, stepId: step.id, report: REPORT } };
    }
    yield { kind: 'end-run', caller, input: { runId, status: 'COMPLETED' } };
  }
}

function newId() {
  return uuidV7(Date.now(), randomUUID());
}
