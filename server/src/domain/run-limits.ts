/** Limits of one run, fixed when it starts: an agent that loops, or runs on and on, is denied. */

import type { PicoUsd } from './money.js';

/** null: no limit. */
export interface RunLimits {
  readonly maxCostPicoUsd: PicoUsd | null;
  readonly maxSteps: number | null;
  readonly maxDurationSeconds: number | null;
  /** Equal steps among the last REPEAT_WINDOW. */
  readonly maxRepeats: number | null;
}

export const NO_RUN_LIMITS: RunLimits = {
  maxCostPicoUsd: null,
  maxSteps: null,
  maxDurationSeconds: null,
  maxRepeats: null,
};

/** The steps of a run in which repeats are counted. */
export const REPEAT_WINDOW = 20;
/** Of tools that may be called again and again. */
export const MAX_EXEMPT_TOOLS = 100;

/** The smaller of each: a run can only tighten what its workspace has set. Null when nothing is limited. */
export function effectiveLimits(workspace: RunLimits, run: Partial<RunLimits>): RunLimits | null {
  const limits: RunLimits = {
    maxCostPicoUsd: smaller(workspace.maxCostPicoUsd, run.maxCostPicoUsd),
    maxSteps: smaller(workspace.maxSteps, run.maxSteps),
    maxDurationSeconds: smaller(workspace.maxDurationSeconds, run.maxDurationSeconds),
    maxRepeats: smaller(workspace.maxRepeats, run.maxRepeats),
  };
  return Object.values(limits).every((limit) => limit === null) ? null : limits;
}

function smaller<Amount extends number | bigint>(
  left: Amount | null,
  right: Amount | null | undefined,
): Amount | null {
  if (left === null || right == null) return left ?? right ?? null;
  return left < right ? left : right;
}

/** What a step has in common with its repeats; null for a step that is never a repeat. */
export type Fingerprint = string | null;

/** Oldest first; at most REPEAT_WINDOW. */
export type RecentSteps = readonly Fingerprint[];

export function countRepeats(recent: RecentSteps, fingerprint: Fingerprint): number {
  return fingerprint === null ? 0 : recent.filter((other) => other === fingerprint).length;
}

export function withRecent(recent: RecentSteps, fingerprint: Fingerprint): RecentSteps {
  return [...recent, fingerprint].slice(-REPEAT_WINDOW);
}
