/** The system calls of a process in order, recorded by strace. Linux only. */

import { spawnSync } from 'node:child_process';

export interface SystemCall {
  readonly name: string;
  /** As strace prints them, with the path of each descriptor. */
  readonly args: string;
  /** The positions of its start and of its return in the trace. */
  readonly began: number;
  returned: number | null;
  /** null until it has returned, or when it failed. */
  result: number | null;
}

/** Why tracing is not possible here, or null if it is. */
export function whyNotTraceable(): string | null {
  if (process.platform !== 'linux') return 'strace is a tool of Linux';
  const { error, status, stderr } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'], {
    encoding: 'utf8',
  });
  if (error !== undefined) return 'strace is not installed';
  return status === 0 ? null : `strace is not permitted here: ${stderr.trim()}`;
}

/** The prefix of a command that writes its calls to a file; the started process is the command itself. */
export function traceCommand(given: { calls: readonly string[]; file: string }): string[] {
  const whole = ['-s', '8192'];
  return ['strace', '-D', '-f', '-y', '-ttt', ...whole, '-e', `trace=${given.calls}`, '-o', given.file];
}

export function hasExited(trace: string, pid: number | undefined): boolean {
  return new RegExp(`^${pid} +\\S+ \\+\\+\\+ exited`, 'm').test(trace);
}

/** A call that another thread interrupted in the trace has two lines: one "unfinished", one "resumed". */
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
