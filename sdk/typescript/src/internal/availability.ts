/** What happens when the guard cannot decide: the user's decision, and saying so once per outage. */

import { GuardUnavailable, meansUnavailable } from '../errors.js';

export type OnUnavailable = 'deny' | 'allow';

export class Availability {
  readonly #onUnavailable: OnUnavailable;
  readonly #onUnguarded: (error: GuardUnavailable) => void;
  #saidSo = false;

  constructor(given: { onUnavailable: OnUnavailable; onUnguarded: (error: GuardUnavailable) => void }) {
    this.#onUnavailable = given.onUnavailable;
    this.#onUnguarded = given.onUnguarded;
  }

  /** The guard's answer, or null to go on without it. */
  async orWithout<Reply>(ask: () => Promise<Reply>): Promise<Reply | null> {
    try {
      const reply = await ask();
      this.#saidSo = false;
      return reply;
    } catch (error) {
      if (!meansUnavailable(error)) throw error;
      const unavailable = new GuardUnavailable(error);
      if (this.#onUnavailable !== 'allow') throw unavailable;
      this.#sayOnce(unavailable);
      return null;
    }
  }

  #sayOnce(unavailable: GuardUnavailable): void {
    if (this.#saidSo) return;
    this.#saidSo = true;
    this.#onUnguarded(unavailable);
  }
}
