/** A report as it is sent: consistent in itself, and recognized when it is repeated. */

import { unprocessable } from './app-error.js';
import type { ReportDetails, StepReport, StepState } from './step.js';

/** When only some counts are given, the others are 0. */
export function newStepReport(
  given: Omit<StepReport, 'details'> & { readonly details?: ReportDetails | null },
): StepReport {
  const { status, durationMs, details = null } = given;
  const anyTokens =
    given.promptTokens !== null || given.completionTokens !== null || (details !== null && hasParts(details));
  const promptTokens = anyTokens ? (given.promptTokens ?? 0) : null;
  const completionTokens = anyTokens ? (given.completionTokens ?? 0) : null;
  const report = { status, durationMs, promptTokens, completionTokens, details };
  if (details !== null) requireConsistent(report, details);
  return report;
}

function hasParts({ cacheReadTokens, cacheWriteTokens, reasoningTokens }: ReportDetails): boolean {
  return cacheReadTokens !== null || cacheWriteTokens !== null || reasoningTokens !== null;
}

/** Refuses parts that are larger than their whole, and an error of a step that did not fail. */
function requireConsistent(report: StepReport, details: ReportDetails): void {
  const { cacheReadTokens, cacheWriteTokens, reasoningTokens } = details;
  // In this order, because the sum of both may not be exact.
  const fresh = (report.promptTokens ?? 0) - (cacheReadTokens ?? 0);
  if (fresh < 0 || (cacheWriteTokens ?? 0) > fresh)
    throw unprocessable('cache_read_tokens and cache_write_tokens must not exceed prompt_tokens together');
  if ((reasoningTokens ?? 0) > (report.completionTokens ?? 0))
    throw unprocessable('reasoning_tokens must not exceed completion_tokens');
  if (details.error !== null && report.status !== 'FAILED')
    throw unprocessable('error is only accepted with status FAILED');
}

/** Whether the step was already reported with the same values. */
export function isSameReport(step: StepState, report: StepReport): boolean {
  return (
    step.status === report.status &&
    step.durationMs === report.durationMs &&
    step.promptTokens === report.promptTokens &&
    step.completionTokens === report.completionTokens &&
    step.reportHash === (report.details === null ? null : report.details.hash)
  );
}
