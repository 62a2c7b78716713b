/**
 * Observes a stream while the caller reads it. The caller receives every chunk; the follower is notified of each chunk
 * and of the end before the caller.
 */

import { fieldOf } from '../usage/token-usage.js';
import { followIterator } from './follow-iterator.js';
import { followReadableStream } from './follow-readable-stream.js';
import type { StreamFollower } from './stream-follower.js';

/** Returns the stream for the caller, or null if the result is not a stream. */
export function followStream<Result>(result: Result, follower: StreamFollower): Result | null {
  if (typeof result !== 'object' || result === null) return null;
  if (result instanceof ReadableStream) return as<Result>(followReadableStream(result, follower));
  if (!(Symbol.asyncIterator in result)) return null;
  if ('next' in result) return as<Result>(followIterator(as<AsyncIterator<unknown>>(result), follower));
  followInPlace(as<AsyncIterable<unknown> & { iterator?: unknown }>(result), follower);
  return result;
}

/**
 * The streams of the OpenAI and Anthropic clients have methods and private fields besides their iterator. The object
 * stays the same; only the function that provides the chunks to all of its methods is replaced.
 */
function followInPlace(
  stream: AsyncIterable<unknown> & { iterator?: unknown },
  follower: StreamFollower,
): void {
  follower.reading?.(false);
  replaceIterator(stream, (iterator) =>
    followIterator(iterator, {
      chunk: (value) => follower.chunk(value),
      reading: (isReading) => follower.reading?.(isReading),
      // These clients end an aborted stream without an error, as if it had been read to its end.
      ended: () => (isAborted(stream) ? follower.interrupted(null) : follower.ended()),
      interrupted: (failure) => follower.interrupted(failure),
    }),
  );
}

export function replaceIterator<Chunk>(
  stream: AsyncIterable<Chunk> & { iterator?: unknown },
  wrap: (iterator: AsyncIterator<Chunk>) => AsyncIterator<Chunk>,
): void {
  const { iterator } = stream;
  if (typeof iterator === 'function') {
    stream.iterator = () => wrap(iterator.call(stream));
    return;
  }
  const iterate = stream[Symbol.asyncIterator].bind(stream);
  Object.defineProperty(stream, Symbol.asyncIterator, { value: () => wrap(iterate()), configurable: true });
}

function isAborted(stream: object): boolean {
  return fieldOf(fieldOf(fieldOf(stream, 'controller'), 'signal'), 'aborted') === true;
}

/** Casts a stream detected at run time to the type of the caller. */
function as<Type>(value: unknown): Type {
  return value as Type;
}
