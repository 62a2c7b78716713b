/** Ends runs when the process is told to stop or has an uncaught error. All clients share the listeners. */

import type { GuardedRun } from '../guarded-run.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

interface NodeProcess {
  readonly pid: number;
  on(event: string, listener: (given: unknown) => void): unknown;
  off(event: string, listener: (given: unknown) => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
  exit(code: number): never;
}

const hooks = new Set<ExitHook>();

const LISTENERS: readonly (readonly [string, (given: unknown) => void])[] = [
  ...SIGNALS.map((signal) => [signal, () => void onSignal(signal)] as const),
  ['uncaughtException', (error) => void onError(error)],
];

export class ExitHook {
  readonly #end: (run: GuardedRun) => Promise<void>;
  readonly #flush: () => Promise<void>;
  /** Weak: a run that the caller forgot must not keep its slot. */
  readonly #runs = new Set<WeakRef<GuardedRun>>();

  constructor({ end, flush }: { end: (run: GuardedRun) => Promise<void>; flush: () => Promise<void> }) {
    this.#end = end;
    this.#flush = flush;
    if (hooks.size === 0) for (const [event, listener] of LISTENERS) findProcess()?.on(event, listener);
    hooks.add(this);
  }

  add(run: GuardedRun): void {
    const reference = new WeakRef(run);
    this.#runs.add(reference);
    void run.settled.then(() => this.#runs.delete(reference));
  }

  remove(): void {
    if (hooks.delete(this) && hooks.size === 0) removeListeners();
  }

  /** Returns within seconds, whatever the service does. */
  async endAll(): Promise<void> {
    const runs = [...this.#runs].map((reference) => reference.deref());
    this.#runs.clear();
    await Promise.all(runs.map((run) => run && this.#end(run)));
    await this.#flush();
  }
}

/** Another listener decides what the process does; without one, it stops as it would have. */
async function onSignal(signal: string): Promise<void> {
  const process = findProcess();
  await endAll();
  removeListeners();
  if (process?.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

async function onError(error: unknown): Promise<void> {
  const process = findProcess();
  const isOnlyListener = process?.listenerCount('uncaughtException') === 1;
  if (isOnlyListener) console.error(error);
  await endAll();
  if (isOnlyListener) process?.exit(1);
}

async function endAll(): Promise<void> {
  await Promise.all([...hooks].map((hook) => hook.endAll()));
}

function removeListeners(): void {
  for (const [event, listener] of LISTENERS) findProcess()?.off(event, listener);
}

function findProcess(): NodeProcess | null {
  const { process } = globalThis as { process?: Partial<NodeProcess> };
  return typeof process?.on === 'function' ? (process as NodeProcess) : null;
}
