/** The model and tool calls of a run, from their permission request to their report. A stream is in flight until it has been read. */

import type { OpenStep } from '../open-step.js';
import { unrefTimer } from './unref-timer.js';
import type { FlushOptions, Sender, UnsentReports } from './unsent-reports.js';

/** A stream that nobody reads for so long, after the agent has returned, was left by its reader. */
const UNREAD_MS = 5_000;
const CHECK_EVERY_MS = 1_000;

export class CallsInFlight implements Sender {
  readonly #unsent: UnsentReports;
  readonly #steps = new Set<OpenStep>();
  #asking = 0;
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

  /** Returns when no call is in flight. A stream that nobody reads any more is reported as FAILED. */
  async idle(): Promise<void> {
    if (this.isIdle) return;
    const isCounted = this.#unsent.add(this, 0);
    const timer = setInterval(() => this.#closeUnread(UNREAD_MS), CHECK_EVERY_MS);
    if (this.#unsent.isSentBeforeExit) unrefTimer(timer);
    await new Promise<void>((resolve) => this.#onIdle.push(resolve));
    clearInterval(timer);
    if (isCounted) this.#unsent.remove(this, 0);
  }

  /** A process that has nothing left to do reads no stream. */
  async flush({ isFinal }: FlushOptions): Promise<void> {
    if (isFinal) this.#closeUnread(0);
  }

  #closeUnread(unreadMs: number): void {
    const nowMs = performance.now();
    for (const step of this.#steps) {
      if (step.unreadSinceMs === null || nowMs - step.unreadSinceMs < unreadMs) continue;
      step.close({
        status: 'FAILED',
        result: null,
        error: 'The stream was not read to its end',
        isLeft: true,
      });
    }
  }

  #notify(): void {
    if (this.isIdle) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
