/**
 * Caches API keys that were looked up. Their workspace, secret hash and rights never change, so a write can use the cached
 * key: its own transaction checks whether the key is still active.
 */

import type { ApiKey } from '../domain/api-key.js';

/** Without `isActive`, which may change at any time. */
type LastingParts = Pick<
  ApiKey,
  'id' | 'workspaceId' | 'prefix' | 'label' | 'scope' | 'userId' | 'lastUsedAt'
>;

export interface CachedApiKey extends LastingParts {
  /** As bytes: it is compared in each request. */
  readonly secretHash: Buffer;
}

const MAX_KEYS = 10_000;

export class ApiKeyCache {
  readonly #byPrefix = new Map<string, CachedApiKey>();

  find(prefix: string): CachedApiKey | null {
    return this.#byPrefix.get(prefix) ?? null;
  }

  delete(prefix: string): void {
    this.#byPrefix.delete(prefix);
  }

  /** Evicts the oldest entry when the cache is full. */
  add({ id, workspaceId, prefix, secretHash, label, scope, userId, lastUsedAt }: ApiKey): void {
    const lasting = { id, workspaceId, prefix, label, scope, userId, lastUsedAt };
    this.#byPrefix.delete(prefix);
    this.#byPrefix.set(prefix, { ...lasting, secretHash: Buffer.from(secretHash) });
    if (this.#byPrefix.size <= MAX_KEYS) return;
    for (const oldest of this.#byPrefix.keys()) {
      this.#byPrefix.delete(oldest);
      return;
    }
  }
}
