/** The database holds the token secret and the data of agents: only the user of the service can read its files. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { registerLoadWorkspace } from '../support/load-workspace.js';
import { runCommand, startServiceProcess } from '../support/service-process.js';
import { traceCommand, whyNotTraceable } from '../support/system-call-trace.js';

const UMASKS = ['000', '022', '077', '277'];
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let folder: string;
let data: string;
let environment: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-private-'));
  data = join(folder, 'data');
  environment = {
    DATABASE_URL: `sqlite:${join(data, 'x.db')}`,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'fatal',
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe.for(UMASKS)('with the umask %s', (umask) => {
  const through = ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh'];

  test('a new database, its log and its shared memory have mode 0600 in a folder of mode 0700', async () => {
    const service = await startServiceProcess(environment, { through });
    await registerLoadWorkspace(service.url);
    expect(await modesIn(data)).toEqual({ 'x.db': '600', 'x.db-shm': '600', 'x.db-wal': '600' });
    expect(await modeOf(data)).toBe('700');
    await service.stop('SIGTERM');
  });

  test('backups and copies have mode 0600', async () => {
    const options = { through };
    expect(runCommand(['migrate'], environment, options).code).toBe(0);
    await mkdir(join(folder, 'elsewhere'));
    const backup = join(folder, 'elsewhere', 'backup.db');
    expect(runCommand(['backup', backup], environment, options)).toMatchObject({ code: 0, stderr: '' });
    const copy = join(folder, 'elsewhere', 'copy.db');
    const urls = ['--from', `sqlite:${join(data, 'x.db')}`, '--to', `sqlite:${copy}`];
    expect(runCommand(['copy', ...urls], environment, options).code).toBe(0);
    expect(await modesIn(join(folder, 'elsewhere'))).toEqual({ 'backup.db': '600', 'copy.db': '600' });
    expect(runCommand(['verify'], { DATABASE_URL: `sqlite:${backup}` }).code).toBe(0);
  });
});

test('an existing folder keeps its mode', async () => {
  await mkdir(data);
  await chmod(data, 0o755);
  expect(runCommand(['migrate'], environment).code).toBe(0);
  expect([await modeOf(data), await modesIn(data)]).toEqual(['755', { 'x.db': '600' }]);
});

test('the files of a readable database are made private at the next start', async () => {
  const first = await startServiceProcess(environment);
  await registerLoadWorkspace(first.url);
  await first.stop('SIGKILL');
  const names = ['x.db', 'x.db-shm', 'x.db-wal'];
  expect((await readdir(data)).sort()).toEqual(names);
  for (const name of names) await chmod(join(data, name), 0o644);
  const second = await startServiceProcess(environment);
  expect(await modesIn(data)).toEqual({ 'x.db': '600', 'x.db-shm': '600', 'x.db-wal': '600' });
  await second.stop('SIGTERM');
});

test('a database behind a symbolic link is made private together with its log, which is beside the target', async () => {
  await mkdir(data);
  const target = join(data, 'target.db');
  expect(runCommand(['migrate'], { DATABASE_URL: `sqlite:${target}` }).code).toBe(0);
  await chmod(target, 0o666);
  await symlink(target, join(data, 'x.db'));
  const service = await startServiceProcess(environment);
  await registerLoadWorkspace(service.url);
  for (const name of ['target.db', 'target.db-wal', 'target.db-shm'])
    expect(await modeOf(join(data, name))).toBe('600');
  await service.stop('SIGTERM');
});

test('a database whose mode cannot be changed is still used', async ({ skip }) => {
  if (!isRoot || spawnSync('setpriv', ['--version']).error !== undefined)
    skip('only root can give a file to another user');
  await chmod(folder, 0o755);
  expect(runCommand(['migrate'], environment).code).toBe(0);
  await chmod(data, 0o777);
  await chmod(join(data, 'x.db'), 0o666);
  const through = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  expect(runCommand(['verify'], environment, { through })).toMatchObject({ code: 0, stderr: '' });
  expect(await modeOf(join(data, 'x.db'))).toBe('666');
});

test('no file of a database or a backup is readable by others at any moment', async ({ skip }) => {
  const reason = whyNotTraceable();
  if (reason !== null) skip(reason);
  const trace = join(folder, 'trace');
  const traced = [
    'sh',
    '-c',
    'umask 000; exec "$@"',
    'sh',
    ...traceCommand({ calls: ['openat', 'open'], file: trace }),
  ];
  const created = async (args: readonly string[]) => {
    expect(runCommand(args, environment, { through: traced }).code).toBe(0);
    const text = await readFile(trace, 'utf8');
    const calls = [...text.matchAll(/"([^"]+\.db[^"]*)", [A-Z_|]*O_CREAT[A-Z_|]*, (\d+)\)/g)];
    // Only the first call creates a file; the mode of later calls has no effect.
    return Object.fromEntries(calls.reverse().map(([, file = '', mode = '']) => [basename(file), mode]));
  };
  expect(await created(['migrate'])).toMatchObject({
    'x.db': '0600',
    'x.db-shm': '0600',
    'x.db-wal': '0600',
  });
  expect(await created(['backup', join(folder, 'copy.db')])).toMatchObject({ 'copy.db': '0600' });
  expect(new Set(Object.values(await modesIn(data)))).toEqual(new Set(['600']));
});

test('a backup that fails leaves no file behind', async () => {
  expect(runCommand(['migrate'], environment).code).toBe(0);
  const backup = join(folder, 'backup.db');
  // Files of at most 40 kB: enough for the files that SQLite keeps beside a database, and less than the database.
  const through = ['sh', '-c', 'trap "" XFSZ; ulimit -f 80; exec "$@"', 'sh'];
  const { code, stderr } = runCommand(['backup', backup], environment, { through });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Cannot use the database: .+\n$/)]);
  expect(existsSync(backup)).toBe(false);
});

async function modesIn(path: string): Promise<Record<string, string>> {
  const names = (await readdir(path)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await modeOf(join(path, name))] as const)),
  );
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}
