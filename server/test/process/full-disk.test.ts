/** A full disk, simulated by the limit on file sizes: writes get 503, and nothing is lost or damaged. */

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiClient, type ApiReply } from '../support/api-client.js';
import { runCommand, startServiceProcess } from '../support/service-process.js';

/** Enough for the empty database and some runs. */
const ROOM_BYTES = 1_500_000;
const METADATA = { padding: 'x'.repeat(50_000) };
/** Far more than fit. */
const MAX_WRITES = 200;

let folder: string;
let environment: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-full-disk-'));
  environment = {
    DATABASE_URL: `sqlite:${join(folder, 'full.db')}`,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'fatal',
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

// Only Linux can change the limits of a running process.
test.runIf(process.platform === 'linux')(
  'writes are refused while the disk is full, reads continue, and writes work again when there is room',
  async () => {
    const service = await startServiceProcess(environment);
    const { body } = await new ApiClient(service.url, null).post('/v1/auth/register', {
      email: 'a@example.com',
      password: 'password',
    });
    const machine = new ApiClient(service.url, body.api_key);
    await machine.patch('/v1/workspace/', { max_concurrent_runs: 10_000 });
    limitFileSize(service.child.pid, String(ROOM_BYTES));

    const acknowledged: string[] = [];
    const refused = await writeUntilRefused(machine, acknowledged);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.body).toEqual({ detail: 'The store is not available right now' });
    expect((await machine.get('/v1/runs/?per_page=1')).body.total).toBe(acknowledged.length);
    expect((await machine.get(`/v1/runs/${acknowledged[0]}`)).status).toBe(200);
    expect((await stat(join(folder, 'full.db-wal'))).size).toBeLessThanOrEqual(ROOM_BYTES);

    limitFileSize(service.child.pid, 'unlimited');
    expect((await start(machine)).status).toBe(201);
    expect(await service.stop('SIGTERM')).toBe(0);
    const verified = runCommand(['verify'], environment);
    expect(verified.stdout).toContain(`runs ${acknowledged.length + 1}`);
    expect(verified.code).toBe(0);
  },
);

function start(machine: ApiClient): Promise<ApiReply> {
  return machine.post('/v1/runs/', { user_id: 'u', metadata: METADATA });
}

async function writeUntilRefused(machine: ApiClient, acknowledged: string[]): Promise<ApiReply> {
  for (let index = 0; index < MAX_WRITES; index += 1) {
    const reply = await start(machine);
    if (reply.status !== 201) return reply;
    acknowledged.push(reply.body.id);
  }
  throw new Error('The disk did not become full');
}

/** Sets the soft limit, which can be raised again. */
function limitFileSize(pid: number | undefined, limit: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${limit}:unlimited`]);
}
