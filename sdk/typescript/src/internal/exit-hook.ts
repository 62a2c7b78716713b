/** Ends runs when the process is told to stop or has an uncaught error. */

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

export class ExitHook {
  readonly #process: NodeProcess | null;
  readonly #end: (run: GuardedRun) => Promise<void>;
  /** Weak: a run that the caller forgot must not keep its slot. */
  readonly #runs = new Set<WeakRef<GuardedRun>>();
  readonly #onSignal = SIGNALS.map((signal) => [signal, () => void this.#stop(signal)] as const);

  constructor(end: (run: GuardedRun) => Promise<void>) {
    this.#end = end;
    this.#process = (globalThis as { process?: NodeProcess }).process ?? null;
    for (const [signal, listener] of this.#onSignal) this.#process?.on(signal, listener);
    this.#process?.on('uncaughtException', this.#onError);
  }

  add(run: GuardedRun): void {
    const reference = new WeakRef(run);
    this.#runs.add(reference);
    void run.settled.then(() => this.#runs.delete(reference));
  }

  remove(): void {
    for (const [signal, listener] of this.#onSignal) this.#process?.off(signal, listener);
    this.#process?.off('uncaughtException', this.#onError);
  }

  /** Another listener decides what the process does; without one, it stops as it would have. */
  async #stop(signal: string): Promise<void> {
    await this.#endAll();
    this.remove();
    if (this.#process?.listenerCount(signal) === 0) this.#process.kill(this.#process.pid, signal);
  }

  readonly #onError = async (error: unknown): Promise<void> => {
    const isOnlyListener = this.#process?.listenerCount('uncaughtException') === 1;
    if (isOnlyListener) console.error(error);
    await this.#endAll();
    if (isOnlyListener) this.#process?.exit(1);
  };

  /** Each end returns within a second, whatever the service does. */
  async #endAll(): Promise<void> {
    const runs = [...this.#runs].map((reference) => reference.deref());
    this.#runs.clear();
    await Promise.all(runs.map((run) => run && this.#end(run)));
  }
}
