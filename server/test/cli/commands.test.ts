import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.js';
import { ApiClient } from '../support/api-client.js';
import { addMember } from '../support/members.js';
import { runCommand, startServiceProcess } from '../support/service-process.js';

let folder: string;
let file: string;
let environment: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-cli-'));
  file = join(folder, 'cli.db');
  environment = { DATABASE_URL: `sqlite:${file}` };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const COMMANDS = [
  'serve',
  'migrate',
  'verify',
  'members',
  'set-role',
  'set-plan',
  'reset-password',
  'audit',
  'backup',
  'copy',
];

test('--help lists every command, and each command has its own help', () => {
  const overview = runCommand(['--help']);
  expect(overview.code).toBe(0);
  for (const command of COMMANDS) {
    expect(overview.stdout).toContain(`  ${command}`);
    const help = runCommand([command, '--help']);
    expect(help.code).toBe(0);
    expect(help.stdout).toMatch(new RegExp(`^Usage: guarded-runs ${command}`));
  }
});

test('a reader that leaves before the end of the output is no error', () => {
  const through = ['bash', '-c', 'set -o pipefail; "$@" | true', 'bash'];
  expect(runCommand(['--help'], {}, { through })).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('an unknown command and a missing argument print one line on stderr and exit with 1', () => {
  expect(runCommand(['frobnicate'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Unknown command "frobnicate". Try guarded-runs --help\n',
  });
  expect(runCommand(['set-plan', 'a@example.com'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Usage: guarded-runs set-plan <email|slug> <plan>\n',
  });
});

test('invalid configuration prevents the start with one line per problem and shows no secret', () => {
  const { code, stderr } = runCommand(['serve'], {
    PORT: '99999',
    JWT_SECRET: 'too-short-secret',
    DATABASE_URL: 'mysql://root:hunter2@localhost/db',
    DEFAULT_PLAN: 'gold',
    TRUST_PROXY: 'foo, 10.0.0.0/33',
  });
  expect(code).toBe(1);
  expect(stderr.trimEnd().split('\n')).toHaveLength(6);
  expect(stderr).toMatch(/^PORT must be/m);
  expect(stderr).toMatch(/^DATABASE_URL must look like/m);
  expect(stderr).toMatch(/^JWT_SECRET must have at least 32/m);
  expect(stderr).toMatch(/^DEFAULT_PLAN must be one of basic, pro, scale, enterprise/m);
  expect(stderr).toMatch(/^TRUST_PROXY must be true, false, a number .+, not "foo"$/m);
  expect(stderr).toMatch(/^TRUST_PROXY must be .+, not "10\.0\.0\.0\/33"$/m);
  expect(stderr).not.toContain('hunter2');
  expect(stderr).not.toContain('too-short-secret');
});

test('a busy port prints one line', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const { code, stderr } = runCommand(['serve'], { ...environment, PORT: port });
  taken.close();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `Port ${port} on 127.0.0.1 is in use. Set PORT to another one.\n`,
  });
});

test('a data folder that cannot be created prints one line', async () => {
  await writeFile(join(folder, 'a-file'), '');
  const { code, stderr } = runCommand(['serve'], {
    DATABASE_URL: `sqlite:${join(folder, 'a-file', 'x.db')}`,
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Cannot create the data folder .+\n$/);
});

test('a file that is not a database prints one line', async () => {
  await writeFile(file, 'this is not a database, but long enough to be read as one'.repeat(100));
  const { code, stderr } = runCommand(['serve'], environment);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Cannot use the database: .+\n$/);
});

test('migrate creates the database, and running it again changes nothing', async () => {
  expect(runCommand(['migrate'], environment)).toMatchObject({ code: 0, stderr: '' });
  expect(runCommand(['migrate'], environment).stdout).toBe(`The database at ${file} is up to date\n`);
});

test('commands on a database that does not exist say so and create none', () => {
  for (const args of [
    ['verify'],
    ['set-plan', 'a@example.com', 'pro'],
    ['reset-password', 'a@example.com'],
    ['members', 'a@example.com'],
    ['set-role', 'a@example.com', 'owner'],
    ['audit', 'a@example.com'],
    ['backup', join(folder, 'copy.db')],
  ]) {
    const { code, stderr } = runCommand(args, environment);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^There is no database at .+\n$/);
  }
});

test('reset-password prints a link that sets a new password on a running service, once', async () => {
  const service = await startServiceProcess(environment);
  try {
    const anonymous = new ApiClient(service.url, null);
    const email = 'forgetful@example.com';
    await anonymous.post('/v1/auth/register', { email, password: 'correct horse' });
    const publicUrl = 'https://guard.example.com/team/';
    const { code, stdout } = runCommand(['reset-password', 'Forgetful@example.com'], {
      ...environment,
      PUBLIC_URL: publicUrl,
    });
    expect(code).toBe(0);
    const [, token = ''] = /^https:\/\/guard\.example\.com\/team\/reset-password#(\S+)\n$/.exec(stdout) ?? [];
    const reset = () => anonymous.post('/v1/auth/reset-password', { token, new_password: 'battery staple' });
    expect((await reset()).status).toBe(200);
    expect((await reset()).status).toBe(400);
    const login = await anonymous.post('/v1/auth/login', { email, password: 'battery staple' });
    expect(login.status).toBe(200);
    expect(runCommand(['reset-password', 'nobody@example.com'], environment)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'No account found for "nobody@example.com"\n',
    });
  } finally {
    await service.stop('SIGTERM');
  }
});

test('members, set-role and audit work beside a running service', async () => {
  const service = await startServiceProcess(environment);
  try {
    const { body } = await register(service.url);
    const person = new ApiClient(service.url, body.access_token);
    const guest = { email: 'guest@example.com', role: 'viewer' } as const;
    const member = await addMember(person, guest);
    const { slug } = body.workspace;
    expect(runCommand(['members', slug], environment).stdout).toMatch(
      /^owner {3}\S+Z {2}owner@example.com\nviewer {2}\S+Z {2}guest@example.com\n$/,
    );
    expect(runCommand(['set-role', 'Guest@example.com', 'admin'], environment).stdout).toBe(
      'guest@example.com is now admin\n',
    );
    expect((await member.person.patch('/v1/workspace/', { name: 'Ours' })).status).toBe(200);
    const { stdout } = runCommand(['audit', 'guest@example.com'], environment);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual((await person.get('/v1/audit-log/')).body.items);
    expect(lines.map(({ action }) => action)).toEqual([
      'workspace.updated',
      'member.role_changed',
      'member.joined',
      'member.invited',
      'account.registered',
    ]);
    expect(lines[1]).toMatchObject({ actor: { type: 'operator' }, target: 'guest@example.com' });
    for (const [args, message] of [
      [
        ['set-role', 'owner@example.com', 'viewer'],
        'A workspace needs an owner: make another member an owner first',
      ],
      [['set-role', 'owner@example.com', 'boss'], 'Unknown role "boss". Roles: owner, admin, viewer'],
      [['set-role', 'nobody@example.com', 'owner'], 'No account found for "nobody@example.com"'],
      [['members', 'nobody'], 'No workspace found for "nobody"'],
      [['audit', 'nobody'], 'No workspace found for "nobody"'],
    ] as const) {
      expect(runCommand([...args], environment)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
    }
  } finally {
    await service.stop('SIGTERM');
  }
});

test('set-plan takes effect at once on a running service, by e-mail or by slug', async () => {
  const service = await startServiceProcess(environment);
  const { body } = await register(service.url);
  const person = new ApiClient(service.url, body.access_token);
  expect(runCommand(['set-plan', 'Owner@Example.com', 'scale'], environment).stdout).toBe(
    `${body.workspace.slug} is now on the scale plan\n`,
  );
  expect((await person.post('/v1/workspace/kill-switch', { active: true })).status).toBe(200);
  expect(runCommand(['set-plan', body.workspace.slug, 'pro'], environment).code).toBe(0);
  expect((await person.get('/v1/workspace/')).body.kill_switch).toBe(false);
  expect(runCommand(['set-plan', 'nobody@example.com', 'pro'], environment).stderr).toBe(
    'No workspace found for "nobody@example.com"\n',
  );
  expect(runCommand(['set-plan', 'owner@example.com', 'gold'], environment).code).toBe(1);
  await service.stop('SIGTERM');
});

test('verify exits with 1 and names every counter that differs from the ledger', async () => {
  const service = await startServiceProcess(environment);
  const { body } = await register(service.url);
  const machine = new ApiClient(service.url, body.api_key);
  await machine.put('/v1/model-pricing/m', { input_cost_per_token: 1, output_cost_per_token: 1 });
  const run = await machine.post('/v1/runs/', { user_id: 'u' });
  const step = await machine.post(`/v1/runs/${run.body.id}/steps`, {
    type: 'MODEL_CALL',
    sequence: 1,
    model: 'm',
  });
  await machine.patch(`/v1/runs/${run.body.id}/steps/${step.body.id}`, {
    status: 'COMPLETED',
    prompt_tokens: 2,
  });
  await machine.post(`/v1/runs/${run.body.id}/end`, { status: 'COMPLETED' });
  await machine.post(`/v1/runs/${run.body.id}/steps`, { type: 'INPUT', sequence: 2 });
  await service.stop('SIGTERM');
  expect(runCommand(['verify'], environment).code).toBe(0);

  const database = await SqliteDatabase.open(file);
  for (const change of [
    'UPDATE workspace_days SET cost_pico_usd = cost_pico_usd + 1',
    'UPDATE user_days SET prompt_tokens = 0',
    'DELETE FROM model_days',
    'UPDATE denial_days SET denial_count = 7',
    'DELETE FROM user_model_days',
    'UPDATE user_denial_days SET denial_count = 7',
    'UPDATE model_call_days SET bucket = 1',
    'UPDATE workspace_counters SET running_runs = 1',
    'UPDATE users SET completed_runs = 5',
    'UPDATE runs SET total_tokens = 3',
    'UPDATE model_prices SET version = 2',
    `UPDATE model_price_versions SET input_usd = '0.5'`,
  ]) {
    database.run(change);
  }
  database.close();

  const { code, stdout } = runCommand(['verify'], environment);
  expect(code).toBe(1);
  for (const table of [
    'workspace_days',
    'user_days',
    'model_days',
    'denial_days',
    'user_model_days',
    'user_denial_days',
    'model_call_days',
    'workspace_counters',
    'users',
    'runs',
    'model_prices',
    // Its cost is not what the price says.
    'steps',
  ]) {
    expect(stdout).toMatch(new RegExp(`^${table} ${body.workspace.id}`, 'm'));
  }
  expect(stdout).toContain('13 differences');
});

test('backup copies to a new file and never overwrites one', async () => {
  expect(runCommand(['migrate'], environment).code).toBe(0);
  const copy = join(folder, 'copy.db');
  expect(runCommand(['backup', copy], environment).stdout).toBe(`Copied ${file} to ${copy}\n`);
  expect(runCommand(['verify'], { DATABASE_URL: `sqlite:${copy}` }).code).toBe(0);
  await writeFile(join(folder, 'precious'), 'keep me');
  expect(runCommand(['backup', join(folder, 'precious')], environment).code).toBe(1);
  expect(await readFile(join(folder, 'precious'), 'utf8')).toBe('keep me');
});

test('without configuration the data is in ./data', async () => {
  const home = join(folder, 'home');
  await mkdir(home);
  expect(runCommand(['migrate'], {}, { cwd: home }).stdout).toBe(
    `The database at ${join(home, 'data', 'guarded-runs.db')} is up to date\n`,
  );
  await chmod(home, 0o700);
});

function register(url: string) {
  return new ApiClient(url, null).post('/v1/auth/register', {
    email: 'owner@example.com',
    password: 'password',
  });
}
