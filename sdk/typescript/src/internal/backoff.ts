/** When to try again while the service is unavailable, and when to give up. Pure, except for the injected random function. */

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** An outage of a restart, a deployment or a failover is over by then. */
export const PATIENCE_MS = 60_000;

export class Backoff {
  readonly #random: () => number;
  #failures = 0;
  #failingSinceMs: number | null = null;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  failed(nowMs: number): void {
    this.#failures += 1;
    this.#failingSinceMs ??= nowMs;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#failingSinceMs = null;
  }

  /** Someone waits from now on: the time before does not count. */
  renewPatience(nowMs: number): void {
    if (this.#failingSinceMs !== null) this.#failingSinceMs = nowMs;
  }

  /** Before the next attempt; 0 after a success. */
  get delayMs(): number {
    if (this.#failures === 0) return 0;
    const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 1));
    return delayMs * (0.5 + this.#random() / 2);
  }

  /** Whether the next attempt would be too late. */
  isExhausted(nowMs: number): boolean {
    return this.#failingSinceMs !== null && nowMs - this.#failingSinceMs >= PATIENCE_MS;
  }
}
