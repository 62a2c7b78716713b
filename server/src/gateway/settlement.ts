/** What a call is reported with, from how it ended. Pure. */

import { MAX_ERROR_LENGTH, type StepReport } from '../domain/step.js';
import { newStepReport } from '../domain/step-report.js';
import { hashOfDetails } from '../engine/step-fingerprint.js';
import type { TokenUsage } from './provider.js';

export type CallOutcome =
  /** The provider answered with success. */
  | { readonly kind: 'answered'; readonly usage: TokenUsage | null }
  /** The provider refused, or was never reached: it bills nothing. */
  | { readonly kind: 'refused'; readonly error: string }
  /** The answer, or the rest of it, was lost: the provider may bill it. */
  | { readonly kind: 'broken'; readonly usage: TokenUsage | null; readonly error: string };

/** What the step holds. */
export interface EstimatedTokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Tokens that were not stated are those that the step holds, marked as an estimate. */
export function toSettlement(
  outcome: CallOutcome,
  { held, durationMs }: { held: EstimatedTokens; durationMs: number },
): StepReport {
  const status = outcome.kind === 'answered' ? 'COMPLETED' : 'FAILED';
  const error = outcome.kind === 'answered' ? null : outcome.error.slice(0, MAX_ERROR_LENGTH);
  if (outcome.kind === 'refused') {
    const details = withHash({ ...NO_DETAILS, error });
    return newStepReport({ status, durationMs, promptTokens: null, completionTokens: null, details });
  }
  const { usage } = outcome;
  const promptTokens = usage?.promptTokens ?? held.promptTokens;
  const completionTokens = usage?.completionTokens ?? held.completionTokens;
  const isEstimated = usage === null || usage.promptTokens === null || usage.completionTokens === null;
  const parts = { ...NO_DETAILS, ...partsOf(usage, { promptTokens, completionTokens }), isEstimated, error };
  const isPlain = Object.entries(NO_DETAILS).every(
    ([name, value]) => parts[name as keyof typeof parts] === value,
  );
  return newStepReport({
    status,
    durationMs,
    promptTokens,
    completionTokens,
    details: isPlain ? null : withHash(parts),
  });
}

const NO_DETAILS = {
  cacheReadTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  statedPicoUsd: null,
  isEstimated: false,
  error: null,
  outputData: null,
};

/** Parts of nothing are left out. A provider may state more than the whole: a report that is refused would be lost. */
function partsOf(
  usage: TokenUsage | null,
  { promptTokens, completionTokens }: EstimatedTokens,
): { cacheReadTokens: number | null; cacheWriteTokens: number | null; reasoningTokens: number | null } {
  const cacheReadTokens = Math.min(usage?.cacheReadTokens ?? 0, promptTokens);
  const cacheWriteTokens = Math.min(usage?.cacheWriteTokens ?? 0, promptTokens - cacheReadTokens);
  const reasoningTokens = Math.min(usage?.reasoningTokens ?? 0, completionTokens);
  return {
    cacheReadTokens: cacheReadTokens || null,
    cacheWriteTokens: cacheWriteTokens || null,
    reasoningTokens: reasoningTokens || null,
  };
}

type Details = Parameters<typeof hashOfDetails>[0];

function withHash(details: Details) {
  return { ...details, hash: hashOfDetails(details, null) };
}
