/** A run can return a stream before its calls are done: a response, a stream, or a stream helper of a provider's client. */

import { followReadableStream } from './follow-readable-stream.js';
import { followStream } from './follow-stream.js';
import { followStreamHelper } from './follow-stream-helper.js';

/**
 * Calls back once, when the stream has been read, has failed or was left by its reader. Returns what the caller gets instead
 * of the result, or null if the result is not a stream.
 */
export function followResult<Result>(
  result: Result,
  onEnd: (failure: { readonly error: unknown } | null) => void,
): Result | null {
  const follower = {
    chunk: () => {},
    // The reader does not wait for what follows.
    ended: async () => onEnd(null),
    interrupted: async (failure: { readonly error: unknown } | null) => onEnd(failure),
  };
  if (typeof Response !== 'undefined' && result instanceof Response) {
    if (result.body === null) return null;
    return new Response(followReadableStream(result.body, follower), result) as Result;
  }
  if (isNodeStream(result)) {
    // It may be piped instead of being iterated over.
    result.once('close', () => onEnd(result.errored == null ? null : { error: result.errored }));
    return result;
  }
  if (followStreamHelper(result, follower)) return result;
  return followStream(result, follower);
}

interface NodeStream {
  readonly errored?: unknown;
  once(event: 'close', listener: () => void): unknown;
}

function isNodeStream(value: unknown): value is NodeStream {
  if (typeof value !== 'object' || value === null || !('pipe' in value) || !('once' in value)) return false;
  return typeof value.pipe === 'function' && typeof value.once === 'function';
}
