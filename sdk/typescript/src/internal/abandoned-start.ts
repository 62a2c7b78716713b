/**
 * A start without a response may have started a run that nobody uses, and that keeps its slot until its lease ends. The same
 * request with the same key, sent again, tells its id; then it is ended. This happens in the background, for a minute at most.
 */

import type { StartedRun } from '../api-types.js';
import { isUnavailableError } from '../errors.js';
import { Backoff } from './backoff.js';
import { repeatAttempts } from './repeat-attempts.js';
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

  async flush(options: FlushOptions): Promise<void> {
    const failed = await repeatAttempts(options, {
      attempt: () => this.#attempt(),
      backoff: this.#backoff,
      isLimited: () => true,
    });
    if (failed?.isLast === true) this.#done();
    else if (failed !== null) this.#schedule();
  }

  /** Returns the error of an unavailable service, or null when there is nothing left to do. */
  async #attempt(): Promise<unknown> {
    if (this.#isDone) return null;
    clearTimeout(this.#timer);
    try {
      await this.#undo();
    } catch (error) {
      if (isUnavailableError(error)) {
        this.#backoff.failed(performance.now());
        return error;
      }
    }
    this.#done();
    return null;
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
