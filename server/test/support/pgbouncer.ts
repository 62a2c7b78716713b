/** PgBouncer in transaction mode in front of a server: each transaction may use a different server connection. */

import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, freePort, serverUser } from './postgres-server.js';

const START_TIMEOUT_MS = 10_000;
const POLL_MS = 25;

export class PgBouncer {
  readonly port: number;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(given: { port: number; folder: string; process: ChildProcess }) {
    this.port = given.port;
    this.#folder = given.folder;
    this.#process = given.process;
  }

  static async start(serverUrl: string): Promise<PgBouncer> {
    const { hostname, port: serverPort } = new URL(serverUrl);
    const folder = await mkdtemp(join(tmpdir(), 'guarded-runs-pgbouncer-'));
    const { uid, gid } = serverUser();
    if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
    const port = await freePort();
    const settings = join(folder, 'pgbouncer.ini');
    const users = join(folder, 'users.txt');
    await writeFile(users, '"postgres" ""\n');
    await writeFile(
      settings,
      `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 10
max_client_conn = 1000
`,
    );
    const child = spawn('pgbouncer', ['-q', settings], { cwd: folder, stdio: 'ignore', ...serverUser() });
    process.once('exit', () => child.kill('SIGKILL'));
    const failed = new Promise<never>((_, reject) => child.once('error', reject));
    const url = new URL(serverUrl);
    url.port = String(port);
    await Promise.race([failed, untilAnswering(url.href)]);
    return new PgBouncer({ port, folder, process: child });
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await exited;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function untilAnswering(url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(url))) {
    if (Date.now() > deadline) throw new Error('PgBouncer did not start in time');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
