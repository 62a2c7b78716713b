/**
 * Serves the service and the dashboard for development, with reload.
 *
 *   npm run dev                  the data in ./data, the service on port 8000
 *   PORT=8001 npm run dev        configured by the same variables as the service
 *
 * When a file of server/src changes, the service is compiled and restarted; while it does not compile, the last version keeps
 * running. Vite serves the dashboard and proxies requests to the service (dashboard/vite.config.ts). Nothing has to be built
 * before, and Ctrl-C stops everything.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const SOURCES = join(ROOT, 'server/src');
const SERVICE = join(ROOT, 'server/dist/main.js');
/** An editor writes a file in several steps, and switching a branch writes many files. */
const SETTLE_MS = 100;
/** The service prints it when it listens. It names the built dashboard, which is not the one to open here. */
const BANNER = /API +http\S+\/v1/;

const children = new Set();
let service = null;
let dashboard = null;
let isChanged = false;
let isReloading = false;
let isStopping = false;

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

if (await compile()) await startService();
dashboard = await createServer({
  configFile: join(ROOT, 'dashboard/vite.config.ts'),
  clearScreen: false,
  logLevel: 'warn',
  plugins: [{ name: 'reload-service', configureServer: ({ watcher }) => watchSources(watcher) }],
});
// On SIGTERM, Vite would end this process before the service has stopped.
process.removeAllListeners('SIGTERM').on('SIGTERM', stop);
await dashboard.listen();
print(`Open ${dashboard.resolvedUrls?.local[0]}`);

/** Uses Vite's watcher: fs.watch does not see later changes of a file that an editor has replaced. */
function watchSources(watcher) {
  watcher.add(SOURCES);
  watcher.on('all', (_event, path) => {
    if (path.startsWith(SOURCES)) void reload();
  });
}

async function reload() {
  isChanged = true;
  if (isReloading) return;
  isReloading = true;
  while (isChanged) {
    await delay(SETTLE_MS);
    isChanged = false;
    if (await compile()) await restartService();
    else if (!isStopping) print('The last version keeps running; the service restarts when it compiles');
  }
  isReloading = false;
}

async function compile() {
  const [code] = await once(run([COMPILER, '--build', 'server'], { stdio: 'inherit' }), 'close');
  return code === 0;
}

async function restartService() {
  if (service !== null) await end(service);
  if (await startService()) print('The service has started again');
}

/** Whether it listens. */
function startService() {
  if (isStopping) return false;
  const started = run(['--enable-source-maps', SERVICE, 'serve'], {
    stdio: ['ignore', 'inherit', 'pipe'],
    // Ctrl-C in the terminal reaches only this process, which then stops the service with one signal.
    detached: true,
  });
  service = started;
  let output = '';
  return new Promise((resolve) => {
    const read = (chunk) => {
      output += chunk;
      if (!BANNER.test(output)) return;
      output = '';
      started.stderr.off('data', read).pipe(process.stderr);
      resolve(true);
    };
    started.stderr.on('data', read);
    started.once('close', (code, signal) => {
      process.stderr.write(output);
      if (service === started) print(`The service exited with ${code ?? signal}; it restarts after a change`);
      resolve(false);
    });
  });
}

function run(args, options) {
  const child = spawn(process.execPath, args, { cwd: ROOT, ...options });
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}

async function end(child) {
  if (child === service) service = null;
  if (!children.has(child)) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

async function stop() {
  if (isStopping) return;
  isStopping = true;
  await Promise.all([...children].map(end));
  await dashboard?.close();
  process.exit(0);
}

function print(text) {
  process.stdout.write(`\n  ${text}\n\n`);
}
