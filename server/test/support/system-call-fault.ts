/** System calls of a running process that fail as they would on a broken disk, by strace. Linux only. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface SystemCallFault {
  readonly calls: readonly string[];
  /** As in errno: EROFS. */
  readonly error: string;
}

/** Why no fault can be injected here, or null when it can. */
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

/** Resolves once the fault is in force; the function ends it. Rejects where it is not permitted to trace. */
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
