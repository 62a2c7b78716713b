/** Random numbers that are the same for the same seed (mulberry32). Never for secrets. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** Both ends included. */
  integer(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return this.#itemAt(items, this.next());
  }

  /** Items at the beginning more often than those at the end. */
  pickEarly<Item>(items: readonly Item[]): Item {
    return this.#itemAt(items, this.next() ** 1.8);
  }

  #itemAt<Item>(items: readonly Item[], share: number): Item {
    if (items.length === 0) throw new Error('There is nothing to pick from');
    return items[Math.floor(share * items.length)] as Item;
  }
}
