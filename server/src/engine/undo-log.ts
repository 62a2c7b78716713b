/** Changes of maps, sets and lists that can be taken back, for work that has to happen completely or not at all. */
export class UndoLog {
  /** In the order of the changes; null while nothing can fail halfway. */
  #undo: (() => void)[] | null = null;

  /** If `work` throws, what it has changed through this log is taken back. */
  attempt<Result>(work: () => Result): Result {
    const undo: (() => void)[] = [];
    this.#undo = undo;
    try {
      return work();
    } catch (error) {
      for (const step of undo.reverse()) step();
      throw error;
    } finally {
      this.#undo = null;
    }
  }

  /** Called when the current work is taken back. */
  onUndo(undo: () => void): void {
    this.#undo?.push(undo);
  }

  put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
    if (this.#undo !== null) {
      const before = map.get(key);
      this.#undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
    }
    map.set(key, value);
  }

  add<Item>(set: Set<Item>, item: Item): void {
    if (set.has(item)) return;
    set.add(item);
    this.#undo?.push(() => set.delete(item));
  }

  append<Item>(list: Item[], item: Item): void {
    list.push(item);
    this.#undo?.push(() => list.pop());
  }
}
