import { ConfigurationError } from '../errors.js';
import type { GuardedRun } from '../guarded-run.js';
import { findCurrentRun } from '../internal/current-run.js';

/** A run, or a function that returns the current run, for clients and tools that outlive a run. */
export type RunSource = GuardedRun | (() => GuardedRun);

/** Without a source, the run of the `guard.run` that the call is made in. */
export function currentRun(source: RunSource | undefined): GuardedRun {
  if (typeof source === 'function') return source();
  const run = source ?? findCurrentRun();
  if (run !== null) return run;
  throw new ConfigurationError(
    'There is no current run: make the call within guard.run, or pass the run. Some runtimes have no AsyncLocalStorage.',
  );
}
