import type { StreamFollower } from './stream-follower.js';

export function followIterator<Chunk>(
  iterator: AsyncIterator<Chunk>,
  follower: StreamFollower,
): AsyncIterableIterator<Chunk> {
  follower.reading?.(false);
  return {
    async next() {
      follower.reading?.(true);
      const result = await orInterrupted(iterator.next(), follower);
      follower.reading?.(false);
      if (result.done === true) await follower.ended();
      else follower.chunk(result.value);
      return result;
    },
    async return(value?: unknown) {
      try {
        return (await iterator.return?.(value)) ?? { done: true, value };
      } finally {
        await follower.interrupted(null);
      }
    },
    async throw(error?: unknown) {
      if (iterator.throw === undefined) {
        await follower.interrupted(null);
        throw error;
      }
      return orInterrupted(iterator.throw(error), follower);
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
