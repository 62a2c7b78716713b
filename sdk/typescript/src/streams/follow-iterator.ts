import type { StreamFollower } from './stream-follower.js';

export function followIterator<Chunk>(
  iterator: AsyncIterator<Chunk>,
  follower: StreamFollower,
): AsyncIterableIterator<Chunk> {
  const within = follower.within ?? ((call) => call());
  follower.reading?.(false);
  return {
    async next() {
      follower.reading?.(true);
      const result = await orInterrupted(
        within(() => iterator.next()),
        follower,
      );
      follower.reading?.(false);
      if (result.done === true) await follower.ended();
      else follower.chunk(result.value);
      return result;
    },
    async return(value?: unknown) {
      try {
        return (await within(() => iterator.return?.(value))) ?? { done: true, value };
      } finally {
        await follower.interrupted(null);
      }
    },
    async throw(error?: unknown) {
      if (iterator.throw === undefined) {
        await follower.interrupted(null);
        throw error;
      }
      return orInterrupted(
        within(() => iterator.throw?.(error) ?? Promise.reject(error)),
        follower,
      );
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function orInterrupted<Value>(value: Promise<Value>, follower: StreamFollower): Promise<Value> {
  try {
    return await value;
  } catch (error) {
    await follower.interrupted({ error });
    throw error;
  }
}
