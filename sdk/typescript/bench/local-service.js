/** Runs the service, with a temporary store, and a provider that responds immediately, in a worker thread. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { createApp } from '../../../server/dist/app.js';
import { loadConfig } from '../../../server/dist/config.js';
import { startLocalProvider } from '../examples/local-provider.js';

const folder = mkdtempSync(join(tmpdir(), 'guarded-runs-bench-'));
const app = await createApp(
  loadConfig({
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, 'bench.db')}`,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'silent',
  }),
);
const serviceUrl = await app.listen();
const provider = await startLocalProvider();

parentPort.once('message', async () => {
  provider.stop();
  await app.close();
  rmSync(folder, { recursive: true, force: true });
  parentPort.close();
});
parentPort.postMessage({ serviceUrl, providerUrl: provider.url });
