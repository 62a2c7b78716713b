/** A clock that stands still until a test moves it. */
export class TestClock {
  #now: number;

  constructor(start = '2026-03-14T12:00:00.000Z') {
    this.#now = Date.parse(start);
  }

  readonly now = (): number => this.#now;

  set(timestamp: string): void {
    this.#now = Date.parse(timestamp);
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
