/**
 * Ends runs whose leases have ended, within seconds. Decisions do not depend on it: they treat such runs as ended. One batch at
 * a time, so that others wait for a batch at most, however many leases end at once.
 */

import { type BackgroundWork, repeatInBackground } from '../runtime/background-work.js';
import type { RunStore } from '../store/store.js';

const INTERVAL_MS = 1_000;
const MAX_WORKSPACES = 100;

export interface LeaseSweepOptions {
  readonly runs: RunStore;
  readonly now: () => Promise<number>;
  /** Ends some runs of the workspace; returns whether there are more. */
  readonly expireRuns: (workspaceId: string) => Promise<{ hasMore: boolean }>;
}

/** Before runs are shown: those whose leases have ended are shown as ended, whether the sweep was there or not. */
export async function settleLeases(
  { runs, expireRuns }: LeaseSweepOptions,
  workspaceId: string,
): Promise<void> {
  if (!(await runs.hasDueRuns(workspaceId))) return;
  // A store that cannot be written can still be read.
  await expireRuns(workspaceId).catch(() => {});
}

interface Log {
  warn(details: object, message: string): void;
}

export function startLeaseSweep(options: LeaseSweepOptions, log: Log): BackgroundWork {
  const onError = (error: unknown) => log.warn({ err: error }, 'could not end runs whose leases have ended');
  const work = (isStopped: () => boolean) => sweepLeases({ ...options, onError }, isStopped);
  return repeatInBackground({ intervalMs: INTERVAL_MS, work, onError });
}

/** Workspaces take turns, so that one with many expired runs does not delay the others. */
export async function sweepLeases(
  { runs, now, expireRuns, onError = () => {} }: LeaseSweepOptions & { onError?: (error: unknown) => void },
  isStopped: () => boolean = () => false,
): Promise<void> {
  const due = new Set(await runs.listDueWorkspaces({ now: await now(), limit: MAX_WORKSPACES }));
  while (due.size > 0) {
    for (const workspaceId of due) {
      if (isStopped()) return;
      // A workspace that fails, for example because too much of it waits, does not stop the others.
      const { hasMore } = await expireRuns(workspaceId).catch((error: unknown) => {
        onError(error);
        return { hasMore: false };
      });
      if (!hasMore) due.delete(workspaceId);
    }
  }
}
