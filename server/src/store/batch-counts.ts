/** Whether a batch changes a counter at all: what it does not change is not written. */

import type { RunCounts } from '../domain/run.js';
import type { Usage } from '../domain/usage.js';

export function hasRunCounts(counts: RunCounts): boolean {
  return counts.RUNNING !== 0 || counts.COMPLETED !== 0 || counts.FAILED !== 0 || counts.BLOCKED !== 0;
}

export function hasUsage(usage: Usage): boolean {
  return usage.promptTokens !== 0n || usage.completionTokens !== 0n || usage.costPicoUsd !== 0n;
}
