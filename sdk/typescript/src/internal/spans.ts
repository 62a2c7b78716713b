/**
 * Spans of OpenTelemetry for runs and steps, with the names of its conventions for generative AI. Nothing happens unless the
 * application has loaded the API package and registered a tracer.
 */

import type { CreatedStep, StepReport } from '../api-types.js';
import { denialIn } from '../errors.js';
import { VERSION } from './version.js';

type Attributes = Readonly<Record<string, string | number | undefined>>;

interface ApiSpan {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(error: unknown): void;
  end(): void;
}

interface Tracer {
  startSpan(name: string, options: object): ApiSpan;
  startActiveSpan<Result>(name: string, options: object, call: (span: ApiSpan) => Result): Result;
}

interface Runtime {
  /** Where the API package registers itself, so that libraries need not import it. The same for all its 1.x versions. */
  [API]?: { readonly trace?: { getTracer(name: string, version: string): Tracer } };
}

const API = Symbol.for('opentelemetry.js.api.1');
const ERROR = 2;

export interface SpanDescription {
  readonly name: string;
  readonly attributes: Attributes;
}

export function describeRun(userId: string): SpanDescription {
  return {
    name: 'invoke_agent',
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'guarded_runs.user_id': userId },
  };
}

export function describeStep(given: {
  type: string;
  model?: string | null | undefined;
  toolName?: string | null | undefined;
  runId: string | null;
}): SpanDescription {
  const { type, model, toolName, runId } = given;
  const operations: Readonly<Record<string, string>> = { MODEL_CALL: 'chat', TOOL_CALL: 'execute_tool' };
  const operation = operations[type] ?? type.toLowerCase();
  return {
    name: [operation, model ?? toolName].filter((part) => part != null).join(' '),
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': model ?? undefined,
      'gen_ai.tool.name': toolName ?? undefined,
      'guarded_runs.run_id': runId ?? undefined,
    },
  };
}

/** What the function calls is part of the span. The span ends when it is told so. */
export function inSpan<Result>({ name, attributes }: SpanDescription, call: (span: Span) => Result): Result {
  const tracer = findTracer();
  if (tracer === null) return call(new Span(null));
  return tracer.startActiveSpan(name, { attributes }, (span) => call(new Span(span)));
}

/** For work that ends elsewhere: nothing is part of the span. */
export function startSpan({ name, attributes }: SpanDescription): Span {
  return new Span(findTracer()?.startSpan(name, { attributes }) ?? null);
}

function findTracer(): Tracer | null {
  return (globalThis as Runtime)[API]?.trace?.getTracer('@guarded-runs/sdk', VERSION) ?? null;
}

export class Span {
  readonly #span: ApiSpan | null;

  constructor(span: ApiSpan | null) {
    this.#span = span;
  }

  /** The step may be called. */
  allowed({ id }: CreatedStep): void {
    this.#span?.setAttributes({ 'guarded_runs.step_id': id, 'guarded_runs.decision': 'ALLOW' });
  }

  reported({ status, promptTokens, completionTokens, error }: StepReport): void {
    this.#span?.setAttributes({
      'gen_ai.usage.input_tokens': promptTokens ?? undefined,
      'gen_ai.usage.output_tokens': completionTokens ?? undefined,
    });
    this.ended(status, error ?? undefined);
  }

  ended(status: string, message?: string): void {
    if (status === 'FAILED')
      this.#span?.setStatus({ code: ERROR, ...(message === undefined ? {} : { message }) });
    this.#span?.end();
  }

  failed(error: unknown): void {
    const denial = denialIn(error);
    if (denial !== null) {
      this.#span?.setAttributes({
        'guarded_runs.run_id': denial.runId,
        'guarded_runs.decision': 'DENY',
        'guarded_runs.reason': denial.reason,
      });
    }
    this.#span?.recordException(error);
    this.ended('FAILED', error instanceof Error ? error.message : String(error));
  }

  setAttributes(attributes: Attributes): void {
    this.#span?.setAttributes(attributes);
  }
}
