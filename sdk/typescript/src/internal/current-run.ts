/** The run of the current asynchronous call, in runtimes that have AsyncLocalStorage: Node.js, Bun, Deno, and edge runtimes. */

import type { GuardedRun } from '../guarded-run.js';

interface Storage {
  run<Result>(run: GuardedRun, call: () => Result): Result;
  getStore(): GuardedRun | undefined;
}

interface Runtime {
  readonly process?: {
    getBuiltinModule?(name: string): { AsyncLocalStorage?: new () => Storage } | undefined;
  };
  /** Some edge runtimes have it as a global. */
  readonly AsyncLocalStorage?: new () => Storage;
  /** Shared by all copies of this package, for example an ESM and a CommonJS one. */
  [STORAGE]?: Storage | null;
}

const STORAGE = Symbol.for('guarded-runs.current-run');

function storage(): Storage | null {
  const runtime = globalThis as Runtime;
  runtime[STORAGE] ??= newStorage(runtime);
  return runtime[STORAGE];
}

/** Not imported: bundlers for browsers and other runtimes do not know the module. */
function newStorage({ process, AsyncLocalStorage }: Runtime): Storage | null {
  const Class = AsyncLocalStorage ?? process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage;
  return Class === undefined ? null : new Class();
}

/** Everything that the function calls, also later, has this run as its current run. */
export function withCurrentRun<Result>(run: GuardedRun, call: () => Result): Result {
  const current = storage();
  return current === null ? call() : current.run(run, call);
}

export function findCurrentRun(): GuardedRun | null {
  return storage()?.getStore() ?? null;
}
