/** A run can return a stream before its calls are done: a response, a stream, or a stream helper of a provider's client. */

import { unrefTimer } from '../internal/unref-timer.js';
import { fieldOf } from '../usage/token-usage.js';
import { followReadableStream } from './follow-readable-stream.js';
import { followStream } from './follow-stream.js';
import { followStreamHelper } from './follow-stream-helper.js';
import { type StreamFollower, UNREAD_MS } from './stream-follower.js';

export type StreamFailure = { readonly error: unknown } | null;

/**
 * Calls back once, when the stream has been read, has failed or was left by its reader. Returns what the caller gets instead
 * of the result, or null if the result is not a stream.
 */
export function followResult<Result>(
  result: Result,
  given: {
    onEnd: (failure: StreamFailure) => void;
    /** Makes the calls that read the stream, so that they belong to the run. */
    within: <Value>(call: () => Value) => Value;
  },
): Result | null {
  const follower = new ResultFollower(given.onEnd, given.within);
  try {
    return follow(result, follower);
  } catch {
    // For example a stream that someone reads already.
    follower.dispose();
    return null;
  }
}

function follow<Result>(result: Result, follower: ResultFollower): Result | null {
  if (typeof result !== 'object' || result === null) return null;
  if (typeof Response !== 'undefined' && result instanceof Response) {
    if (result.body === null || result.bodyUsed || result.body.locked) return null;
    return new Response(followReadableStream(result.body, follower), result) as Result;
  }
  if (isNodeStream(result)) {
    if (result.destroyed === true) return null;
    // It may be piped instead of being iterated over.
    result.once('close', () => follower.finish(result.errored == null ? null : { error: result.errored }));
    return result;
  }
  if (followStreamHelper(result, follower)) return result;
  const completed = fieldOf(result, 'completed');
  if (completed instanceof Promise) {
    // A streamed run of the OpenAI Agents SDK can be read in several ways.
    completed.then(
      () => follower.finish(null),
      (error: unknown) => follower.finish({ error }),
    );
    return result;
  }
  // Other objects with an iterator are lists with pages.
  const isStream = result instanceof ReadableStream || 'next' in result || 'controller' in result;
  return isStream ? followStream(result, follower) : null;
}

class ResultFollower implements StreamFollower {
  readonly within: <Value>(call: () => Value) => Value;
  readonly #onEnd: (failure: StreamFailure) => void;
  #isFinished = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onEnd: (failure: StreamFailure) => void, within: <Value>(call: () => Value) => Value) {
    this.#onEnd = onEnd;
    this.within = within;
  }

  chunk(): void {}

  reading(isReading: boolean): void {
    clearTimeout(this.#timer);
    if (isReading || this.#isFinished) return;
    this.#timer = setTimeout(() => this.finish(null), UNREAD_MS);
    unrefTimer(this.#timer);
  }

  // The reader does not wait for what follows.
  async ended(): Promise<void> {
    this.finish(null);
  }

  async interrupted(failure: StreamFailure): Promise<void> {
    this.finish(failure);
  }

  finish(failure: StreamFailure): void {
    if (this.#isFinished) return;
    this.dispose();
    this.#onEnd(failure);
  }

  dispose(): void {
    this.#isFinished = true;
    clearTimeout(this.#timer);
  }
}

interface NodeStream {
  readonly destroyed?: unknown;
  readonly errored?: unknown;
  once(event: 'close', listener: () => void): unknown;
}

function isNodeStream(value: object): value is NodeStream {
  if (!('pipe' in value) || !('once' in value)) return false;
  return typeof value.pipe === 'function' && typeof value.once === 'function';
}
