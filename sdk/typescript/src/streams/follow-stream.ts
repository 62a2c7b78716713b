/**
 * Watches a stream that a caller reads, without taking anything from it: the caller gets every chunk, and the
 * follower learns of each, and of how it ended, before the caller does.
 */

import { fieldOf } from '../usage/token-usage.js';
import { followIterator } from './follow-iterator.js';
import { followReadableStream } from './follow-readable-stream.js';
import type { StreamFollower } from './stream-follower.js';

/** The stream to hand to the caller in place of the given one; null when it is none. */
export function followStream<Result>(result: Result, follower: StreamFollower): Result | null {
  if (typeof result !== 'object' || result === null) return null;
  if (result instanceof ReadableStream) return as<Result>(followReadableStream(result, follower));
  if (!(Symbol.asyncIterator in result)) return null;
  if ('next' in result) return as<Result>(followIterator(as<AsyncIterator<unknown>>(result), follower));
  followInPlace(as<AsyncIterable<unknown> & { iterator?: unknown }>(result), follower);
  return result;
}

/**
 * The streams of the OpenAI and Anthropic clients have more to them than their iterator, private fields included: they
 * stay the objects they are, and only the function is replaced from which all their methods get their chunks.
 */
function followInPlace(
  stream: AsyncIterable<unknown> & { iterator?: unknown },
  follower: StreamFollower,
): void {
  replaceIterator(stream, (iterator) =>
    followIterator(iterator, {
      chunk: (value) => follower.chunk(value),
      // These clients end an aborted stream quietly, as if it had been read to its end.
      ended: () => (isAborted(stream) ? follower.brokenOff() : follower.ended()),
      brokenOff: () => follower.brokenOff(),
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

/** The one place where a stream found at run time gets the type that the caller gave it. */
function as<Type>(value: unknown): Type {
  return value as Type;
}
