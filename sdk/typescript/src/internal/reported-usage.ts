/** The usage of a step as the fields of its report. */

import type { StepReport } from '../api-types.js';
import { ConfigurationError } from '../errors.js';
import { type TokenUsage, toCount } from '../usage/token-usage.js';
import { roundUsd } from './usd.js';

type UsageFields = Pick<
  StepReport,
  | 'promptTokens'
  | 'completionTokens'
  | 'cacheReadTokens'
  | 'cacheWriteTokens'
  | 'reasoningTokens'
  | 'costUsd'
  | 'estimated'
>;

/**
 * The service refuses parts that are larger than their whole, and the report with them. So each part is cut to what its
 * whole has left, and unknown parts are omitted. Throws if the stated cost is not an amount.
 */
export function toReportedUsage(usage: TokenUsage | null): UsageFields {
  const promptTokens = toCount(usage?.promptTokens);
  const completionTokens = toCount(usage?.completionTokens);
  const cacheRead = partOf(promptTokens, usage?.cacheReadTokens);
  const cacheWrite = partOf(
    promptTokens === undefined ? undefined : promptTokens - (cacheRead ?? 0),
    usage?.cacheWriteTokens,
  );
  const reasoning = partOf(completionTokens, usage?.reasoningTokens);
  return {
    promptTokens: promptTokens ?? null,
    completionTokens: completionTokens ?? null,
    ...(cacheRead === undefined ? {} : { cacheReadTokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWriteTokens: cacheWrite }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    ...(usage?.costUsd == null ? {} : { costUsd: requireCostUsd(usage.costUsd) }),
    ...(usage?.estimated === true ? { estimated: true } : {}),
  };
}

export function requireCostUsd(costUsd: number): number {
  if (Number.isFinite(costUsd) && costUsd >= 0) return roundUsd(costUsd);
  throw new ConfigurationError(`costUsd must be an amount in USD: ${costUsd}`);
}

function partOf(whole: number | undefined, part: number | undefined): number | undefined {
  const count = toCount(part);
  return whole === undefined || count === undefined ? undefined : Math.min(count, whole);
}
