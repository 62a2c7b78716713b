/** The built service as a process of its own, for what only a process can show: signals, crashes, terminal output. */

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const START_TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

export interface ServiceProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Both streams so far, as a person would see them. */
  output(): string;
  /** The exit code, or null after a signal. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

export async function startServiceProcess(environment: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: { ...baseEnvironment(), PORT: '0', ...environment },
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const deadline = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The service did not start:\n${output}`));
    }, START_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const [, found] = /API +(http:\S+)\/v1/.exec(output) ?? [];
      if (found === undefined) return;
      clearTimeout(deadline);
      resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(deadline);
      reject(new Error(`The service ended with ${code}:\n${output}`));
    });
  });
  return {
    url,
    child,
    output: () => output,
    stop: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runCommand(
  args: readonly string[],
  environment: Record<string, string> = {},
  options: { cwd?: string } = {},
): CommandResult {
  const result = spawnSync(process.execPath, [MAIN, ...args], {
    env: { ...baseEnvironment(), ...environment },
    encoding: 'utf8',
    timeout: 60_000,
    ...options,
  });
  return { code: result.status, stdout: result.stdout, stderr: result.stderr };
}

/** For commands that take minutes: nothing else waits meanwhile. */
export function runCommandAsync(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const options = { env: { ...baseEnvironment(), ...environment }, maxBuffer: MAX_OUTPUT_BYTES };
    const child = execFile(process.execPath, [MAIN, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** Nothing of the developer's own configuration reaches the service under test. */
function baseEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
}
