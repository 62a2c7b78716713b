/** Slows down guessing: too many failed sign-ins for one e-mail or from one address are refused for a while. */

import { emailKey } from '../domain/account.js';
import { throttled } from '../domain/app-error.js';
import type { LoginFailureStore } from '../store/store.js';

interface Limit {
  readonly maxFailures: number;
  readonly windowMs: number;
}

const PER_EMAIL: Limit = { maxFailures: 10, windowMs: 15 * 60_000 };
const PER_ADDRESS: Limit = { maxFailures: 100, windowMs: 60 * 60_000 };

export interface SignInAttempt {
  readonly email: string;
  readonly address: string;
}

export class LoginThrottle {
  readonly #failures: LoginFailureStore;
  readonly #clock: () => Promise<number>;

  constructor(failures: LoginFailureStore, clock: () => Promise<number>) {
    this.#failures = failures;
    this.#clock = clock;
  }

  /** Throws `throttled` when the e-mail or the address has failed too often lately. */
  async requireAllowed(attempt: SignInAttempt): Promise<void> {
    const now = await this.#clock();
    await this.#requireBelow(emailSubject(attempt.email), PER_EMAIL, now);
    await this.#requireBelow(addressSubject(attempt.address), PER_ADDRESS, now);
  }

  async recordFailure(attempt: SignInAttempt): Promise<void> {
    const now = await this.#clock();
    await this.#failures.record({
      subjects: [emailSubject(attempt.email), addressSubject(attempt.address)],
      failedAt: now,
      forgetBefore: now - Math.max(PER_EMAIL.windowMs, PER_ADDRESS.windowMs),
    });
  }

  async #requireBelow(subject: string, { maxFailures, windowMs }: Limit, now: number): Promise<void> {
    const recent = await this.#failures.listRecent({ subject, since: now - windowMs, limit: maxFailures });
    const oldest = recent[maxFailures - 1];
    if (oldest === undefined) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest + windowMs - now) / 1000));
    throw throttled('Too many failed sign-ins, try again later', retryAfterSeconds);
  }
}

const emailSubject = (email: string) => `email:${emailKey(email)}`;
const addressSubject = (address: string) => `address:${address}`;
