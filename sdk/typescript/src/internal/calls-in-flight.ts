/** The model and tool calls of a run, from their permission request to their report. A stream is in flight until it has been read. */

import type { OpenStep } from '../open-step.js';
import { LEFT, UNREAD_MS } from '../streams/stream-follower.js';
import { unrefTimer } from './unref-timer.js';
import type { FlushOptions, Sender, UnsentReports } from './unsent-reports.js';

const CHECK_EVERY_MS = 1_000;

export class CallsInFlight implements Sender {
  readonly #unsent: UnsentReports;
  readonly #steps = new Set<OpenStep>();
  #asking = 0;
  #openedCount = 0;
  #onFlush = () => {};
  readonly #onIdle: (() => void)[] = [];

  constructor(unsent: UnsentReports) {
    this.#unsent = unsent;
  }

  get isIdle(): boolean {
    return this.#asking === 0 && this.#steps.size === 0;
  }

  /** Requests the permission of a call. */
  async open(ask: () => Promise<OpenStep>): Promise<OpenStep> {
    this.#asking += 1;
    this.#openedCount += 1;
    try {
      const step = await ask();
      this.#steps.add(step);
      return step;
    } finally {
      this.#asking -= 1;
      this.#notify();
    }
  }

  closed(step: OpenStep): void {
    if (this.#steps.delete(step)) this.#notify();
  }

  /**
   * Returns when no call was in flight for so long: an agent may do something else between its calls. A stream that nobody
   * reads any more is reported as FAILED.
   */
  async idle(lastingMs: number): Promise<void> {
    if (this.isIdle && lastingMs === 0) return;
    const isCounted = this.#unsent.add(this, 0);
    const timer = setInterval(() => this.#closeUnread(UNREAD_MS), CHECK_EVERY_MS);
    if (this.#unsent.isSentBeforeExit) unrefTimer(timer);
    do {
      if (!this.isIdle) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
    } while (!(await this.#staysIdle(lastingMs)));
    clearInterval(timer);
    if (isCounted) this.#unsent.remove(this, 0);
  }

  /** False as soon as there is another call. */
  async #staysIdle(lastingMs: number): Promise<boolean> {
    if (lastingMs === 0) return this.isIdle;
    const count = this.#openedCount;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lastingMs);
      if (this.#unsent.isSentBeforeExit) unrefTimer(timer);
      this.#onFlush = resolve;
    });
    return this.isIdle && count === this.#openedCount;
  }

  /** A process that has nothing left to do reads no stream. */
  async flush({ isFinal }: FlushOptions): Promise<void> {
    if (!isFinal) return;
    this.#closeUnread(0);
    this.#onFlush();
  }

  #closeUnread(unreadMs: number): void {
    const nowMs = performance.now();
    for (const step of this.#steps) {
      if (step.unreadSinceMs === null || nowMs - step.unreadSinceMs < unreadMs) continue;
      step.close({
        status: 'FAILED',
        result: null,
        error: LEFT,
        isLeft: true,
      });
    }
  }

  #notify(): void {
    if (this.isIdle) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
