/**
 * A step may hold what it is expected to cost, so that steps in parallel cannot overshoot a budget together. A hold is settled
 * once: by the report of the step, or by a charge when the run ends without one.
 */

import type { PicoUsd } from './money.js';
import { costOf, isActivePrice, type ModelPrice } from './price.js';
import { changeRun, type RunState } from './run.js';
import type { StepState } from './step.js';
import { NO_USAGE, type Usage } from './usage.js';

/** Of one run: all of them are settled in one transaction when the run ends. */
export const MAX_OPEN_HOLDS = 1_000;

/** What a step is expected to cost at most: an amount, or tokens of its model. */
export type Estimate =
  | { readonly costPicoUsd: PicoUsd }
  | {
      readonly promptTokens: number;
      readonly completionTokens: number;
      /** Held instead of `promptTokens` in a workspace that requires holds, where a hold has to be a bound. */
      readonly mostPromptTokens?: number | undefined;
    };

/**
 * Null without an estimate, and for tokens of a model without a price. In a workspace that requires holds, a hold with
 * `mostPromptTokens` is a bound: the prompt may all be written to the cache of the provider, which may cost more than reading it.
 */
export function holdOf(
  estimate: Estimate | undefined,
  price: ModelPrice | null,
  { isBound }: { isBound: boolean },
): PicoUsd | null {
  if (estimate === undefined) return null;
  if ('costPicoUsd' in estimate) return estimate.costPicoUsd;
  if (!isActivePrice(price)) return null;
  const { promptTokens, completionTokens, mostPromptTokens = promptTokens } = estimate;
  if (!isBound) return costOf({ promptTokens, completionTokens }, null, price);
  const most = { promptTokens: mostPromptTokens, completionTokens };
  const fresh = costOf(most, null, price);
  const written = costOf(most, { cacheReadTokens: 0, cacheWriteTokens: mostPromptTokens }, price);
  return fresh > written ? fresh : written;
}

/** Whether what the step holds is a bound, and not an estimate. */
export function isBoundHold(estimate: Estimate | undefined, requireHolds: boolean): boolean {
  return (
    requireHolds &&
    estimate !== undefined &&
    'mostPromptTokens' in estimate &&
    estimate.mostPromptTokens !== undefined
  );
}

/** The run with one hold more. */
export function addHold(run: RunState, hold: PicoUsd): RunState {
  return changeRun(run, { heldPicoUsd: run.heldPicoUsd + hold, openHolds: run.openHolds + 1 });
}

/** The run without the hold of a step, if that is still open. */
export function releaseHold(run: RunState, { heldPicoUsd }: StepState): RunState {
  if (heldPicoUsd === null) return run;
  return changeRun(run, { heldPicoUsd: run.heldPicoUsd - heldPicoUsd, openHolds: run.openHolds - 1 });
}

export interface ChargedStep {
  readonly step: StepState;
  readonly run: RunState;
  readonly usage: Usage;
}

/** An open hold when the run ends: charged, because the provider may have billed the call. */
export function chargeHold(run: RunState, step: StepState, at: number): ChargedStep {
  const costPicoUsd = step.heldPicoUsd ?? 0n;
  const usageVersion = run.usageVersion + 1;
  return {
    step: {
      ...step,
      costPicoUsd,
      costSource: 'estimated',
      heldPicoUsd: null,
      reportedAt: at,
      usageVersion,
      chargedVersion: usageVersion,
    },
    run: changeRun(releaseHold(run, step), {
      totalCostPicoUsd: run.totalCostPicoUsd + costPicoUsd,
      usageVersion,
    }),
    usage: { ...NO_USAGE, costPicoUsd },
  };
}

/** The smallest of what limits leave; null without a limit, never below zero. */
export function leastRemaining(remaining: readonly (PicoUsd | null)[]): PicoUsd | null {
  const limited = remaining.filter((amount) => amount !== null);
  if (limited.length === 0) return null;
  const least = limited.reduce((left, right) => (left < right ? left : right));
  return least < 0n ? 0n : least;
}
