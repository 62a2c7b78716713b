/** Executes the function of an allowed step, reads what it used and reports it. */

import type { OpenStep } from './open-step.js';
import { followPromisedUsage } from './streams/follow-promised-usage.js';
import { followStream } from './streams/follow-stream.js';
import { readUsage } from './usage/read-usage.js';
import { StreamUsage } from './usage/stream-usage.js';
import { fieldOf, type TokenUsage } from './usage/token-usage.js';

/** Called with the result when it is complete: of a stream, at its end. */
export type UsageReader<Result> = (
  result: Result,
) => TokenUsage | null | undefined | PromiseLike<TokenUsage | null | undefined>;

export async function performStep<Result>(given: {
  step: OpenStep;
  call: () => Result | PromiseLike<Result>;
  usage?: UsageReader<Result> | undefined;
  /** Ends a stream that is under way: not every reader that is aborted lets go of what it was reading. */
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
  await (saysFailed(result) ? step.fail(tokens) : step.complete(tokens));
  return result;
}

/** Null when the result is no stream, and all there. */
function follow<Result>(given: {
  step: OpenStep;
  result: Result;
  usage: UsageReader<Result> | undefined;
  signal: AbortSignal | undefined;
}): Result | null {
  const { step, result, usage, signal } = given;
  if (followPromisedUsage(result, { step, usage: usage && (() => usage(result)) })) return result;
  const seen = new StreamUsage();
  // The provider charges for what it has produced so far, where the chunks tell it.
  const brokenOff = () => step.fail(seen.usage);
  const followed = followStream(result, {
    chunk: (value) => seen.add(value),
    ended: async () => {
      signal?.removeEventListener('abort', brokenOff);
      const tokens = await usageOf({ step, result, usage, read: () => seen.usage });
      await (seen.failed ? step.fail(tokens) : step.complete(tokens));
    },
    brokenOff: () => {
      signal?.removeEventListener('abort', brokenOff);
      return brokenOff();
    },
  });
  if (followed === null) return null;
  if (signal?.aborted === true) void brokenOff();
  else signal?.addEventListener('abort', brokenOff, { once: true });
  return followed;
}

/** A reader that fails must not cost the caller the answer: the step is reported without tokens. */
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

/** Results that tell of a failure instead of being thrown: OpenAI responses, MCP tools. */
function saysFailed(result: unknown): boolean {
  const isFailedResponse = fieldOf(result, 'object') === 'response' && fieldOf(result, 'status') === 'failed';
  return isFailedResponse || fieldOf(result, 'isError') === true;
}
