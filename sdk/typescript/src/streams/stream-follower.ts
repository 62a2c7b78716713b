/** A stream that nobody reads for so long, after its agent has returned, was left by its reader. */
export const UNREAD_MS = 30_000;

/** The error of a step whose reader has left its stream. */
export const LEFT = 'The stream was not read to its end';

/** Notified of every chunk of a stream and of its end, before the reader. */
export interface StreamFollower {
  chunk(value: unknown): void;
  /** Makes the calls that read the stream. Default: makes them directly. */
  within?<Result>(call: () => Result): Result;
  /** Whether the reader waits for the next chunk. */
  reading?(isReading: boolean): void;
  /** The stream was read to its end. */
  ended(): Promise<void>;
  /** The stream threw, or its reader stopped before the end: null. */
  interrupted(failure: { readonly error: unknown } | null): Promise<void>;
}
