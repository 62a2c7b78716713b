/**
 * How many commands of one workspace are in flight while others are active. The latency of all requests depends on the length
 * of an event loop iteration: when the thread is nearly always busy, the share of a workspace shrinks until there is slack.
 */

import { performance } from 'node:perf_hooks';

const MEASURED_MS = 50;
/** Event loop utilization: above the first the share shrinks, below the second it grows. */
const BUSY = 0.5;
const SLACK = 0.4;

export class LoadShare {
  readonly #max: number;
  readonly #measure: () => number;
  readonly #now: () => number;
  #share: number;
  #checkedAt = 0;
  #utilization = 0;

  /** `measure` returns the event loop utilization since its last call. */
  constructor(given: { max: number; measure?: () => number; now?: () => number }) {
    const { max, measure = measureUtilization(), now = () => performance.now() } = given;
    this.#max = max;
    this.#measure = measure;
    this.#now = now;
    this.#share = max;
  }

  /** From 1 to the maximum. */
  get current(): number {
    this.#check();
    return this.#share;
  }

  /** Whether more work now would slow down others. */
  get isBusy(): boolean {
    this.#check();
    return this.#utilization > BUSY;
  }

  #check(): void {
    const now = this.#now();
    if (now - this.#checkedAt < MEASURED_MS) return;
    this.#checkedAt = now;
    this.#utilization = this.#measure();
    if (this.#utilization > BUSY) this.#share = Math.max(1, Math.floor(this.#share / 2));
    else if (this.#utilization < SLACK) this.#share = Math.min(this.#max, this.#share + 1);
  }
}

/** Times the duration of the work. While the thread is busy, one owner gets a quarter of the throughput it would have alone. */
const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 1_000;

/** How long an owner pauses after a piece of work; 0 unless the thread is busy. */
export function pauseWhileBusy(): (workedMs: number) => number {
  const load = new LoadShare({ max: 1 });
  return (workedMs) => (load.isBusy ? Math.min(workedMs * PAUSE_FACTOR, MAX_PAUSE_MS) : 0);
}

function measureUtilization(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
