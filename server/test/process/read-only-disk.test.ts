/** A disk that cannot be written: 503 while running, and a clear error at the start. */

import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiClient, type ApiReply } from '../support/api-client.js';
import { registerLoadWorkspace } from '../support/load-workspace.js';
import { runCommand, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import {
  injectSystemCallFault,
  type SystemCallFault,
  whyNotInjectable,
} from '../support/system-call-fault.js';

const isRoot = process.getuid?.() === 0;

let folder: string;
let environment: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-read-only-'));
  environment = {
    DATABASE_URL: `sqlite:${join(folder, 'data', 'x.db')}`,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'fatal',
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const WRITES = ['pwrite64', 'pwritev', 'ftruncate', 'fallocate'];
const FAULTS: readonly (SystemCallFault & { readonly name: string })[] = [
  { name: 'becomes read-only', calls: WRITES, error: 'EROFS' },
  { name: 'fails to write', calls: WRITES, error: 'EIO' },
  { name: 'fails to sync', calls: ['fsync', 'fdatasync'], error: 'EIO' },
];

test.for(FAULTS)(
  'a disk that $name: writes get 503, reads continue, and writes work again when it is repaired, even after a crash',
  { timeout: 60_000 },
  async (fault, { skip }) => {
    const reason = await whyNotInjectable();
    if (reason !== null) skip(reason);
    const service = await startServiceProcess(environment);
    const { apiKey } = await registerLoadWorkspace(service.url);
    const machine = new ApiClient(service.url, apiKey);
    const run = expectCreated(await start(machine));
    const step = expectCreated(await createStep(machine, run));

    await whileBroken({ service, fault }, async () => {
      await expectRefusals(machine, { run, step });
      await expectReads(machine, { run, runs: 1 });
    });
    expectCreated(await start(machine));
    await expectReads(machine, { run, runs: 2 });

    await whileBroken({ service, fault }, async () => {
      await expectRefusals(machine, { run, step });
      await service.stop('SIGKILL');
    });
    await expectRecovered({ apiKey, run });
  },
);

/** A refused write may have taken effect when the process was killed right after it. */
async function expectRecovered({ apiKey, run }: { apiKey: string; run: string }): Promise<void> {
  const service = await startServiceProcess(environment);
  const machine = new ApiClient(service.url, apiKey);
  const { total } = (await machine.get('/v1/runs/')).body;
  expect([2, 3]).toContain(total);
  expectCreated(await start(machine));
  await expectReads(machine, { run, runs: total + 1 });
  expect(await service.stop('SIGTERM')).toBe(0);
  const verified = runCommand(['verify'], environment);
  expect(verified.stdout).toContain(`0 differences (rows compared: runs ${total + 1}`);
  expect(verified.code).toBe(0);
}

interface ReadOnlyPlace {
  readonly name: string;
  readonly file: string;
  readonly modes: Readonly<Record<string, number>>;
  readonly secret?: string;
  readonly message: RegExp;
}

const FOLDER = 'data';
const FILE = join('data', 'x.db');
const PLACES: readonly ReadOnlyPlace[] = [
  {
    name: 'a read-only file',
    file: FILE,
    modes: { [FILE]: 0o444 },
    message: /^Cannot use the database at \S+x\.db: attempt to write a readonly database\n$/,
  },
  {
    name: 'a read-only file with a configured secret',
    file: FILE,
    modes: { [FILE]: 0o444 },
    secret: 'a secret that is long enough for it',
    message: /^Cannot use the database at \S+x\.db: attempt to write a readonly database\n$/,
  },
  {
    name: 'a read-only folder',
    file: FILE,
    modes: { [FOLDER]: 0o555 },
    message: /^Cannot use the database: .*(unable to open database file|readonly database)\n$/,
  },
  {
    name: 'a read-only file in a read-only folder',
    file: FILE,
    modes: { [FILE]: 0o444, [FOLDER]: 0o555 },
    message: /^Cannot use the database: .*(unable to open database file|readonly database)\n$/,
  },
  {
    name: 'a file that may not be read',
    file: FILE,
    modes: { [FILE]: 0o000 },
    message: /^Cannot use the database: .*unable to open database file\n$/,
  },
  {
    name: 'a new file in a read-only folder',
    file: join('data', 'new.db'),
    modes: { [FOLDER]: 0o555 },
    message: /^Cannot use the database: .*unable to open database file\n$/,
  },
  {
    name: 'a new folder in a read-only one',
    file: join('data', 'new', 'x.db'),
    modes: { [FOLDER]: 0o555 },
    message: /^Cannot create the data folder \S+: EACCES\n$/,
  },
];

test.for(PLACES)(
  'a start on $name fails with one line that gives the reason',
  { timeout: 60_000 },
  async ({ file, modes, secret, message }, { skip }) => {
    if (process.platform === 'win32') skip('Windows has other permissions');
    if (isRoot && spawnSync('setpriv', ['--version']).error !== undefined) {
      skip('permissions do not bind root, and there is no setpriv to change that');
    }
    expect(runCommand(['migrate'], environment).code).toBe(0);
    for (const [path, mode] of Object.entries(modes)) await chmod(join(folder, path), mode);
    const given = {
      ...environment,
      DATABASE_URL: `sqlite:${join(folder, file)}`,
      ...(secret === undefined ? {} : { JWT_SECRET: secret }),
    };
    const result = runCommand(['serve'], given, { through: boundByPermissions() });
    expect(result).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(message) });

    await chmod(join(folder, FOLDER), 0o755);
    await chmod(join(folder, FILE), 0o644);
    expect(runCommand(['verify'], environment).code).toBe(0);
  },
);

/** Permissions do not apply to root, unless it gives up the capability to override them. */
function boundByPermissions(): string[] {
  return isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];
}

async function whileBroken(
  { service, fault }: { service: ServiceProcess; fault: SystemCallFault },
  work: () => Promise<void>,
): Promise<void> {
  const restore = await injectSystemCallFault(service.child.pid, fault);
  try {
    await work();
  } finally {
    await restore();
  }
}

async function expectRefusals(
  machine: ApiClient,
  { run, step }: { run: string; step: string },
): Promise<void> {
  const replies = [
    await start(machine),
    await createStep(machine, run),
    await machine.patch(`/v1/runs/${run}/steps/${step}`, { status: 'COMPLETED', prompt_tokens: 1 }),
    await machine.post(`/v1/runs/${run}/end`, { status: 'COMPLETED' }),
    await machine.post('/v1/api-keys/', {}),
    await machine.patch('/v1/workspace/', { name: 'another' }),
  ];
  for (const reply of replies) {
    expect(reply.body).toEqual({ detail: 'The store is not available right now' });
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('1');
  }
}

async function expectReads(machine: ApiClient, { run, runs }: { run: string; runs: number }): Promise<void> {
  expect((await machine.get('/v1/runs/')).body.total).toBe(runs);
  expect((await machine.get(`/v1/runs/${run}`)).body).toMatchObject({ id: run, status: 'RUNNING' });
  expect((await machine.get('/v1/usage/summary')).body.today.run_count).toBe(runs);
  expect((await machine.get('/health')).status).toBe(200);
}

function start(machine: ApiClient): Promise<ApiReply> {
  return machine.post('/v1/runs/', { user_id: 'u' });
}

function createStep(machine: ApiClient, run: string): Promise<ApiReply> {
  return machine.post(`/v1/runs/${run}/steps`, { type: 'INPUT', sequence: 1 });
}

function expectCreated({ status, text, body }: ApiReply): string {
  expect(status, text).toBe(201);
  return body.id;
}
