/** `npm run dev`: one command that runs the service and the dashboard, and stops both. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { endProcess } from '../support/service-process.js';

const SCRIPT = fileURLToPath(new URL('../../../scripts/dev.js', import.meta.url));
/** Read when the service starts, and not compiled: touching it changes no file that other tests run. */
const SOURCE = new URL('../../src/store/migrations/sqlite/0001-initial.sql', import.meta.url);
const TIMEOUT_MS = 60_000;

let folder: string;
let port: number;
let child: ChildProcessWithoutNullStreams;
let output = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-dev-'));
  port = await freePort();
  child = spawn(process.execPath, [SCRIPT], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(port),
      DATABASE_URL: `sqlite:${join(folder, 'dev.db')}`,
      LOG_LEVEL: 'warn',
    },
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  await untilPrinted(/Open http/);
}, 2 * TIMEOUT_MS);
afterAll(async () => {
  await endProcess(child, 'SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

test('the printed address serves the dashboard with reload and proxies the service', async () => {
  expect(output.match(/http:\S+/g)).toEqual([url()]);
  expect(await (await fetch(url())).text()).toContain('/@vite/client');
  for (const [path, status] of [
    ['health', 200],
    ['docs', 200],
    ['openapi.json', 200],
    ['v1/workspace/', 401],
  ] as const)
    expect([path, (await fetch(url() + path)).status]).toEqual([path, status]);
});

test(
  'a changed source of the service restarts it',
  async () => {
    await utimes(SOURCE, new Date(), new Date());
    await untilPrinted(/The service has started again/);
    expect((await fetch(`${url()}health`)).status).toBe(200);
  },
  TIMEOUT_MS,
);

test(
  'Ctrl-C stops everything',
  async () => {
    expect(await endProcess(child, 'SIGINT')).toBe(0);
    for (const address of [url(), `http://127.0.0.1:${port}/health`])
      await expect(fetch(address)).rejects.toThrow('fetch failed');
  },
  TIMEOUT_MS,
);

function url(): string {
  return /Open (http:\S+)/.exec(output)?.[1] ?? '';
}

async function untilPrinted(text: RegExp): Promise<void> {
  await vi.waitUntil(
    () => {
      if (child.exitCode !== null) throw new Error(`The script ended:\n${output}`);
      return text.test(output);
    },
    { timeout: TIMEOUT_MS },
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
