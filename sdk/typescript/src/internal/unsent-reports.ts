/** The report queues of a client that are not empty: bounded together, and sent before the process exits. */

import { beforeExit } from './before-exit.js';

/** Reports wait for long only while the service is unavailable. */
const MAX_UNSENT_REPORTS = 10_000;

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
  #stopListening: (() => void) | null = null;

  /** False if the client keeps too many reports already. */
  add(queue: Queue): boolean {
    if (this.#total >= MAX_UNSENT_REPORTS) return false;
    if (this.#total === 0) this.#stopListening = beforeExit(() => void this.flush({ isFinal: true }));
    this.#total += 1;
    this.#countOf.set(queue, (this.#countOf.get(queue) ?? 0) + 1);
    return true;
  }

  remove(queue: Queue): void {
    const count = this.#countOf.get(queue) ?? 0;
    if (count > 1) this.#countOf.set(queue, count - 1);
    else this.#countOf.delete(queue);
    this.#total -= 1;
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
