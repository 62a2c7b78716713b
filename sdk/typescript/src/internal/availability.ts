/** Applies `onUnavailable` if the guard is unavailable, and notifies the user once per outage. */

import { GuardUnavailable, isUnavailableError } from '../errors.js';

export type OnUnavailable = 'deny' | 'allow';

export class Availability {
  readonly #onUnavailable: OnUnavailable;
  readonly #onUnguarded: (error: GuardUnavailable) => void;
  #notified = false;

  constructor(given: { onUnavailable: OnUnavailable; onUnguarded: (error: GuardUnavailable) => void }) {
    this.#onUnavailable = given.onUnavailable;
    this.#onUnguarded = given.onUnguarded;
  }

  /** Returns the reply of the guard, or null if the agent continues unguarded. */
  async orNull<Reply>(request: () => Promise<Reply>): Promise<Reply | null> {
    try {
      const reply = await request();
      this.#notified = false;
      return reply;
    } catch (error) {
      if (!isUnavailableError(error)) throw error;
      const unavailable = new GuardUnavailable(error);
      if (this.#onUnavailable !== 'allow') throw unavailable;
      this.#notifyOnce(unavailable);
      return null;
    }
  }

  #notifyOnce(unavailable: GuardUnavailable): void {
    if (this.#notified) return;
    this.#notified = true;
    this.#onUnguarded(unavailable);
  }
}
