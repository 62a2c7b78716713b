/**
 * A bounded queue whose owners take turns: however much one of them puts in, another one waits for one item of each owner at
 * most. When it is full, the owner with the most items gives up its newest one.
 */
export class FairQueue<Item> {
  readonly #maxItems: number;
  readonly #maxItemsPerOwner: number;
  /** In the order of their turns. */
  readonly #itemsOf = new Map<string, Item[]>();
  #size = 0;

  constructor({ maxItems, maxItemsPerOwner }: { maxItems: number; maxItemsPerOwner: number }) {
    this.#maxItems = maxItems;
    this.#maxItemsPerOwner = maxItemsPerOwner;
  }

  /** Returns the item that there is no room for, if any: this one, or one of an owner who has more of them. */
  push(owner: string, item: Item): Item | null {
    const items = this.#itemsOf.get(owner) ?? [];
    if (items.length >= this.#maxItemsPerOwner) return item;
    let displaced: Item | null = null;
    if (this.#size >= this.#maxItems) {
      const most = this.#most();
      if (most.length <= items.length + 1) return item;
      displaced = most.pop() ?? null;
      this.#size -= 1;
    }
    this.#itemsOf.set(owner, items);
    items.push(item);
    this.#size += 1;
    return displaced;
  }

  /** The oldest item of the owner whose turn it is. */
  shift(): Item | undefined {
    const [next] = this.#itemsOf;
    if (next === undefined) return undefined;
    const [owner, items] = next;
    const item = items.shift();
    this.#size -= 1;
    this.#itemsOf.delete(owner);
    if (items.length > 0) this.#itemsOf.set(owner, items);
    return item;
  }

  #most(): Item[] {
    let most: Item[] = [];
    for (const items of this.#itemsOf.values()) if (items.length > most.length) most = items;
    return most;
  }
}
