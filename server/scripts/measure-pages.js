/**
 * Fills a workspace with many runs and measures every request that the pages of the dashboard make.
 *
 *   node server/scripts/measure-pages.js [runs] [users]      1,000,000 runs of 2,000 users unless told otherwise
 *
 * Uses DATABASE_URL when it is set, else an SQLite file that is thrown away. Exits with 1 when a median is over 200 ms.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../dist/app.js';
import { loadConfig } from '../dist/config.js';
import { setPlan } from '../dist/control/billing.js';
import { newStepReport } from '../dist/domain/decide.js';
import { uuidV7 } from '../dist/domain/uuid.js';
import { changeSettings } from '../dist/domain/workspace.js';
import { LocalCommitter } from '../dist/engine/batch-committer.js';
import { Engine } from '../dist/engine/engine.js';
import { openStore } from '../dist/store/open-store.js';

const RUNS = Number(process.argv[2] ?? 1_000_000);
const USERS = Number(process.argv[3] ?? 2_000);
const DAYS = 30;
const DAY_MS = 86_400_000;
const CHUNK = 2_000;
const REPEATS = 15;
const LIMIT_MS = 200;
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'in-house-model'];

const folder = mkdtempSync(join(tmpdir(), 'guarded-runs-pages-'));
const databaseUrl = process.env['DATABASE_URL'] ?? `sqlite:${join(folder, 'runs.db')}`;
const config = loadConfig({ DATABASE_URL: databaseUrl, PORT: '0', LOG_LEVEL: 'error' });
try {
  const app = await createApp(config);
  const url = await app.listen();
  try {
    const { token, workspaceId, lastRunId } = await prepare(url);
    await fill(workspaceId);
    await measure(url, token, lastRunId);
  } finally {
    await app.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A workspace on the highest plan with prices, and one run with many steps to look at. */
async function prepare(url) {
  const call = async (method, path, credential, body) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(credential ? { authorization: `Bearer ${credential}` } : {}),
      },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const email = `pages-${randomBytes(4).toString('hex')}@example.com`;
  const registered = await call('POST', '/v1/auth/register', null, { email, password: 'correct horse' });
  const { access_token: token, api_key: apiKey, workspace } = registered;
  for (const model of MODELS.slice(0, 3)) {
    const price = { input_cost_per_token: 0.0000025, output_cost_per_token: 0.00001 };
    await call('PUT', `/v1/model-pricing/${model}`, token, price);
  }
  const run = await call('POST', '/v1/runs/', apiKey, { user_id: 'user-1' });
  for (let sequence = 1; sequence <= 50; sequence += 1) {
    await call('POST', `/v1/runs/${run.id}/steps`, apiKey, {
      type: 'TOOL_CALL',
      sequence,
      tool_name: 'search',
    });
  }
  return { token, workspaceId: workspace.id, lastRunId: run.id };
}

/** Through the engine, in large batches, with the clock moved over the month. */
async function fill(workspaceId) {
  const end = Date.now();
  let now = end - (DAYS - 1) * DAY_MS;
  const store = await openStore({ databaseUrl, clock: () => now });
  const newId = () => uuidV7(now, randomUUID());
  const engine = new Engine({
    committer: new LocalCommitter(store.batches),
    observer: { batchCommitted: () => {}, decided: () => {} },
    maxBatchSize: CHUNK,
    maxWaiting: 4 * CHUNK,
  });
  await setPlan(store.workspaces, { workspaceId, plan: 'enterprise' });
  await store.workspaces.change(workspaceId, (workspace) =>
    changeSettings(workspace, { maxConcurrentRuns: 10 * CHUNK }),
  );
  const [apiKey] = await store.apiKeys.list(workspaceId);
  const caller = { workspaceId, apiKeyId: apiKey.id };
  const began = performance.now();
  for (let done = 0; done < RUNS; done += CHUNK) {
    now = Math.round(end - (DAYS - 1) * DAY_MS * (1 - done / RUNS));
    const ids = Array.from({ length: Math.min(CHUNK, RUNS - done) }, newId);
    await Promise.all(
      ids.map((id, index) =>
        engine.startRun(caller, { id, userId: `user-${(done * 7 + index * 13) % USERS}`, metadata: null }),
      ),
    );
    await Promise.all(
      ids.filter((_, index) => index % 20 === 0).map((id, index) => addStep(id, MODELS[index % 4])),
    );
    await Promise.all(
      ids.map((runId, index) =>
        engine.endRun(caller, { runId, status: index % 25 === 0 ? 'FAILED' : 'COMPLETED' }),
      ),
    );
    if (done % 100_000 === 0) process.stderr.write(`\r${done.toLocaleString('en-US')} runs `);
  }
  await store.close();
  const seconds = Math.round((performance.now() - began) / 1_000);
  process.stderr.write(`\r${RUNS.toLocaleString('en-US')} runs made in ${seconds} s\n`);

  async function addStep(runId, model) {
    const stepId = newId();
    await engine.createStep(caller, {
      id: stepId,
      runId,
      type: 'MODEL_CALL',
      sequence: 1,
      model,
      toolName: null,
      inputData: null,
    });
    const report = newStepReport({
      status: 'COMPLETED',
      durationMs: 800,
      promptTokens: 900,
      completionTokens: 80,
    });
    await engine.updateStep(caller, { runId, stepId, report });
  }
}

async function measure(url, token, runId) {
  const requests = {
    Overview: [
      '/v1/workspace/',
      '/v1/billing/',
      '/v1/usage/summary',
      '/v1/usage/daily?days=30',
      '/v1/runs/?status=RUNNING&per_page=1',
      '/v1/runs/?per_page=8',
    ],
    Runs: [
      '/v1/runs/?per_page=25',
      '/v1/runs/?status=FAILED&per_page=25&page=40',
      '/v1/runs/?user_id=user-1&per_page=25',
      '/v1/runs/?user_id=user-1&status=BLOCKED&per_page=25',
      `/v1/runs/?per_page=25&page=${Math.floor(RUNS / 25)}`,
    ],
    'Run detail': [`/v1/runs/${runId}`, `/v1/runs/${runId}/decisions`],
    Users: [
      '/v1/users/?per_page=25',
      '/v1/users/?per_page=25&blocked=true',
      `/v1/users/?per_page=25&page=${Math.floor(USERS / 25)}`,
    ],
    Prices: ['/v1/model-pricing/', '/v1/model-pricing-catalogue?query=gpt&limit=50'],
    Settings: ['/v1/api-keys/', '/v1/auth/me'],
  };
  for (const [page, paths] of Object.entries(requests)) {
    for (const path of paths) {
      const times = [];
      for (let repeat = 0; repeat < REPEATS; repeat += 1) {
        const began = performance.now();
        const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
        times.push(performance.now() - began);
      }
      const median = times.sort((left, right) => left - right)[Math.floor(REPEATS / 2)];
      const verdict = median > LIMIT_MS ? `  over ${LIMIT_MS} ms` : '';
      if (median > LIMIT_MS) process.exitCode = 1;
      const shown = path.replace(runId, '{run_id}');
      process.stdout.write(`${page.padEnd(12)}${median.toFixed(1).padStart(8)} ms  ${shown}${verdict}\n`);
    }
  }
}
