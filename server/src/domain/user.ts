/** An end user of the agents, as named by the SDK: known once blocked or seen at a run start. */
export interface User {
  readonly userId: string;
  readonly blocked: boolean;
  /** Runs that were allowed to start. */
  readonly runCount: number;
  readonly spendTodayPicoUsd: bigint;
  /** Tokens of today without a price: not part of the spend. */
  readonly unpricedTokensToday: bigint;
  /** Open holds, which count against the budget of today. */
  readonly heldPicoUsd: bigint;
  /** The newest run start, denied ones included. */
  readonly lastSeenAt: number | null;
}

/** A user who was never blocked and never started a run: nothing is stored. */
export function unknownUser(userId: string): User {
  return {
    userId,
    blocked: false,
    runCount: 0,
    spendTodayPicoUsd: 0n,
    unpricedTokensToday: 0n,
    heldPicoUsd: 0n,
    lastSeenAt: null,
  };
}
