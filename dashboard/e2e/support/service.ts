/** Runs the built service in a child process, on a free port, with a temporary store. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const COMMAND = fileURLToPath(new URL('../../../server/dist/main.js', import.meta.url));

export interface Service {
  readonly url: string;
  /** Runs another command on the same store and returns its output. */
  run(command: string, ...args: string[]): Promise<string>;
  /** Stops the process. `resume` starts it again with the same store and port. */
  interrupt(): Promise<void>;
  /** Does nothing while the process runs. */
  resume(): Promise<void>;
  /** Until `thaw`, connections are accepted but not answered. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

export async function startService(environment: Record<string, string> = {}): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'guarded-runs-e2e-'));
  const env = {
    ...process.env,
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, 'e2e.db')}`,
    LOG_LEVEL: 'error',
    REGISTRATIONS_PER_HOUR: '10000',
    ...environment,
  };
  let child = start(env);
  const url = await listeningUrl(child);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const end = async () => {
    if (hasEnded()) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  };
  return {
    url,
    run: async (...args) => {
      const options = { env: { ...env, PUBLIC_URL: url } };
      return (await promisify(execFile)(process.execPath, [COMMAND, ...args], options)).stdout;
    },
    interrupt: end,
    resume: async () => {
      if (!hasEnded()) return;
      child = start({ ...env, PORT: new URL(url).port });
      await listeningUrl(child);
    },
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    stop: async () => {
      child.kill('SIGCONT');
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function start(env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [COMMAND, 'serve'], { env, stdio: ['ignore', 'inherit', 'pipe'] });
}

function listeningUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      const url = /Dashboard\s+(http:\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`The service exited with code ${code}: ${output}`)));
  });
}
