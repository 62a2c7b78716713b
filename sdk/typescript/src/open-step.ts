/** An allowed step in progress. It is reported once. A failed report never makes the caller's call fail. */

import type { EndStatus, StepReport } from './api-types.js';
import { errorMessageOf } from './internal/error-message.js';
import {
  MAX_OUTPUT_BYTES,
  type Payload,
  type RecordedPayload,
  type RecordPayloads,
  recordGiven,
  recordSeen,
} from './internal/payloads.js';
import { toReportedUsage } from './internal/reported-usage.js';
import type { TokenEstimator } from './usage/estimate-tokens.js';
import { StreamUsage } from './usage/stream-usage.js';
import type { TokenUsage } from './usage/token-usage.js';

export interface StepContext {
  readonly stepId: string;
  readonly holdUsd: number | null;
  readonly remainingUsd: number | null;
  readonly recordPayloads: RecordPayloads | undefined;
  /** Null for a step that has no tokens, such as a tool. */
  readonly estimator: TokenEstimator | null;
  readonly report: (report: StepReport, payloadBytes: number) => void;
  readonly onReportError: (error: unknown) => void;
}

/** What is known of a step when it ends. */
export interface StepResult extends TokenUsage {
  /** Stored with the step for audits, as its `inputData` is. */
  readonly outputData?: Payload | null | undefined;
}

export interface StepOutcome {
  readonly status: EndStatus;
  /** Null: what the chunks of a stream tell. */
  readonly result: StepResult | null;
  /** What the call returned. Without `outputData`, it is recorded if `recordPayloads` says so. */
  readonly output?: (() => unknown) | undefined;
  readonly error?: unknown;
  /** The reader of a stream has left it. */
  readonly isLeft?: boolean;
}

export class OpenStep {
  readonly #context: StepContext | null;
  readonly #onClosed: (step: OpenStep, status: EndStatus) => void;
  readonly #startedAtMs = performance.now();
  readonly #stream: StreamUsage;
  #isClosed = false;
  #unreadSinceMs: number | null = null;

  /** Without a context the step is unguarded and is not reported. */
  constructor(context: StepContext | null, onClosed: (step: OpenStep, status: EndStatus) => void) {
    this.#context = context;
    this.#onClosed = onClosed;
    const isTextKept = context?.recordPayloads !== undefined && context.recordPayloads !== false;
    this.#stream = new StreamUsage({ maxTextLength: isTextKept ? MAX_OUTPUT_BYTES : 0 });
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

  /**
   * Without a result, a stream is reported with the usage in the chunks that were `received`. Does not wait until the
   * report is sent: see `GuardedRuns.flush`.
   */
  async complete(result: StepResult | null = null): Promise<void> {
    this.close({ status: 'COMPLETED', result });
  }

  /**
   * Reports the message of the error as well. Without a result, a stream is reported with the usage in the chunks that
   * were `received`, or with an estimate. Does not wait until the report is sent: see `GuardedRuns.flush`.
   */
  async fail(result: StepResult | null = null, error?: unknown): Promise<void> {
    this.close({ status: 'FAILED', result, error });
  }

  /** A chunk of the stream of a model, as its provider sends it, or its text. */
  received(chunk: unknown): void {
    this.#stream.add(chunk);
  }

  /** What the chunks have told so far. */
  get stream(): Pick<StreamUsage, 'usage' | 'failed' | 'error'> {
    return this.#stream;
  }

  /** Whether someone waits for the next chunk of the stream. */
  reading(isReading: boolean): void {
    this.#unreadSinceMs = isReading ? null : performance.now();
  }

  /** By `performance.now()`. Null for a call in flight, and while a stream is read. */
  get unreadSinceMs(): number | null {
    return this.#unreadSinceMs;
  }

  /** Passes an error that occurred before the report to `onReportError`. */
  reportError(error: unknown): void {
    this.#context?.onReportError(error);
  }

  /** The first outcome wins: a stream that is read to its end and then cancelled is COMPLETED. */
  close(outcome: StepOutcome): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClosed(this, outcome.status);
    const context = this.#context;
    if (context === null) return;
    const { status } = outcome;
    const usage = outcome.result ?? this.#attempt(() => this.#streamUsage(outcome, context.estimator));
    const tokens = this.#attempt(() => toReportedUsage(usage));
    const payload = this.#attempt(() => this.#payloadOf(outcome, context.recordPayloads));
    const error = status === 'FAILED' ? errorMessageOf(outcome.error) : null;
    context.report(
      {
        stepId: context.stepId,
        status,
        durationMs: Math.round(performance.now() - this.#startedAtMs),
        ...(tokens ?? toReportedUsage({ ...usage, costUsd: undefined })),
        ...(payload === null ? {} : { outputData: payload.data }),
        ...(error === null ? {} : { error }),
      },
      payload?.bytes ?? 0,
    );
  }

  #streamUsage({ status, isLeft = false }: StepOutcome, estimator: TokenEstimator | null): TokenUsage | null {
    if (estimator === null) return null;
    return status === 'COMPLETED' ? this.#stream.usage : this.#stream.brokenOff({ estimator, isLeft });
  }

  #payloadOf({ result, output }: StepOutcome, record: RecordPayloads | undefined): RecordedPayload | null {
    const options = { record, maxBytes: MAX_OUTPUT_BYTES };
    if (result?.outputData !== undefined) return recordGiven(result.outputData, options);
    const { text } = this.#stream;
    return recordSeen(() => output?.() ?? (text === '' ? null : { text }), options);
  }

  /** What the caller's data, readers and masking functions throw must not lose the report. */
  #attempt<Value>(read: () => Value): Value | null {
    try {
      return read();
    } catch (error) {
      this.reportError(error);
      return null;
    }
  }
}
