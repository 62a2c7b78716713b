/** An allowed step in progress. It is reported once. A failed report never makes the caller's call fail. */

import type { EndStatus, StepReport } from './api-types.js';
import { type TokenUsage, toCount } from './usage/token-usage.js';

export interface StepContext {
  readonly stepId: string;
  readonly holdUsd: number | null;
  readonly remainingUsd: number | null;
  readonly report: (report: StepReport) => void;
  readonly onReportError: (error: unknown) => void;
}

export class OpenStep {
  readonly #context: StepContext | null;
  readonly #onClosed: (step: OpenStep, status: EndStatus) => void;
  readonly #startedAtMs = performance.now();
  #isClosed = false;

  /** Without a context the step is unguarded and is not reported. */
  constructor(context: StepContext | null, onClosed: (step: OpenStep, status: EndStatus) => void) {
    this.#context = context;
    this.#onClosed = onClosed;
  }

  /** Null for a step of an unguarded run. */
  get id(): string | null {
    return this.#context?.stepId ?? null;
  }

  /** What the step holds until it is reported; null without an estimate or a price. */
  get holdUsd(): number | null {
    return this.#context?.holdUsd ?? null;
  }

  /** The least that a budget or limit left after this step was allowed; null without an estimate or a limit. */
  get remainingUsd(): number | null {
    return this.#context?.remainingUsd ?? null;
  }

  /** Does not wait until the report is sent: see `GuardedRuns.flush`. */
  async complete(usage: TokenUsage | null = null): Promise<void> {
    this.#close('COMPLETED', usage);
  }

  /** Does not wait until the report is sent: see `GuardedRuns.flush`. */
  async fail(usage: TokenUsage | null = null): Promise<void> {
    this.#close('FAILED', usage);
  }

  /** Passes an error that occurred before the report to `onReportError`. */
  reportError(error: unknown): void {
    this.#context?.onReportError(error);
  }

  /** The first outcome wins: a stream that is read to its end and then cancelled is COMPLETED. */
  #close(status: EndStatus, usage: TokenUsage | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClosed(this, status);
    if (this.#context === null) return;
    const { stepId, report } = this.#context;
    report({
      step_id: stepId,
      status,
      duration_ms: Math.round(performance.now() - this.#startedAtMs),
      prompt_tokens: toCount(usage?.promptTokens) ?? null,
      completion_tokens: toCount(usage?.completionTokens) ?? null,
    });
  }
}
