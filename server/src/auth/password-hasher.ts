/**
 * argon2id off the main thread, few at a time: hashing must never starve the decisions. An unknown account costs the same
 * as a known one.
 */

import { hash, verify } from '@node-rs/argon2';
import { unavailable } from '../domain/app-error.js';

/** argon2id is the default algorithm of the library. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const MAX_CONCURRENT = 2;
const MAX_WAITING = 256;

export class PasswordHasher {
  readonly #decoyHash: string;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  private constructor(decoyHash: string) {
    this.#decoyHash = decoyHash;
  }

  static async create(): Promise<PasswordHasher> {
    return new PasswordHasher(await hash('no account has this password', ARGON2));
  }

  async hash(password: string): Promise<string> {
    return this.withSlot(() => hash(password, ARGON2));
  }

  /** False for a null hash, after the same work as for a wrong password. Call it inside `withSlot`. */
  async verify(password: string, passwordHash: string | null): Promise<boolean> {
    const matches = await verify(passwordHash ?? this.#decoyHash, password);
    return matches && passwordHash !== null;
  }

  /** Runs the work when one of the few slots is free; refuses at once when too many wait. */
  async withSlot<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < MAX_CONCURRENT) {
      this.#running += 1;
    } else {
      if (this.#waiting.length >= MAX_WAITING) throw unavailable('Too many sign-ins at once, try again');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      // A slot goes straight to the next in line; only an unwanted one becomes free.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
