/**
 * API keys that were looked up before. Their workspace and the hash of their secret never change, so a write need not ask
 * the database for them: whether the key is still active is checked in the write's own transaction.
 */

import type { ApiKey } from '../domain/api-key.js';

/** Without whether it is active: that is nothing to remember. */
export type KnownApiKey = Pick<ApiKey, 'id' | 'workspaceId' | 'prefix' | 'secretHash' | 'lastUsedAt'>;

const MAX_KEYS = 10_000;

export class KnownApiKeys {
  readonly #byPrefix = new Map<string, KnownApiKey>();

  find(prefix: string): KnownApiKey | null {
    return this.#byPrefix.get(prefix) ?? null;
  }

  forget(prefix: string): void {
    this.#byPrefix.delete(prefix);
  }

  /** Takes the place of the one that has been here longest when there are too many. */
  keep({ id, workspaceId, prefix, secretHash, lastUsedAt }: KnownApiKey): void {
    this.#byPrefix.delete(prefix);
    this.#byPrefix.set(prefix, { id, workspaceId, prefix, secretHash, lastUsedAt });
    if (this.#byPrefix.size <= MAX_KEYS) return;
    for (const oldest of this.#byPrefix.keys()) {
      this.#byPrefix.delete(oldest);
      return;
    }
  }
}
