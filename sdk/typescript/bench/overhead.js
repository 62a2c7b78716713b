/**
 * Measures the overhead of the guard. Guarded and unguarded calls alternate, so that other load on the machine affects
 * both equally. The provider responds immediately, so the ratio is the worst case. The overhead in milliseconds is the
 * relevant result, because it does not grow with the duration of a model call.
 */

import { Worker } from 'node:worker_threads';
import { GuardedRuns } from '@guarded-runs/sdk';

const WARM_UP_ROUNDS = 100;
const ROUNDS = Number(process.argv[2] ?? 1_000);
const TYPICAL_MODEL_CALL_MS = 1_000;

const worker = new Worker(new URL('local-service.js', import.meta.url));
const { serviceUrl, providerUrl } = await new Promise((resolve, reject) => {
  worker.once('message', resolve);
  worker.once('error', reject);
});

try {
  const guard = new GuardedRuns({ baseUrl: serviceUrl, apiKey: await register() });
  const run = await guard.start({ userId: 'bench' });
  const unguarded = [];
  const guarded = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const plainMs = await timed(callModel);
    const guardedMs = await timed(() => run.modelCall({ model: 'gpt-4o', call: callModel }));
    if (round < WARM_UP_ROUNDS) continue;
    unguarded.push(plainMs);
    guarded.push(guardedMs);
  }
  await run.end();
  print(unguarded, guarded);
} finally {
  worker.postMessage('stop');
}

async function register() {
  const response = await fetch(`${serviceUrl}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.com', password: 'correct horse' }),
  });
  return (await response.json()).api_key;
}

async function callModel() {
  const response = await fetch(`${providerUrl}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'gpt-4o' }),
  });
  return response.json();
}

async function timed(call) {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

function print(unguarded, guarded) {
  const overhead = guarded.map((ms, round) => ms - unguarded[round]);
  const row = (name, values) => ({
    '': name,
    'median ms': quantile(values, 0.5).toFixed(2),
    'p95 ms': quantile(values, 0.95).toFixed(2),
  });
  console.log(`${ROUNDS} rounds, one request to the guard in each guarded call`);
  console.table([row('unguarded', unguarded), row('guarded', guarded), row('overhead', overhead)]);
  const medianMs = quantile(overhead, 0.5);
  const ratio = quantile(guarded, 0.5) / quantile(unguarded, 0.5);
  console.log(`guarded / unguarded, provider responding immediately: ${ratio.toFixed(2)}`);
  console.log(
    `added to a model call of ${TYPICAL_MODEL_CALL_MS} ms: ${((100 * medianMs) / TYPICAL_MODEL_CALL_MS).toFixed(2)} %`,
  );
}

function quantile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(share * (sorted.length - 1))];
}
