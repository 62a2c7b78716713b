/** Calls the function of an allowed step, reads its usage and reports it. */

import type { OpenStep } from './open-step.js';
import { followPromisedUsage } from './streams/follow-promised-usage.js';
import { followStream } from './streams/follow-stream.js';
import { readUsage } from './usage/read-usage.js';
import { StreamUsage } from './usage/stream-usage.js';
import { fieldOf, type TokenUsage } from './usage/token-usage.js';

/** Called with the complete result; for a stream, at its end. */
export type UsageReader<Result> = (
  result: Result,
) => TokenUsage | null | undefined | PromiseLike<TokenUsage | null | undefined>;

export async function performStep<Result>(given: {
  step: OpenStep;
  call: () => Result | PromiseLike<Result>;
  usage?: UsageReader<Result> | undefined;
  /** Interrupts a stream in progress, because not every aborted reader cancels its stream. */
  signal?: AbortSignal | undefined;
}): Promise<Result> {
  const { step, call, usage, signal } = given;
  let result: Result;
  try {
    result = await call();
  } catch (error) {
    await step.fail();
    throw error;
  }
  const followed = follow({ step, result, usage, signal });
  if (followed !== null) return followed;
  const tokens = await usageOf({ step, result, usage, read: () => readUsage(result) });
  await (isFailedResult(result) ? step.fail(tokens) : step.complete(tokens));
  return result;
}

/** Null if the result is not a stream. */
function follow<Result>(given: {
  step: OpenStep;
  result: Result;
  usage: UsageReader<Result> | undefined;
  signal: AbortSignal | undefined;
}): Result | null {
  const { step, result, usage, signal } = given;
  if (followPromisedUsage(result, { step, usage: usage && (() => usage(result)) })) return result;
  const seen = new StreamUsage();
  // The provider charges for the tokens produced so far; some chunks contain their number.
  const interrupted = () => step.fail(seen.usage);
  const followed = followStream(result, {
    chunk: (value) => seen.add(value),
    ended: async () => {
      signal?.removeEventListener('abort', interrupted);
      const tokens = await usageOf({ step, result, usage, read: () => seen.usage });
      await (seen.failed ? step.fail(tokens) : step.complete(tokens));
    },
    interrupted: () => {
      signal?.removeEventListener('abort', interrupted);
      return interrupted();
    },
  });
  if (followed === null) return null;
  if (signal?.aborted === true) void interrupted();
  else signal?.addEventListener('abort', interrupted, { once: true });
  return followed;
}

/** An error of a usage reader must not make the call fail: the step is reported without tokens. */
async function usageOf<Result>(given: {
  step: OpenStep;
  result: Result;
  usage: UsageReader<Result> | undefined;
  read: () => TokenUsage | null;
}): Promise<TokenUsage | null> {
  try {
    return given.usage === undefined ? given.read() : ((await given.usage(given.result)) ?? null);
  } catch (error) {
    given.step.reportError(error);
    return null;
  }
}

/** OpenAI responses and MCP tools return failures instead of throwing them. */
function isFailedResult(result: unknown): boolean {
  const isFailedResponse = fieldOf(result, 'object') === 'response' && fieldOf(result, 'status') === 'failed';
  return isFailedResponse || fieldOf(result, 'isError') === true;
}
