/** The built service as a separate process, for tests of signals, crashes and terminal output. */

import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const START_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 60_000;

/** A failed test leaves no service behind. */
const living = new Set<ChildProcess>();
afterAll(() => {
  for (const child of living) child.kill('SIGKILL');
});

export interface ServiceProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** The output of both streams so far, as on a terminal. */
  output(): string;
  /** The exit code, or null after a signal. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ProcessOptions {
  /** A command that runs the service, such as a tracer or one that drops privileges. It must exec the service. */
  readonly through?: readonly string[];
  /** The file to start; that of this build by default. */
  readonly main?: string;
}

/** The process right after its start, without waiting until it is ready. */
export function launchServiceProcess(
  environment: Record<string, string>,
  { through = [], main = MAIN }: ProcessOptions = {},
): ChildProcessWithoutNullStreams {
  const [command = '', ...args] = [...through, process.execPath, main, 'serve'];
  const child = spawn(command, args, { env: { ...baseEnvironment(), PORT: '0', ...environment } });
  living.add(child);
  child.once('exit', () => living.delete(child));
  return child;
}

export async function startServiceProcess(
  environment: Record<string, string>,
  options: ProcessOptions = {},
): Promise<ServiceProcess> {
  const child = launchServiceProcess(environment, options);
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
    stop: (signal) => endProcess(child, signal),
  };
}

/** The exit code, or null after a signal. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  const [code] = (await exited) as [number | null];
  return code;
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runCommand(
  args: readonly string[],
  environment: Record<string, string> = {},
  { through = [], ...options }: ProcessOptions & { cwd?: string } = {},
): CommandResult {
  const [command = '', ...rest] = [...through, process.execPath, MAIN, ...args];
  const result = spawnSync(command, rest, {
    env: { ...baseEnvironment(), ...environment },
    encoding: 'utf8',
    timeout: COMMAND_TIMEOUT_MS,
    ...options,
  });
  return { code: result.status, stdout: result.stdout, stderr: result.stderr };
}

/** The same without blocking this process. */
export async function runCommandAsync(
  args: readonly string[],
  environment: Record<string, string> = {},
  { timeoutMs = COMMAND_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...baseEnvironment(), ...environment },
    timeout: timeoutMs,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Without the developer's configuration. All accounts come from one address, so the registration limit is raised. */
function baseEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return { PATH, HOME, REGISTRATIONS_PER_HOUR: '10000', ...(TMPDIR === undefined ? {} : { TMPDIR }) };
}
