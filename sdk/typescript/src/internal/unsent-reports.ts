/** The report queues of a client that are not empty: bounded together, and sent before the process exits. */

import { beforeExit } from './before-exit.js';

/** Reports wait for long only while the service is unavailable. */
const MAX_UNSENT_REPORTS = 10_000;
/** Beyond it, reports are kept without their payloads. */
const MAX_UNSENT_BYTES = 64 * 1_024 * 1_024;

export interface FlushOptions {
  /** There is no later attempt: reports that cannot be sent are given up. */
  readonly isFinal: boolean;
}

interface Queue {
  flush(options: FlushOptions): Promise<void>;
}

export class UnsentReports {
  readonly #countOf = new Map<Queue, number>();
  #total = 0;
  #totalBytes = 0;
  #stopListening: (() => void) | null = null;

  hasRoomFor(payloadBytes: number): boolean {
    return this.#totalBytes + payloadBytes <= MAX_UNSENT_BYTES;
  }

  /** False if the client keeps too many reports already. */
  add(queue: Queue, bytes: number): boolean {
    if (this.#total >= MAX_UNSENT_REPORTS) return false;
    if (this.#total === 0) this.#stopListening = beforeExit(() => void this.flush({ isFinal: true }));
    this.#total += 1;
    this.#totalBytes += bytes;
    this.#countOf.set(queue, (this.#countOf.get(queue) ?? 0) + 1);
    return true;
  }

  remove(queue: Queue, bytes: number): void {
    const count = this.#countOf.get(queue) ?? 0;
    if (count > 1) this.#countOf.set(queue, count - 1);
    else this.#countOf.delete(queue);
    this.#total -= 1;
    this.#totalBytes -= bytes;
    if (this.#total > 0) return;
    this.#stopListening?.();
    this.#stopListening = null;
  }

  /** Whether the reports are sent before the process exits. If not, their timers keep it alive. */
  get isSentBeforeExit(): boolean {
    return this.#stopListening !== null;
  }

  async flush(options: FlushOptions): Promise<void> {
    await Promise.all([...this.#countOf.keys()].map((queue) => queue.flush(options)));
  }
}
