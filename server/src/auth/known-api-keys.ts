/**
 * API keys that were looked up before. Their workspace and the hash of their secret never change, so a write need not ask
 * the database for them: whether the key is still active is checked in the write's own transaction.
 */

import type { ApiKey } from '../domain/api-key.js';

const MAX_KEYS = 10_000;

export class KnownApiKeys {
  readonly #byPrefix = new Map<string, ApiKey>();

  find(prefix: string): ApiKey | null {
    return this.#byPrefix.get(prefix) ?? null;
  }

  /** Takes the place of the one that has been here longest when there are too many. */
  keep(apiKey: ApiKey): void {
    this.#byPrefix.delete(apiKey.prefix);
    this.#byPrefix.set(apiKey.prefix, apiKey);
    if (this.#byPrefix.size <= MAX_KEYS) return;
    for (const oldest of this.#byPrefix.keys()) {
      this.#byPrefix.delete(oldest);
      return;
    }
  }
}
