/** An allowed step in progress. It is reported once. A failed report never makes the caller's call fail. */

import type { EndStatus } from './api-types.js';
import type { Runs } from './resources/runs.js';
import { type TokenUsage, toCount } from './usage/token-usage.js';

export interface StepContext {
  readonly runs: Runs;
  readonly runId: string;
  readonly stepId: string;
  readonly onReportError: (error: unknown) => void;
}

export class OpenStep {
  readonly #context: StepContext | null;
  readonly #onClosed: (step: OpenStep, status: EndStatus) => void;
  readonly #startedAtMs = performance.now();
  #report: Promise<void> | null = null;

  /** Without a context the step is unguarded and is not reported. */
  constructor(context: StepContext | null, onClosed: (step: OpenStep, status: EndStatus) => void) {
    this.#context = context;
    this.#onClosed = onClosed;
  }

  /** Null for a step of an unguarded run. */
  get id(): string | null {
    return this.#context?.stepId ?? null;
  }

  complete(usage: TokenUsage | null = null): Promise<void> {
    return this.#close('COMPLETED', usage);
  }

  fail(usage: TokenUsage | null = null): Promise<void> {
    return this.#close('FAILED', usage);
  }

  /** Passes an error that occurred before the report to `onReportError`. */
  reportError(error: unknown): void {
    this.#context?.onReportError(error);
  }

  /** The first outcome wins: a stream that is read to its end and then cancelled is COMPLETED. */
  #close(status: EndStatus, usage: TokenUsage | null): Promise<void> {
    this.#report ??= this.#send(status, usage);
    return this.#report;
  }

  async #send(status: EndStatus, usage: TokenUsage | null): Promise<void> {
    this.#onClosed(this, status);
    if (this.#context === null) return;
    const { runs, runId, stepId, onReportError } = this.#context;
    try {
      await runs.updateStep(
        { runId, stepId },
        {
          status,
          duration_ms: Math.round(performance.now() - this.#startedAtMs),
          prompt_tokens: toCount(usage?.promptTokens) ?? null,
          completion_tokens: toCount(usage?.completionTokens) ?? null,
        },
      );
    } catch (error) {
      onReportError(error);
    }
  }
}
