/**
 * Measures the figures and prints them in one table.
 *
 *   npm run bench                          short form, a few minutes
 *   npm run bench -- --full                the sizes of the goals, about an hour and a half
 *   npm run bench -- --only growth,start   only figures with these words in their file names
 *   npm run bench -- --stores FOLDER       keeps the filled stores in FOLDER and reuses them
 *   npm run bench -- --against FOLDER      only the throughput of this checkout ÷ that of another one, built, in FOLDER
 *   npm run soak -- --minutes 30 --store sqlite   a hostile tenant beside light agents (bench/soak)
 *
 * Everything runs in a temporary folder and in one process group: both are always removed at the end. The exit code is 1 when
 * a figure could not be measured; a missed goal does not change it.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    stores: { type: 'string' },
    against: { type: 'string' },
    minutes: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
  },
});

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'guarded-runs-bench-'));
// PostgreSQL runs as another user when we are root, and must be able to access its folder in here.
chmodSync(folder, 0o755);
const stores = resolve(values.stores ?? join(folder, 'stores'));
mkdirSync(stores, { recursive: true });

const words =
  values.against === undefined ? values.only.split(',').filter((word) => word !== '') : ['against'];
const child = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'bench/vitest.config.ts', ...words],
  {
    cwd: ROOT,
    stdio: 'inherit',
    detached: true,
    env: {
      ...process.env,
      TMPDIR: folder,
      BENCH_STORES: stores,
      BENCH_PARTIAL: words.length === 0 ? '' : '1',
      ...(values.against === undefined ? {} : { BENCH_AGAINST: resolve(values.against) }),
      ...(values.full ? { TEST_FULL: '1' } : {}),
      ...(values.minutes === undefined
        ? {}
        : { SOAK_MINUTES: values.minutes, SOAK_STORE: values.store, BENCH_PARTIAL: '1' }),
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => endGroup('SIGQUIT'));

const [code] = await once(child, 'exit');
endGroup('SIGKILL');
rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
process.exitCode = code ?? 1;

/** SIGQUIT ends Node.js and PostgreSQL at once; what it leaves in the temporary folder is removed. */
function endGroup(signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // All processes have already exited.
  }
}
