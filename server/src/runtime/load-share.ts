/**
 * How much of what the main thread can do is left to a workspace that asks for much, while others are active. Latency of all
 * requests depends on how long a turn of the event loop is: when the thread is nearly always busy, the share of the busiest
 * shrinks until there is some slack again.
 */

import { performance } from 'node:perf_hooks';

const MEASURED_MS = 50;
/** Of the time. Above the first the share shrinks, below the second it grows. */
const BUSY = 0.5;
const SLACK = 0.4;

export class LoadShare {
  readonly #max: number;
  readonly #measure: () => number;
  readonly #now: () => number;
  #share: number;
  #checkedAt = 0;
  #utilization = 0;

  /** `measure` tells the share of the time since its last call in which this thread was busy. */
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

  /** Others are slowed down by whatever is done now. */
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

/** Of the time that a piece of work took. While all is busy, one owner has a quarter of what it could have alone. */
const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 1_000;

/** How long an owner pauses after a piece of work: not at all as long as the thread has time for all. */
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
