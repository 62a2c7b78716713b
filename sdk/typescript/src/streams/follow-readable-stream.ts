import type { StreamFollower } from './stream-follower.js';

export function followReadableStream<Chunk>(
  stream: ReadableStream<Chunk>,
  follower: StreamFollower,
): ReadableStream<Chunk> {
  const reader = stream.getReader();
  const within = follower.within ?? ((call) => call());
  follower.reading?.(false);
  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        try {
          follower.reading?.(true);
          const { done, value } = await within(() => reader.read());
          follower.reading?.(false);
          if (!done) {
            follower.chunk(value);
            controller.enqueue(value);
            return;
          }
        } catch (error) {
          await follower.interrupted({ error });
          throw error;
        }
        await follower.ended();
        controller.close();
      },
      async cancel(reason) {
        try {
          await within(() => reader.cancel(reason));
        } finally {
          await follower.interrupted(null);
        }
      },
    },
    // Reads nothing before the caller does.
    { highWaterMark: 0 },
  );
}
