/** What a client has not sent yet: bounded together, and sent before the process exits. */

import { beforeExit } from './before-exit.js';
import { orAfter } from './pause.js';

/** Reports wait for long only while the service is unavailable. */
const MAX_UNSENT = 10_000;
/** Beyond it, reports are kept without their payloads. */
const MAX_UNSENT_BYTES = 64 * 1_024 * 1_024;
/** How long a process that has nothing else to do waits for a service that is unavailable. */
const EXIT_PATIENCE_MS = 10_000;

export interface FlushOptions {
  /** Until when attempts are repeated, by `performance.now()`. */
  readonly untilMs: number;
  /** There is no later attempt: what cannot be sent until then is given up. */
  readonly isFinal: boolean;
}

/** Reports and ends of one run, or a start that is to be undone. */
export interface Sender {
  flush(options: FlushOptions): Promise<void>;
}

export class UnsentReports {
  readonly #countOf = new Map<Sender, number>();
  #total = 0;
  #totalBytes = 0;
  #stopListening: (() => void) | null = null;

  hasRoomFor(payloadBytes: number): boolean {
    return this.#totalBytes + payloadBytes <= MAX_UNSENT_BYTES;
  }

  /** False if the client keeps too many reports already. */
  add(sender: Sender, bytes: number): boolean {
    if (this.#total >= MAX_UNSENT) return false;
    if (this.#total === 0) {
      this.#stopListening = beforeExit(() => {
        void this.flush({ untilMs: performance.now() + EXIT_PATIENCE_MS, isFinal: true });
      });
    }
    this.#total += 1;
    this.#totalBytes += bytes;
    this.#countOf.set(sender, (this.#countOf.get(sender) ?? 0) + 1);
    return true;
  }

  remove(sender: Sender, bytes: number): void {
    const count = this.#countOf.get(sender) ?? 0;
    if (count > 1) this.#countOf.set(sender, count - 1);
    else this.#countOf.delete(sender);
    this.#total -= 1;
    this.#totalBytes -= bytes;
    if (this.#total > 0) return;
    this.#stopListening?.();
    this.#stopListening = null;
  }

  /** Whether everything is sent before the process exits. If not, timers keep it alive. */
  get isSentBeforeExit(): boolean {
    return this.#stopListening !== null;
  }

  /** A final flush lasts as long as its last attempt; any other ends in time. */
  async flush(options: FlushOptions): Promise<void> {
    const sent = Promise.all([...this.#countOf.keys()].map((sender) => sender.flush(options))).then(() => {});
    await (options.isFinal ? sent : orAfter(Math.max(0, options.untilMs - performance.now()), sent));
  }
}
