/** argon2id, off the main thread. Verifying takes equally long for unknown accounts. Call it within a slot of `HashingSlots`. */

import { hash, verify } from '@node-rs/argon2';

/** argon2id is the library's default algorithm. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export class PasswordHasher {
  readonly #decoyHash: string;

  private constructor(decoyHash: string) {
    this.#decoyHash = decoyHash;
  }

  static async create(): Promise<PasswordHasher> {
    return new PasswordHasher(await hash('no account has this password', ARGON2));
  }

  hash(password: string): Promise<string> {
    return hash(password, ARGON2);
  }

  /** Returns false for a null hash, after the same work as for a wrong password. */
  async verify(password: string, passwordHash: string | null): Promise<boolean> {
    const matches = await verify(passwordHash ?? this.#decoyHash, password);
    return matches && passwordHash !== null;
  }
}
