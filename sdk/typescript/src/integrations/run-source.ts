import type { GuardedRun } from '../guarded-run.js';

/** A run, or a function that returns the current run, for clients and tools that outlive a run. */
export type RunSource = GuardedRun | (() => GuardedRun);

export function currentRun(source: RunSource): GuardedRun {
  return typeof source === 'function' ? source() : source;
}
