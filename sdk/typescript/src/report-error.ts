import type { StepReport } from './api-types.js';
import type { TokenUsage } from './usage/token-usage.js';

/** What could not be reported: the usage of a step, or the end of a run. */
export interface ReportError {
  readonly runId: string;
  /** Null for the end of the run. */
  readonly stepId: string | null;
  /** What is missing in the budgets; null if it is unknown, or nothing. */
  readonly usage: TokenUsage | null;
  /** Why: the error of the last attempt, the refusal of the service, or what your own function threw. */
  readonly error: unknown;
}

export type OnReportError = (lost: ReportError) => void;

export function usageIn(report: StepReport): TokenUsage | null {
  const counts = {
    promptTokens: report.promptTokens,
    completionTokens: report.completionTokens,
    cacheReadTokens: report.cacheReadTokens,
    cacheWriteTokens: report.cacheWriteTokens,
    reasoningTokens: report.reasoningTokens,
    costUsd: report.costUsd,
    estimated: report.estimated,
  };
  const known = Object.entries(counts).filter(([, count]) => count != null);
  return known.length === 0 ? null : Object.fromEntries(known);
}
