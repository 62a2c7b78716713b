/**
 * A start without a response may have started a run that nobody uses, and that keeps its slot until its lease ends. The same
 * request with the same key, sent again, tells its id; then it is ended. This happens in the background, for a minute at most.
 */

import type { StartedRun } from '../api-types.js';
import { isUnavailableError } from '../errors.js';
import { Backoff } from './backoff.js';
import { pause } from './pause.js';
import { unrefTimer } from './unref-timer.js';
import type { FlushOptions, Sender, UnsentReports } from './unsent-reports.js';

export class AbandonedStart implements Sender {
  readonly #unsent: UnsentReports;
  readonly #undo: () => Promise<void>;
  readonly #backoff = new Backoff();
  #isDone = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(given: {
    unsent: UnsentReports;
    /** The same request again. */
    start: () => Promise<StartedRun>;
    end: (runId: string) => Promise<unknown>;
  }) {
    this.#unsent = given.unsent;
    this.#undo = async () => {
      const { id, status } = await given.start();
      if (status === 'RUNNING') await given.end(id);
    };
    // With too many of them, the lease ends the run.
    if (this.#unsent.add(this, 0)) this.#schedule();
  }

  async flush({ untilMs, isFinal }: FlushOptions): Promise<void> {
    while (!this.#isDone) {
      if (await this.#attempt()) return;
      const nowMs = performance.now();
      const { delayMs } = this.#backoff;
      if (this.#backoff.isExhausted(nowMs)) return this.#done();
      if (nowMs + delayMs > untilMs) {
        if (isFinal) this.#done();
        else this.#schedule();
        return;
      }
      await pause(delayMs);
    }
  }

  /** False if the service is unavailable. */
  async #attempt(): Promise<boolean> {
    clearTimeout(this.#timer);
    try {
      await this.#undo();
    } catch (error) {
      if (isUnavailableError(error)) {
        this.#backoff.failed(performance.now());
        return false;
      }
    }
    this.#done();
    return true;
  }

  #schedule(): void {
    this.#timer = setTimeout(() => void this.flush({ untilMs: 0, isFinal: false }), this.#backoff.delayMs);
    if (this.#unsent.isSentBeforeExit) unrefTimer(this.#timer);
  }

  #done(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#unsent.remove(this, 0);
  }
}
