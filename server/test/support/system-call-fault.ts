/** Makes system calls of a running process fail as on a broken disk, with strace. Linux only. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface SystemCallFault {
  readonly calls: readonly string[];
  /** As in errno: EROFS. */
  readonly error: string;
}

/** Why faults cannot be injected here, or null if they can. */
export async function whyNotInjectable(): Promise<string | null> {
  const sleeper = spawn('sleep', ['60'], { stdio: 'ignore' });
  try {
    const end = await injectSystemCallFault(sleeper.pid, { calls: ['fsync'], error: 'EIO' });
    await end();
    return null;
  } catch (error) {
    return String(error);
  } finally {
    sleeper.kill();
  }
}

/** Resolves when the fault is active, with a function that ends it. Rejects if tracing is not permitted. */
export async function injectSystemCallFault(
  pid: number | undefined,
  { calls, error }: SystemCallFault,
): Promise<() => Promise<void>> {
  const fault = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}`];
  const tracer = spawn('strace', ['-f', '-o', '/dev/null', ...fault, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(tracer, 'exit');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    tracer.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (/attached/.test(said)) resolve();
    });
    const refused = () => reject(new Error(`strace cannot attach: ${said.trim()}`));
    exited.then(refused, () => reject(new Error('strace is not installed')));
  });
  return async () => {
    tracer.kill('SIGTERM');
    await exited;
  };
}
