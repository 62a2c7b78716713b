/** Pseudo-random numbers from a seed (mulberry32). Not for secrets. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** An integer from `low` to `high`, both inclusive. */
  integer(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return this.#itemAt(items, this.next());
  }

  /** Picks items at the start more often than those at the end. */
  pickEarly<Item>(items: readonly Item[]): Item {
    return this.#itemAt(items, this.next() ** 1.8);
  }

  #itemAt<Item>(items: readonly Item[], share: number): Item {
    if (items.length === 0) throw new Error('Cannot pick from an empty list');
    return items[Math.floor(share * items.length)] as Item;
  }
}
