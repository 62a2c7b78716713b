/**
 * Moves the service's clock through eras that each start shortly before the end of a month, so that every seed crosses
 * midnights, month ends, a year end, a leap day and the February of a year that ends a century without one.
 */

import type { SeededRandom } from '../../src/cli/seeded-random.js';
import type { TestClock } from '../support/test-clock.js';
import { DAY_MS, dayOf, nextMidnight, nextMonthStart } from './naive-time.js';

export const ERAS = [
  '2026-06-29T22:00:00.000Z',
  '2026-12-30T12:00:00.000Z',
  '2028-02-27T22:00:00.000Z',
  '2099-12-30T23:00:00.000Z',
  '2100-02-26T20:00:00.000Z',
];

/** At this operation of an era the clock is at the last moment of the month, and at the next one just after it. */
const MONTH_END_AT = 100;

export class WorkloadClock {
  readonly #clock: TestClock;
  readonly #random: SeededRandom;
  readonly #eraLength: number;
  readonly #monthEndAt: number;
  /** The clock must not pass it before its operation. */
  #lastMomentOfMonth = 0;
  readonly #days: string[] = [];

  constructor(given: { clock: TestClock; random: SeededRandom; operations: number }) {
    this.#clock = given.clock;
    this.#random = given.random;
    this.#eraLength = Math.ceil(given.operations / ERAS.length);
    this.#monthEndAt = Math.min(MONTH_END_AT, Math.floor(this.#eraLength / 2));
  }

  get now(): number {
    return this.#clock.now();
  }

  /** The days on which anything happened, in order. */
  get days(): readonly string[] {
    return this.#days;
  }

  /** `memorable` are times of answers that are recorded for a day. */
  moveTo(operation: number, memorable: readonly number[]): void {
    const place = operation % this.#eraLength;
    if (place === 0) this.#beginEra(ERAS[operation / this.#eraLength] ?? '');
    else if (place === this.#monthEndAt) this.#leapTo(this.#lastMomentOfMonth);
    else if (place === this.#monthEndAt + 1) this.advance(1);
    else this.#drift({ memorable, isMonthEndAhead: place < this.#monthEndAt });
    this.#note();
  }

  advance(milliseconds: number): void {
    this.#clock.advance(milliseconds);
  }

  #beginEra(start: string): void {
    this.#leapTo(Date.parse(start));
    this.#lastMomentOfMonth = nextMonthStart(this.now) - 1;
  }

  #drift(given: { memorable: readonly number[]; isMonthEndAhead: boolean }): void {
    const time = this.#nextTime(given.memorable);
    this.#leapTo(given.isMonthEndAhead ? Math.min(time, this.#lastMomentOfMonth) : time);
  }

  /** Mostly stands still or moves a little; sometimes jumps to the end of a period. */
  #nextTime(memorable: readonly number[]): number {
    const roll = this.#random.next();
    if (roll < 0.5) return this.now;
    if (roll < 0.99) return this.now + this.#random.integer(1, 90_000);
    if (roll < 0.994) return nextMidnight(this.now) - this.#random.integer(0, 1);
    if (roll < 0.997 || memorable.length === 0) return this.now + this.#random.integer(1, 3) * DAY_MS;
    return this.#random.pick(memorable) + DAY_MS - this.#random.integer(0, 1);
  }

  /** Never backwards. */
  #leapTo(time: number): void {
    if (time > this.now) this.advance(time - this.now);
  }

  #note(): void {
    const day = dayOf(this.now);
    if (this.#days.at(-1) !== day) this.#days.push(day);
  }
}
