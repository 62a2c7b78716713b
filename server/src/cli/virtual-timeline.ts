/** A clock and what is to happen when. Playing it moves the clock from event to event, so a month takes seconds. */
export class VirtualTimeline {
  #now: number;
  #events: { readonly at: number; readonly happen: () => Promise<void> }[] = [];
  #sorted = true;

  constructor(start: number) {
    this.#now = start;
  }

  readonly now = (): number => this.#now;

  at(time: number, happen: () => Promise<void>): void {
    this.#events.push({ at: Math.max(time, this.#now), happen });
    this.#sorted = false;
  }

  /** Events of the same instant happen together, in the order in which they were planned. What lies after the end never happens. */
  async playUntil(end: number): Promise<void> {
    for (let next = this.#next(); next !== undefined && next.at <= end; next = this.#next()) {
      this.#now = next.at;
      const together = [];
      while (this.#next()?.at === this.#now) together.push(this.#events.pop());
      // They were taken from the end: reversed, they happen in the order in which they were planned.
      await Promise.all(together.reverse().map((event) => event?.happen()));
    }
    this.#now = end;
  }

  #next() {
    // The next event is kept last, where taking it away is cheap.
    if (!this.#sorted) this.#events.sort((left, right) => right.at - left.at);
    this.#sorted = true;
    return this.#events.at(-1);
  }
}
