/** Calls the function of an allowed step, reads what it used and returned, and reports it. */

import type { EndStatus } from './api-types.js';
import type { Payload } from './internal/payloads.js';
import type { OpenStep, StepResult } from './open-step.js';
import { followStream } from './streams/follow-stream.js';
import { followStreamHelper } from './streams/follow-stream-helper.js';
import { LEFT } from './streams/stream-follower.js';
import { readUsage } from './usage/read-usage.js';
import { fieldOf, type TokenUsage } from './usage/token-usage.js';

/** Called with the complete result; for a stream, at its end. */
export type UsageReader<Result> = (
  result: Result,
) => TokenUsage | null | undefined | PromiseLike<TokenUsage | null | undefined>;

/** Called with the complete result; for a stream, at its end. */
export type OutputReader<Result> = (
  result: Result,
) => Payload | null | undefined | PromiseLike<Payload | null | undefined>;

export interface StepReaders<Result> {
  readonly usage?: UsageReader<Result> | undefined;
  readonly outputData?: OutputReader<Result> | undefined;
  /** What is recorded of the result without `outputData`. Default: the result itself. */
  readonly output?: ((result: Result) => unknown) | undefined;
  /** What is charged for a stream that was broken off, besides its tokens. */
  readonly costUsd?: number | undefined;
}

export async function performStep<Result>(given: {
  step: OpenStep;
  call: (step: OpenStep) => Result | PromiseLike<Result>;
  readers?: StepReaders<Result> | undefined;
  /** Interrupts a stream in progress, because not every aborted reader cancels its stream. */
  signal?: AbortSignal | undefined;
}): Promise<Result> {
  const { step, call, readers = {}, signal } = given;
  let result: Result;
  try {
    result = await call(step);
  } catch (error) {
    await step.fail(null, error);
    throw error;
  }
  const followed = await attempt(step, async () => ({ result: follow({ step, result, readers, signal }) }));
  if (followed !== null && followed.result !== null) return followed.result;
  const failure = failureOf(result);
  await close({
    step,
    result,
    readers,
    read: () => readUsage(result) ?? step.stream.usage,
    status: failure === null ? 'COMPLETED' : 'FAILED',
    output: () => (readers.output === undefined ? result : readers.output(result)),
    error: failure?.error,
  });
  return result;
}

/** Null if the result is not a stream. */
function follow<Result>(given: {
  step: OpenStep;
  result: Result;
  readers: StepReaders<Result>;
  signal: AbortSignal | undefined;
}): Result | null {
  const { step, result, readers, signal } = given;
  const aborted = () => interrupted({ error: signal?.reason });
  const follower = {
    chunk: (value: unknown) => step.received(value),
    reading: (isReading: boolean) => step.reading(isReading),
    ended: async (final?: TokenUsage | null) => {
      signal?.removeEventListener('abort', aborted);
      const { failed, error, usage } = step.stream;
      // A stream that failed may end without its usage.
      if (failed && final == null && readers.usage === undefined) return interrupted({ error });
      const status = failed ? 'FAILED' : 'COMPLETED';
      return close({ step, result, readers, read: () => final ?? usage, status, error });
    },
    interrupted: (failure: { error: unknown } | null) => {
      signal?.removeEventListener('abort', aborted);
      return interrupted(failure);
    },
  };
  if (followStreamHelper(result, follower)) return result;
  const followed = followStream(result, follower);
  if (followed === null) return null;
  if (signal?.aborted === true) void aborted();
  else signal?.addEventListener('abort', aborted, { once: true });
  return followed;

  /** The provider charges for the tokens produced so far. */
  async function interrupted(failure: { error: unknown } | null): Promise<void> {
    const { costUsd } = readers;
    step.close({
      status: 'FAILED',
      result: costUsd === undefined ? null : { costUsd },
      error: failure === null ? LEFT : failure.error,
      isLeft: failure === null || isAbort(failure.error) || signal?.aborted === true,
    });
  }
}

async function close<Result>(given: {
  step: OpenStep;
  result: Result;
  readers: StepReaders<Result>;
  /** The usage, unless the caller reads it. */
  read: () => TokenUsage | null;
  status: EndStatus;
  output?: (() => unknown) | undefined;
  error?: unknown;
}): Promise<void> {
  const { step, result, readers, read, status, output, error } = given;
  const usage = await attempt(step, async () =>
    readers.usage === undefined ? read() : readers.usage(result),
  );
  const outputData = await attempt(step, async () => readers.outputData?.(result));
  const known: StepResult = { ...usage, ...(outputData === undefined ? {} : { outputData }) };
  step.close({ status, result: known, output, error });
}

/** An error of a reader must not make the call fail: the step is reported without what it reads. */
async function attempt<Value>(step: OpenStep, read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    step.reportError(error);
    return null;
  }
}

/** OpenAI responses and MCP tools return failures instead of throwing them. */
function failureOf(result: unknown): { error: unknown } | null {
  if (fieldOf(result, 'object') === 'response' && fieldOf(result, 'status') === 'failed') {
    return { error: fieldOf(result, 'error') };
  }
  if (fieldOf(result, 'isError') !== true) return null;
  const content = fieldOf(result, 'content');
  const texts: unknown[] = Array.isArray(content) ? content.map((part) => fieldOf(part, 'text')) : [];
  return { error: texts.filter((text) => typeof text === 'string').join('\n') };
}

/** The clients throw errors of their own for an aborted call. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && /Abort/.test(`${error.name} ${error.constructor.name}`);
}
