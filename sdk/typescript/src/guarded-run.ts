/// <reference lib="esnext.disposable" preserve="true" />
/** A run that was allowed to start. Each step requests permission first and reports its usage afterwards. */

import type { CreatedStep, CreateStep, EndStatus, StepReport, StepType } from './api-types.js';
import { denialOf, stopsRun } from './denial.js';
import { GuardedRunsError, StepDeniedError } from './errors.js';
import type { Availability } from './internal/availability.js';
import { CallsInFlight } from './internal/calls-in-flight.js';
import { type Hold, type HoldSettings, toHeldFields } from './internal/hold.js';
import {
  MAX_INPUT_BYTES,
  type Payload,
  type RecordedPayload,
  type RecordPayloads,
  recordGiven,
  recordSeen,
} from './internal/payloads.js';
import { requireCostUsd } from './internal/reported-usage.js';
import { type OpenHolds, RunRequests } from './internal/run-requests.js';
import { describeStep, inSpan, type Span, startSpan } from './internal/spans.js';
import type { UnpricedModels } from './internal/unpriced-models.js';
import type { UnsentReports } from './internal/unsent-reports.js';
import { OpenStep, type StepContext } from './open-step.js';
import { type OutputReader, performStep, type UsageReader } from './perform-step.js';
import type { OnReportError } from './report-error.js';
import type { Runs } from './resources/runs.js';
import { type ModelRequest, tokenEstimator } from './usage/estimate-tokens.js';

/** An agent may do something else between its calls, such as a tool that is not guarded. */
const IDLE_MS = 5_000;

export interface RunContext {
  readonly runs: Runs;
  readonly availability: Availability;
  readonly unsentReports: UnsentReports;
  readonly unpricedModels: UnpricedModels;
  readonly onReportError: OnReportError;
}

export interface StepOptions {
  /** Stored with the step for audits, unless `recordPayloads` is false. */
  readonly inputData?: Payload | undefined;
  /** What the call is given. It is stored if there is no `inputData` and `recordPayloads` is true or a function. */
  readonly input?: (() => unknown) | undefined;
  /**
   * Aborts the permission request, and ends a returned stream as FAILED. Pass it to your own call as well. With
   * `run.signal`, a run that was denied once does not ask again.
   */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the option of the run and of the client. For tools, only a number has an effect. */
  readonly hold?: Hold | undefined;
}

export interface ModelCall<Result> extends StepOptions {
  /** Must match the model of a price exactly. Without a price, tokens are counted but have no cost. */
  readonly model?: string | null | undefined;
  /** Called only if the step is allowed, with the step, for chunks that are `received` otherwise. */
  readonly call: (step: OpenStep) => Result | PromiseLike<Result>;
  /** For `hold: 'auto'`, which holds nothing without it. A function is called only if it is needed. */
  readonly request?: ModelRequest | (() => ModelRequest) | undefined;
  /** Reads the usage from the result. By default, it is read from results of known providers. */
  readonly usage?: UsageReader<Result> | undefined;
  /** Returns what is stored of the result for audits, unless `recordPayloads` is false. */
  readonly outputData?: OutputReader<Result> | undefined;
  /** What is stored if there is no `outputData` and `recordPayloads` is true or a function. Default: the result. */
  readonly output?: ((result: Result) => unknown) | undefined;
}

export interface ToolCall<Result> extends StepOptions {
  readonly name: string;
  /** Called only if the step is allowed. */
  readonly call: () => Result | PromiseLike<Result>;
  /** What a call costs that returns. A function reads it from the result; for a stream, at its end. */
  readonly costUsd?: number | CostReader<Result> | undefined;
  /** Returns what is stored of the result for audits, unless `recordPayloads` is false. */
  readonly outputData?: OutputReader<Result> | undefined;
  /** What is stored if there is no `outputData` and `recordPayloads` is true or a function. Default: the result. */
  readonly output?: ((result: Result) => unknown) | undefined;
}

export type CostReader<Result> = (
  result: Result,
) => number | null | undefined | PromiseLike<number | null | undefined>;

export interface OpenStepOptions extends StepOptions {
  readonly type: StepType;
  readonly model?: string | null | undefined;
  readonly toolName?: string | null | undefined;
  /** Of a MODEL_CALL: see `ModelCall.request`. */
  readonly request?: ModelRequest | (() => ModelRequest) | undefined;
}

export class GuardedRun implements AsyncDisposable {
  /** Null if the guard was unavailable and the run continues unguarded: see `onUnavailable`. */
  readonly id: string | null;
  readonly userId: string;
  /**
   * Pass it to your calls: it is aborted when a heartbeat is denied, for example because an operator has stopped the run or
   * turned on the kill switch, and when a step is denied for such a reason. Calls that hold what they may cost are not
   * aborted because a budget is used up. Its reason is the `RunDeniedError` or `StepDeniedError`. It stays aborted.
   */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #context: RunContext;
  readonly #hold: HoldSettings;
  readonly #recordPayloads: RecordPayloads | undefined;
  readonly #holds: OpenHolds = { count: 0 };
  /** Null if the run continues unguarded. */
  readonly #requests: RunRequests | null;
  #lastSequence: number;
  #latestStep: EndStatus = 'COMPLETED';
  #end: { readonly status: EndStatus; readonly sent: Promise<void> } | null = null;
  readonly #calls: CallsInFlight;
  /** Settled when the run has ended and everything is reported, or given up. */
  readonly settled: Promise<unknown>;
  #settle!: (value: Promise<unknown>) => void;
  readonly #openSteps = new Set<OpenStep>();

  /** Use `GuardedRuns.run` or `GuardedRuns.start`. */
  constructor(given: {
    id: string | null;
    userId: string;
    /** Null: no heartbeats. */
    leaseSeconds: number | null;
    hold: HoldSettings;
    recordPayloads: RecordPayloads | undefined;
    /** Of the steps that the run has already; 0 for a new run. */
    lastSequence?: number;
    context: RunContext;
  }) {
    const { id, leaseSeconds, context } = given;
    this.id = id;
    this.#lastSequence = given.lastSequence ?? 0;
    this.userId = given.userId;
    this.signal = this.#controller.signal;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#calls = new CallsInFlight(context.unsentReports);
    this.#context = context;
    this.#hold = given.hold;
    this.#recordPayloads = given.recordPayloads;
    const options = {
      owner: this,
      controller: this.#controller,
      holds: this.#holds,
      leaseSeconds,
      ...context,
    };
    this.#requests = id === null ? null : new RunRequests({ runId: id, ...options });
  }

  /**
   * Requests permission, calls the model and reports its tokens. Throws `StepDeniedError` without calling it. A stream is
   * returned immediately and reported when you have read it, or as FAILED if it is interrupted.
   */
  async modelCall<Result>(given: ModelCall<Result>): Promise<Result> {
    const { call, usage, outputData, output, signal } = given;
    const readers = { usage, outputData, output };
    return this.#perform({ ...given, type: 'MODEL_CALL' }, { call, readers, signal });
  }

  /** Requests permission, calls the tool and reports its duration and cost. Throws `StepDeniedError` without calling it. */
  async toolCall<Result>(given: ToolCall<Result>): Promise<Result> {
    const { name, call, costUsd: cost, outputData, output, signal } = given;
    const costUsd = typeof cost === 'number' ? requireCostUsd(cost) : undefined;
    // A tool result may contain usage, for example of a nested agent, that does not belong to this step.
    const usage: UsageReader<Result> = async (result) => ({
      costUsd: (typeof cost === 'function' ? await cost(result) : cost) ?? undefined,
    });
    const readers = { usage, outputData, output, costUsd };
    return this.#perform({ ...given, type: 'TOOL_CALL', toolName: name }, { call, readers, signal });
  }

  #perform<Result>(
    request: OpenStepOptions,
    work: Omit<Parameters<typeof performStep<Result>>[0], 'step'>,
  ): Promise<Result> {
    return inSpan(describeStep({ ...request, runId: this.id }), async (span) => {
      const step = await this.#calls.open(() => this.#open(request, span));
      return performStep({ step, ...work });
    });
  }

  /**
   * For work that begins and ends in different places, such as callbacks. Call `complete` or `fail` on the returned
   * step. A step that is still open when the run ends is reported as FAILED.
   */
  async openStep(given: OpenStepOptions): Promise<OpenStep> {
    const step = await this.#open(given, startSpan(describeStep({ ...given, runId: this.id })));
    this.#openSteps.add(step);
    return step;
  }

  /**
   * Idempotent with the same status; throws for a different one. Sends the remaining reports as well, and continues in the
   * background if the service is unavailable or slow: see `onReportError` and `GuardedRuns.flush`.
   */
  async end(status: EndStatus = 'COMPLETED'): Promise<void> {
    const error = 'The run ended before the step was reported';
    // The reader of a stream has left it, or the step would have been reported.
    for (const step of this.#openSteps) step.close({ status: 'FAILED', result: null, error, isLeft: true });
    if (this.#end?.status === status) return this.#end.sent;
    if (this.#end !== null) throw new GuardedRunsError(`The run has ended as ${this.#end.status} before`);
    this.#end = { status, sent: this.#requests?.end(status) ?? Promise.resolve() };
    this.#settle(this.#requests?.sent ?? Promise.resolve());
    // Streams that are still read are reported later.
    void this.#calls.idle(0);
    await this.#end.sent;
  }

  /** Whether `end` was called. */
  get hasEnded(): boolean {
    return this.#end !== null;
  }

  /** As this process knows it. */
  get status(): 'RUNNING' | EndStatus {
    return this.#end?.status ?? 'RUNNING';
  }

  /**
   * Ends the run when it has had no call in flight, and no stream being read, for `idleMs` (default: 5,000): for agents whose
   * result is still being streamed, for example to a browser. The status is FAILED if the latest step failed or was denied.
   */
  async endWhenIdle({ idleMs = IDLE_MS }: { idleMs?: number } = {}): Promise<void> {
    await this.#calls.idle(idleMs);
    await this[Symbol.asyncDispose]();
  }

  /** Whether no model or tool call is in flight, and no stream of one is being read. */
  get isIdle(): boolean {
    return this.#calls.isIdle;
  }

  /**
   * `await using`: ends the run unless it has ended. The status is FAILED if the latest step failed or was denied. Call
   * `end('FAILED')` for other errors.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.hasEnded) return;
    await this.end(this.#latestStep).catch((error) => this.#notify(error));
  }

  async #open(given: OpenStepOptions, span: Span): Promise<OpenStep> {
    // Incremented before the first await, so that parallel steps are numbered in call order.
    this.#lastSequence += 1;
    const sequence = this.#lastSequence;
    const created = await this.#createStep(given, sequence).catch((error: unknown) => {
      this.#latestStep = 'FAILED';
      span.failed(error);
      throw error;
    });
    const isHeld = created?.holdUsd != null;
    if (isHeld) this.#holds.count += 1;
    const onClosed = (step: OpenStep, status: EndStatus) => {
      if (isHeld) this.#holds.count -= 1;
      this.#openSteps.delete(step);
      this.#latestStep = status;
      this.#calls.closed(step);
    };
    const requests = this.#requests;
    if (requests === null || created === null) {
      return new OpenStep(null, (step, status) => {
        onClosed(step, status);
        span.ended(status);
      });
    }
    span.allowed(created);
    const context: StepContext = {
      stepId: created.id,
      ...heldBy(created),
      recordPayloads: this.#recordPayloads,
      estimator: given.type === 'MODEL_CALL' ? tokenEstimator(given.request, this.#hold) : null,
      report: (body: StepReport, payloadBytes: number) => {
        span.reported(body);
        requests.report(body, payloadBytes);
      },
      onReportError: (error) => this.#notify(error, created.id),
    };
    return new OpenStep(context, onClosed);
  }

  /** Null if the guard is unavailable and `onUnavailable` is `'allow'`. */
  async #createStep(given: OpenStepOptions, sequence: number): Promise<CreatedStep | null> {
    const id = this.id;
    const requests = this.#requests;
    if (id === null || requests === null) return null;
    const input = this.#inputOf(given);
    const body = { ...toCreateStep(given, sequence, input), ...toHeldFields(given, this.#hold) };
    const options = { signal: given.signal, payloadBytes: input?.bytes ?? 0 };
    const { availability, unpricedModels } = this.#context;
    const model = given.type === 'MODEL_CALL' ? given.model : null;
    if (model != null) await unpricedModels.requirePrice(model);
    const created = await availability.orNull(() => requests.createStep(body, options));
    if (model != null && created?.holdUsd === null) unpricedModels.found(model);
    const reason = created === null ? null : denialOf(created.decision);
    if (created === null || reason === null) return created;
    const denied = new StepDeniedError({
      reason,
      runId: id,
      stepId: created.id,
      deniedBy: created.deniedBy,
      ...heldBy(created),
    });
    if (stopsRun(reason)) this.#controller.abort(denied);
    throw denied;
  }

  #inputOf({ inputData, input }: OpenStepOptions): RecordedPayload | null {
    const options = { record: this.#recordPayloads, maxBytes: MAX_INPUT_BYTES };
    if (inputData !== undefined) return recordGiven(inputData, options);
    if (input === undefined) return null;
    try {
      return recordSeen(input, options);
    } catch (error) {
      this.#notify(error);
      return null;
    }
  }

  #notify(error: unknown, stepId: string | null = null): void {
    this.#context.onReportError({ runId: this.id ?? '', stepId, usage: null, error });
  }
}

function toCreateStep(given: OpenStepOptions, sequence: number, input: RecordedPayload | null): CreateStep {
  return {
    type: given.type,
    sequence,
    model: given.model ?? null,
    toolName: given.toolName ?? null,
    inputData: input?.data ?? null,
    explain: true,
  };
}

/** The service omits both for a step without an estimate. */
function heldBy(created: CreatedStep): { holdUsd: number | null; remainingUsd: number | null } {
  return { holdUsd: created.holdUsd ?? null, remainingUsd: created.remainingUsd ?? null };
}
