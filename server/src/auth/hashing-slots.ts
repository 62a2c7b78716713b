/**
 * Limits how many passwords are hashed at a time, so that hashing does not starve decisions. Registrations use at most one
 * slot, which leaves the other to sign-ins. When both kinds wait, each gets one slot. Within a kind, client addresses are
 * served in turn.
 */

import { FairQueue } from '../runtime/fair-queue.js';

export type HashingKind = 'sign-in' | 'registration';

const SLOTS = 2;
const MAX_RUNNING: Readonly<Record<HashingKind, number>> = { 'sign-in': SLOTS, registration: 1 };
/** Limits for each kind. A waiting request has a small body; the last one in a full queue waits for a few seconds. */
const WAITING = {
  maxItems: 256,
  maxItemsPerOwner: 128,
  maxBytes: 0,
  maxBytesPerOwner: 0,
  onDisplace: ({ refuse }: Waiting, error: Error) => refuse(error),
};

interface Waiting {
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
}

export class HashingSlots {
  readonly #running: Record<HashingKind, number> = { 'sign-in': 0, registration: 0 };
  readonly #waiting: Readonly<Record<HashingKind, FairQueue<Waiting>>> = {
    'sign-in': new FairQueue(WAITING),
    registration: new FairQueue(WAITING),
  };

  /** Runs `work` when a slot is free for its kind. When too many wait, rejects those of the busiest address first. */
  async withSlot<Result>(
    { kind, address }: { kind: HashingKind; address: string },
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#hasSlotFor(kind)) this.#running[kind] += 1;
    else await this.#wait(kind, address);
    try {
      return await work();
    } finally {
      this.#running[kind] -= 1;
      // Registrations first: they use at most one slot, while a steady load of sign-ins would keep both.
      if (!this.#admitNext('registration')) this.#admitNext('sign-in');
    }
  }

  #hasSlotFor(kind: HashingKind): boolean {
    const running = this.#running['sign-in'] + this.#running.registration;
    return running < SLOTS && this.#running[kind] < MAX_RUNNING[kind];
  }

  #wait(kind: HashingKind, address: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting[kind].add(address, { admit: resolve, refuse: reject });
    });
  }

  #admitNext(kind: HashingKind): boolean {
    const [next] = this.#hasSlotFor(kind) ? this.#waiting[kind].take({ maxItems: 1, maxBytes: 0 }) : [];
    if (next === undefined) return false;
    this.#running[kind] += 1;
    next.admit();
    return true;
  }
}
