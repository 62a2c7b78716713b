/**
 * A bounded queue that serves its owners in turn, one item each: an owner who adds many items, or large ones, waits behind
 * itself and not in front of others. Bounded in items and in bytes, for all owners together and for each of them. When it is
 * full, the owner that has most of it gives up its newest items.
 */

import { overloaded } from '../domain/app-error.js';

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

interface Part<Item> {
  readonly owner: string;
  readonly entries: Entry<Item>[];
  /** Index of the first entry that was not taken; the array is compacted now and then. */
  first: number;
  bytes: number;
  /** Items that a call of `take` has taken, and the number of that call. */
  share: number;
  sharedBy: number;
}

const COMPACT_AFTER = 64;
/** Empty parts are kept, because most owners come back; beyond this number they are removed. */
const MAX_EMPTY_PARTS = 1_000;

export class FairQueue<Item> {
  readonly #options: FairQueueOptions<Item>;
  readonly #parts = new Map<string, Part<Item>>();
  /** Parts with items, in the order in which they are served next. */
  readonly #turns: Part<Item>[] = [];
  #size = 0;
  #bytes = 0;
  #takes = 0;

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
    const part = this.#parts.get(owner);
    return part !== undefined && sizeOf(part) > 0;
  }

  /** Throws `unavailable` when the queue, or the owner's part of it, is full. */
  add(owner: string, item: Item, bytes = 0): void {
    const { maxItems, maxBytes, maxItemsPerOwner, maxBytesPerOwner } = this.#options;
    const part = this.#parts.get(owner) ?? this.#newPart(owner);
    const size = sizeOf(part);
    // A single item is always accepted by an empty part, whatever its size.
    if (size > 0 && (size >= maxItemsPerOwner || part.bytes + bytes > maxBytesPerOwner)) {
      throw overloaded('Too many of your requests are waiting, try again');
    }
    if (this.#size >= maxItems || this.#bytes + bytes > maxBytes) this.#makeRoom(part, bytes);
    if (size === 0) this.#turns.push(part);
    part.entries.push({ item, bytes });
    part.bytes += bytes;
    this.#size += 1;
    this.#bytes += bytes;
  }

  /** The next items, at least one if there is one that is not held back. */
  take({ maxItems, maxBytes, maxShare = maxItems, isHeldBack, onTake }: TakeOptions<Item>): Item[] {
    const turns = this.#turns;
    const taken: Item[] = [];
    const skipped: Part<Item>[] = [];
    let bytes = 0;
    let served = 0;
    this.#takes += 1;
    // A part with more items goes to the end of the turns, so the loop visits owners in turn until nothing more may be taken.
    for (let part = turns[served]; part !== undefined; part = turns[served]) {
      const entry = part.entries[part.first];
      const share = part.sharedBy === this.#takes ? part.share : 0;
      if (entry === undefined || share >= maxShare || isHeldBack?.(part.owner, entry.item) === true) {
        skipped.push(part);
      } else {
        if (taken.length > 0 && (taken.length >= maxItems || bytes + entry.bytes > maxBytes)) break;
        removeFirst(part);
        this.#count(part, entry);
        part.share = share + 1;
        part.sharedBy = this.#takes;
        bytes += entry.bytes;
        taken.push(entry.item);
        if (sizeOf(part) > 0) turns.push(part);
        onTake?.(entry.item, part.owner);
      }
      served += 1;
    }
    turns.splice(0, served, ...skipped);
    return taken;
  }

  /** Everything of one owner, in order. */
  takeAllOf(owner: string): Item[] {
    const part = this.#parts.get(owner);
    if (part === undefined || sizeOf(part) === 0) return [];
    const items = part.entries.slice(part.first).map(({ item }) => item);
    this.#size -= items.length;
    this.#bytes -= part.bytes;
    this.#parts.delete(owner);
    this.#endTurns(part);
    return items;
  }

  takeAll(): Item[] {
    return [...this.#turns].flatMap(({ owner }) => this.takeAllOf(owner));
  }

  /** Removes one item without serving it. */
  remove(owner: string, item: Item): void {
    const part = this.#parts.get(owner);
    const index = part?.entries.findIndex((entry, at) => at >= part.first && entry.item === item) ?? -1;
    if (part === undefined || index === -1) return;
    const [entry] = part.entries.splice(index, 1);
    if (entry !== undefined) this.#count(part, entry);
    if (sizeOf(part) === 0) this.#endTurns(part);
  }

  #newPart(owner: string): Part<Item> {
    if (this.#parts.size >= this.#turns.length * 2 + MAX_EMPTY_PARTS) {
      for (const part of this.#parts.values()) if (sizeOf(part) === 0) this.#parts.delete(part.owner);
    }
    const part = { owner, entries: [], first: 0, bytes: 0, share: 0, sharedBy: 0 };
    this.#parts.set(owner, part);
    return part;
  }

  /** Removes items of the owner that has the most of what is full, unless that is this owner. */
  #makeRoom(part: Part<Item>, bytes: number): void {
    const { maxItems, maxBytes, onDisplace } = this.#options;
    const isFull = () => this.#size > 0 && (this.#size >= maxItems || this.#bytes + bytes > maxBytes);
    while (isFull()) {
      const refusal = overloaded('The service is overloaded, try again');
      const isFullOfItems = this.#size >= maxItems;
      const amountOf = (of: Part<Item>) => (isFullOfItems ? sizeOf(of) : of.bytes);
      const most = this.#turns.reduce(
        (largest, of) => (amountOf(of) > amountOf(largest) ? of : largest),
        part,
      );
      const wanted = amountOf(part) + (isFullOfItems ? 1 : bytes);
      if (onDisplace === undefined || most === part || amountOf(most) <= wanted) throw refusal;
      const newest = most.entries.pop();
      if (newest === undefined) throw refusal;
      this.#count(most, newest);
      if (sizeOf(most) === 0) this.#endTurns(most);
      onDisplace(newest.item, refusal);
    }
  }

  /** An entry has left the queue. */
  #count(part: Part<Item>, { bytes }: Entry<Item>): void {
    part.bytes -= bytes;
    this.#size -= 1;
    this.#bytes -= bytes;
  }

  #endTurns(part: Part<Item>): void {
    this.#turns.splice(this.#turns.indexOf(part), 1);
  }
}

function sizeOf({ entries, first }: Part<unknown>): number {
  return entries.length - first;
}

function removeFirst(part: Part<unknown>): void {
  part.first += 1;
  const { entries, first } = part;
  if (first === entries.length) entries.length = 0;
  else if (first >= COMPACT_AFTER && first * 2 >= entries.length) entries.splice(0, first);
  else return;
  part.first = 0;
}
