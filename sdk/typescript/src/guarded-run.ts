/// <reference lib="esnext.disposable" preserve="true" />
/** A run that was allowed to start. Each step asks first and reports afterwards. */

import type { CreatedStep, CreateStep, EndStatus, StepType } from './api-types.js';
import { denialOf } from './denial.js';
import { StepDenied } from './errors.js';
import type { Availability } from './internal/availability.js';
import { OpenStep } from './open-step.js';
import { performStep, type UsageReader } from './perform-step.js';
import type { Runs } from './resources/runs.js';

export interface RunContext {
  readonly runs: Runs;
  readonly availability: Availability;
  readonly onReportError: (error: unknown) => void;
}

export interface StepOptions {
  /** Kept with the step for audit. */
  readonly inputData?: Readonly<Record<string, unknown>> | undefined;
  /** Gives up asking for permission, and the stream that the call returned. Your own call needs the signal itself. */
  readonly signal?: AbortSignal | undefined;
}

export interface ModelCall<Result> extends StepOptions {
  /** Must equal the model of a price exactly; without one, tokens are counted but cost nothing. */
  readonly model?: string | null | undefined;
  /** Executed only when the step is allowed. */
  readonly call: () => Result | PromiseLike<Result>;
  /** Instead of reading the usage from results of known shapes. */
  readonly usage?: UsageReader<Result> | undefined;
}

export interface ToolCall<Result> extends StepOptions {
  readonly name: string;
  /** Executed only when the step is allowed. */
  readonly call: () => Result | PromiseLike<Result>;
}

export interface OpenStepOptions extends StepOptions {
  readonly type: StepType;
  readonly model?: string | null | undefined;
  readonly toolName?: string | null | undefined;
}

export class GuardedRun implements AsyncDisposable {
  /** Null when the guard was unavailable and the run goes on without it: see `onUnavailable`. */
  readonly id: string | null;
  readonly userId: string;
  readonly #context: RunContext;
  #lastSequence = 0;
  #latestStep: EndStatus = 'COMPLETED';
  #ended = false;
  readonly #openSteps = new Set<OpenStep>();

  /** Use `GuardedRuns.run` or `GuardedRuns.start`. */
  constructor(given: { id: string | null; userId: string; context: RunContext }) {
    this.id = given.id;
    this.userId = given.userId;
    this.#context = given.context;
  }

  /**
   * Asks, calls the model, reports its tokens. Throws `StepDenied` without calling. A stream is handed on at once and
   * reported when it has been read; one that is broken off is reported FAILED.
   */
  async modelCall<Result>(given: ModelCall<Result>): Promise<Result> {
    const { model, call, usage, inputData, signal } = given;
    const step = await this.#open({ type: 'MODEL_CALL', model, inputData, signal });
    return performStep({ step, call, usage, signal });
  }

  /** Asks, calls the tool, reports its duration. Throws `StepDenied` without calling. */
  async toolCall<Result>(given: ToolCall<Result>): Promise<Result> {
    const { name, call, inputData, signal } = given;
    const step = await this.#open({ type: 'TOOL_CALL', toolName: name, inputData, signal });
    // Whatever a tool returns, its tokens are not those of this step.
    return performStep({ step, call, usage: () => null, signal });
  }

  /**
   * For what begins and ends in different places, such as callbacks: the caller completes or fails the step that this
   * returns. One that is still open when the run ends is reported FAILED.
   */
  async openStep(given: OpenStepOptions): Promise<OpenStep> {
    const step = await this.#open(given);
    this.#openSteps.add(step);
    return step;
  }

  /** Repeating it with the same status changes nothing; the service refuses another status. */
  async end(status: EndStatus = 'COMPLETED'): Promise<void> {
    await Promise.all([...this.#openSteps].map((step) => step.fail()));
    if (this.id === null) return;
    await this.#context.runs.end(this.id, { status });
    this.#ended = true;
  }

  /**
   * `await using`: ends the run, unless it was ended, as its latest step went: a block that was left because a step
   * failed or was denied makes a FAILED run. Call `end('FAILED')` where something else went wrong.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended) return;
    await this.end(this.#latestStep).catch(this.#context.onReportError);
  }

  async #open(given: OpenStepOptions): Promise<OpenStep> {
    // Taken before anything is awaited, so that parallel steps are numbered in the order of their calls.
    this.#lastSequence += 1;
    const body = toCreateStep(given, this.#lastSequence);
    const created = await this.#createStep(body, given.signal);
    const onClosed = (step: OpenStep, status: EndStatus) => {
      this.#openSteps.delete(step);
      this.#latestStep = status;
    };
    if (this.id === null || created === null) return new OpenStep(null, onClosed);
    const { runs, onReportError } = this.#context;
    return new OpenStep({ runs, runId: this.id, stepId: created.id, onReportError }, onClosed);
  }

  /** Null when the guard is unavailable and the user has decided to go on without it. */
  async #createStep(body: CreateStep, signal: AbortSignal | undefined): Promise<CreatedStep | null> {
    const { id } = this;
    if (id === null) return null;
    const { runs, availability } = this.#context;
    const created = await availability.orWithout(() => runs.createStep(id, body, { signal }));
    const reason = created === null ? null : denialOf(created.decision);
    if (created === null || reason === null) return created;
    this.#latestStep = 'FAILED';
    throw new StepDenied({ reason, runId: id, stepId: created.id });
  }
}

function toCreateStep(given: OpenStepOptions, sequence: number): CreateStep {
  return {
    type: given.type,
    sequence,
    model: given.model ?? null,
    tool_name: given.toolName ?? null,
    input_data: given.inputData ?? null,
  };
}
