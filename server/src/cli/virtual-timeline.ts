/** A simulated clock with scheduled events. Playing it advances the clock from event to event, so a month takes seconds. */
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

  /** Runs events with the same time concurrently, in the order in which they were scheduled. Events after `end` do not run. */
  async playUntil(end: number): Promise<void> {
    for (let next = this.#next(); next !== undefined && next.at <= end; next = this.#next()) {
      this.#now = next.at;
      const together = [];
      while (this.#next()?.at === this.#now) together.push(this.#events.pop());
      // They were popped from the end; reversed, they are in the order in which they were scheduled.
      await Promise.all(together.reverse().map((event) => event?.happen()));
    }
    this.#now = end;
  }

  #next() {
    // The next event is last, where removing it is cheap.
    if (!this.#sorted) this.#events.sort((left, right) => right.at - left.at);
    this.#sorted = true;
    return this.#events.at(-1);
  }
}
