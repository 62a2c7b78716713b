/** Characters of why a user is blocked. */
export const MAX_NOTE_LENGTH = 500;
/** The days of the recent spend, including today. */
export const RECENT_DAYS = 30;

/** An end user of the agents, as named by the SDK: known once blocked or seen at a run start. */
export interface User {
  readonly userId: string;
  readonly blocked: boolean;
  /** Runs that were allowed to start. */
  readonly runCount: number;
  readonly spendTodayPicoUsd: bigint;
  /** Of the last RECENT_DAYS days. */
  readonly recentSpendPicoUsd: bigint;
  /** Tokens of today without a price: not part of the spend. */
  readonly unpricedTokensToday: bigint;
  /** Open holds, which count against the budget of today. */
  readonly heldPicoUsd: bigint;
  /** The newest run start, denied ones included. */
  readonly lastSeenAt: number | null;
  /** Why the user is blocked; null: not blocked, or not said. */
  readonly blockNote: string | null;
  /** When and by whom the block or its note was set last; null: not blocked, or not known. */
  readonly blockedAt: number | null;
  readonly blockedBy: string | null;
}

/** A user who was never blocked and never started a run: nothing is stored. */
export function unknownUser(userId: string): User {
  return {
    userId,
    blocked: false,
    runCount: 0,
    spendTodayPicoUsd: 0n,
    recentSpendPicoUsd: 0n,
    unpricedTokensToday: 0n,
    heldPicoUsd: 0n,
    lastSeenAt: null,
    blockNote: null,
    blockedAt: null,
    blockedBy: null,
  };
}
