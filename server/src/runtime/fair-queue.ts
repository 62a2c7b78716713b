/**
 * A bounded queue that serves its owners in turn, one item each: an owner who adds many items, or large ones, waits behind
 * itself and not in front of others. Bounded in items and in bytes, for all owners together and for each of them. When it is
 * full, the owner that has most of it gives up its newest items.
 */

import { unavailable } from '../domain/app-error.js';

export interface FairQueueOptions<Item> {
  readonly maxItems: number;
  readonly maxBytes: number;
  readonly maxItemsPerOwner: number;
  readonly maxBytesPerOwner: number;
  /** Called with an item that is removed to make room; without it, a full queue refuses every owner. */
  readonly onDisplace?: (item: Item, error: Error) => void;
}

export interface TakeOptions<Item> {
  readonly maxItems: number;
  readonly maxBytes: number;
  /** Items of one owner. */
  readonly maxShare?: number;
  /** Whether an owner is skipped for now, given its next item. */
  readonly isHeldBack?: (owner: string, next: Item) => boolean;
  readonly onTake?: (item: Item, owner: string) => void;
}

interface Entry<Item> {
  readonly item: Item;
  readonly bytes: number;
}

interface Owner<Item> {
  readonly entries: Entry<Item>[];
  /** Index of the first entry that was not taken; the array is compacted now and then. */
  first: number;
  bytes: number;
}

const COMPACT_AFTER = 64;

export class FairQueue<Item> {
  readonly #options: FairQueueOptions<Item>;
  /** In the order in which they are served next; only owners that have items. */
  readonly #owners = new Map<string, Owner<Item>>();
  #size = 0;
  #bytes = 0;

  constructor(options: FairQueueOptions<Item>) {
    this.#options = options;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  has(owner: string): boolean {
    return this.#owners.has(owner);
  }

  /** Throws `unavailable` when the queue, or the owner's part of it, is full. */
  add(owner: string, item: Item, bytes = 0): void {
    const { maxItemsPerOwner, maxBytesPerOwner } = this.#options;
    const found = this.#owners.get(owner);
    const size = found === undefined ? 0 : found.entries.length - found.first;
    // A single item is always accepted by an empty part, whatever its size.
    if (size > 0 && (size >= maxItemsPerOwner || (found?.bytes ?? 0) + bytes > maxBytesPerOwner)) {
      throw unavailable('Too many of your requests are waiting, try again');
    }
    this.#makeRoom(owner, bytes);
    const part = found ?? { entries: [], first: 0, bytes: 0 };
    if (found === undefined) this.#owners.set(owner, part);
    part.entries.push({ item, bytes });
    part.bytes += bytes;
    this.#size += 1;
    this.#bytes += bytes;
  }

  /** The next items, at least one if there is one that is not held back. */
  take({ maxItems, maxBytes, maxShare = maxItems, isHeldBack, onTake }: TakeOptions<Item>): Item[] {
    const taken: Item[] = [];
    const shares = maxShare < maxItems ? new Map<string, number>() : null;
    let bytes = 0;
    // An owner that is served moves to the end of the map, so the loop visits owners in turn until nothing more may be taken.
    for (const [name, part] of this.#owners) {
      const entry = part.entries[part.first];
      const share = shares?.get(name) ?? 0;
      if (entry === undefined || share >= maxShare || isHeldBack?.(name, entry.item) === true) continue;
      if (taken.length > 0 && (taken.length >= maxItems || bytes + entry.bytes > maxBytes)) break;
      this.#remove(name, part, entry);
      shares?.set(name, share + 1);
      bytes += entry.bytes;
      taken.push(entry.item);
      onTake?.(entry.item, name);
    }
    return taken;
  }

  /** Everything of one owner, in order. */
  takeAllOf(owner: string): Item[] {
    const part = this.#owners.get(owner);
    if (part === undefined) return [];
    const items = part.entries.slice(part.first).map(({ item }) => item);
    this.#owners.delete(owner);
    this.#size -= items.length;
    this.#bytes -= part.bytes;
    return items;
  }

  takeAll(): Item[] {
    return [...this.#owners.keys()].flatMap((owner) => this.takeAllOf(owner));
  }

  /** Removes one item without serving it. */
  remove(owner: string, item: Item): void {
    const part = this.#owners.get(owner);
    const index = part?.entries.findIndex((entry, at) => at >= part.first && entry.item === item) ?? -1;
    if (part === undefined || index === -1) return;
    const [entry] = part.entries.splice(index, 1);
    this.#forget(owner, part, entry?.bytes ?? 0);
  }

  /** Removes items of the owner that has the most of what is full, unless that is this owner. */
  #makeRoom(owner: string, bytes: number): void {
    const { maxItems, maxBytes, onDisplace } = this.#options;
    const isFull = () => this.#size > 0 && (this.#size >= maxItems || this.#bytes + bytes > maxBytes);
    while (isFull()) {
      const overloaded = unavailable('The service is overloaded, try again');
      const sizeOf = (part: Owner<Item>) =>
        this.#size >= maxItems ? part.entries.length - part.first : part.bytes;
      const [name, most] = this.#largest(sizeOf);
      const mine = this.#owners.get(owner);
      const wanted = (mine === undefined ? 0 : sizeOf(mine)) + (this.#size >= maxItems ? 1 : bytes);
      if (onDisplace === undefined || most === undefined || name === owner || sizeOf(most) <= wanted)
        throw overloaded;
      const newest = most.entries.pop();
      if (newest === undefined) throw overloaded;
      this.#forget(name, most, newest.bytes);
      onDisplace(newest.item, overloaded);
    }
  }

  #largest(sizeOf: (part: Owner<Item>) => number): [string, Owner<Item> | undefined] {
    let largest: [string, Owner<Item> | undefined] = ['', undefined];
    for (const [name, part] of this.#owners)
      if (largest[1] === undefined || sizeOf(part) > sizeOf(largest[1])) largest = [name, part];
    return largest;
  }

  #remove(name: string, part: Owner<Item>, entry: Entry<Item>): void {
    part.first += 1;
    if (part.first >= COMPACT_AFTER && part.first * 2 >= part.entries.length) {
      part.entries.splice(0, part.first);
      part.first = 0;
    }
    this.#owners.delete(name);
    this.#forget(name, part, entry.bytes);
    if (part.first < part.entries.length) this.#owners.set(name, part);
  }

  #forget(name: string, part: Owner<Item>, bytes: number): void {
    part.bytes -= bytes;
    this.#size -= 1;
    this.#bytes -= bytes;
    if (part.first === part.entries.length) this.#owners.delete(name);
  }
}
