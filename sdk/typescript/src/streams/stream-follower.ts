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
