/** What a step costs by its report. */

import type { PicoUsd } from './money.js';
import { cacheSavingsOf, costOf, isActivePrice, type ModelPrice, type TokenCounts } from './price.js';
import type { ReportDetails, StepDetails, StepReport, StepState } from './step.js';
import { NO_USAGE, type Usage, type UsageParts } from './usage.js';

export interface Settlement extends Pick<StepState, 'costPicoUsd' | 'costSource' | 'priceVersion'> {
  readonly details: StepDetails | null;
  /** null: nothing is counted. */
  readonly usage: Usage | null;
}

/**
 * What a report says about the cost: what it states, or the price of its tokens. Without both, a completed step costs what it
 * held; a failed one costs nothing.
 */
export function settle(step: StepState, report: StepReport, price: ModelPrice | null): Settlement {
  const { status, promptTokens, completionTokens, details } = report;
  if (details !== null && details.statedPicoUsd !== null)
    return settleStated(report, details, details.statedPicoUsd);
  if (promptTokens !== null && completionTokens !== null)
    return settleTokens(step, { promptTokens, completionTokens }, { details, price });
  const { holdPicoUsd } = step;
  const isFree = status === 'FAILED' || holdPicoUsd === null;
  return {
    costPicoUsd: isFree ? null : holdPicoUsd,
    costSource: isFree ? null : 'estimated',
    priceVersion: null,
    details: withSavings(details, null),
    usage: isFree ? null : { ...NO_USAGE, costPicoUsd: holdPicoUsd },
  };
}

function settleStated(
  { promptTokens, completionTokens }: StepReport,
  details: ReportDetails,
  costPicoUsd: PicoUsd,
): Settlement {
  return {
    costPicoUsd,
    costSource: 'reported',
    priceVersion: null,
    details: withSavings(details, null),
    usage: {
      costPicoUsd,
      promptTokens: BigInt(promptTokens ?? 0),
      completionTokens: BigInt(completionTokens ?? 0),
      unpricedTokens: 0n,
    },
  };
}

function settleTokens(
  { holdPicoUsd }: StepState,
  tokens: TokenCounts,
  { details, price }: { details: ReportDetails | null; price: ModelPrice | null },
): Settlement {
  const promptTokens = BigInt(tokens.promptTokens);
  const completionTokens = BigInt(tokens.completionTokens);
  if (isActivePrice(price)) {
    const costPicoUsd = costOf(tokens, details, price);
    return {
      costPicoUsd,
      costSource: details?.isEstimated === true ? 'estimated' : null,
      priceVersion: price.version,
      details: details === null ? null : withSavings(details, cacheSavingsOf(tokens, details, price)),
      usage: { costPicoUsd, promptTokens, completionTokens, unpricedTokens: 0n },
    };
  }
  // What a model without a price costs is unknown: the hold is the best estimate.
  return {
    costPicoUsd: holdPicoUsd,
    costSource: holdPicoUsd === null ? null : 'estimated',
    priceVersion: null,
    details: withSavings(details, null),
    usage: {
      costPicoUsd: holdPicoUsd ?? 0n,
      promptTokens,
      completionTokens,
      unpricedTokens: holdPicoUsd === null ? promptTokens + completionTokens : 0n,
    },
  };
}

function withSavings(details: ReportDetails | null, cacheSavedPicoUsd: PicoUsd | null): StepDetails | null {
  return details === null ? null : { cacheSavedPicoUsd, ...details };
}

/** What is added to the counters of the model; null: nothing. */
export function toUsageParts(details: StepDetails): UsageParts | null {
  const { cacheReadTokens, cacheWriteTokens, reasoningTokens, cacheSavedPicoUsd } = details;
  if (cacheReadTokens === null && cacheWriteTokens === null && reasoningTokens === null) return null;
  return {
    cacheReadTokens: BigInt(cacheReadTokens ?? 0),
    cacheWriteTokens: BigInt(cacheWriteTokens ?? 0),
    reasoningTokens: BigInt(reasoningTokens ?? 0),
    cacheSavedPicoUsd: cacheSavedPicoUsd ?? 0n,
  };
}
