/** What strace saw a process do, call by call, in the order in which it happened. Linux only. */

import { spawnSync } from 'node:child_process';

export interface SystemCall {
  readonly name: string;
  /** As strace prints them, with the path of each descriptor. */
  readonly args: string;
  /** The places of its begin and of its return among all that was seen. */
  readonly began: number;
  returned: number | null;
  /** null until it has returned, or when it failed. */
  result: number | null;
}

/** Why nothing can be traced here, or null when it can. */
export function whyNotTraceable(): string | null {
  if (process.platform !== 'linux') return 'strace is a tool of Linux';
  const { error, status, stderr } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'], {
    encoding: 'utf8',
  });
  if (error !== undefined) return 'strace is not installed';
  return status === 0 ? null : `strace is not permitted here: ${stderr.trim()}`;
}

/** The command that runs another one and writes its calls to a file; what is started is the other one itself. */
export function traceCommand(given: { calls: readonly string[]; file: string }): string[] {
  const whole = ['-s', '8192'];
  return ['strace', '-D', '-f', '-y', '-ttt', ...whole, '-e', `trace=${given.calls}`, '-o', given.file];
}

export function hasExited(trace: string, pid: number | undefined): boolean {
  return new RegExp(`^${pid} +\\S+ \\+\\+\\+ exited`, 'm').test(trace);
}

/** A call during which another thread was seen has two lines: one "unfinished", one "resumed". */
export function parseSystemCalls(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, SystemCall>();
  for (const [place, line] of trace.split('\n').entries()) {
    const [, thread = '', text = ''] = /^(\d+) +\d+\.\d+ (.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>/.test(text);
    const [, name = '', args = ''] = /^(\w+)\((.*)$/.exec(text) ?? [];
    const call = resumed
      ? unfinished.get(thread)
      : name === ''
        ? undefined
        : { name, args, began: place, returned: null, result: null };
    if (call === undefined) continue;
    if (!resumed) calls.push(call);
    if (text.endsWith('<unfinished ...>')) {
      unfinished.set(thread, call);
      continue;
    }
    unfinished.delete(thread);
    const [, result] = /\) += (\d+)[^=]*$/.exec(text) ?? [];
    call.returned = place;
    call.result = result === undefined ? null : Number(result);
  }
  return calls;
}
