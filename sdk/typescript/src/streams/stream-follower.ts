/** Who learns of every chunk of a stream, and of how it ended, before its reader does. */
export interface StreamFollower {
  chunk(value: unknown): void;
  /** Read to its end. */
  ended(): Promise<void>;
  /** It threw, or its reader left before the end. */
  brokenOff(): Promise<void>;
}
