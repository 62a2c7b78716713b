/** The API keys of a workspace. A key's text exists only in the answer that creates it. */

import { newApiKeySecret } from '../auth/api-key-secret.js';
import type { ApiKey } from '../domain/api-key.js';
import { notFound } from '../domain/app-error.js';
import type { Store } from '../store/store.js';

export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** Shown once. */
  readonly key: string;
}

export class ApiKeys {
  readonly #store: Store;
  readonly #newId: () => string;

  constructor({ store, newId }: { store: Store; newId: () => string }) {
    this.#store = store;
    this.#newId = newId;
  }

  list(workspaceId: string): Promise<ApiKey[]> {
    return this.#store.apiKeys.list(workspaceId);
  }

  async create(given: { workspaceId: string; label: string | null }): Promise<CreatedApiKey> {
    const created = newApiKey({ ...given, id: this.#newId(), now: await this.#store.now() });
    await this.#store.apiKeys.insert(created.apiKey);
    return created;
  }

  async revoke(key: { workspaceId: string; apiKeyId: string }): Promise<void> {
    if (!(await this.#store.apiKeys.revoke(key))) throw notFound('API key not found');
  }

  /** Every earlier key of the workspace stops at once. */
  async regenerate(workspaceId: string): Promise<CreatedApiKey> {
    const created = newApiKey({
      workspaceId,
      label: 'default',
      id: this.#newId(),
      now: await this.#store.now(),
    });
    await this.#store.apiKeys.replaceAll(created.apiKey);
    return created;
  }
}

export function newApiKey(given: {
  id: string;
  workspaceId: string;
  label: string | null;
  now: number;
}): CreatedApiKey {
  const { key, prefix, secretHash } = newApiKeySecret();
  return {
    key,
    apiKey: {
      id: given.id,
      workspaceId: given.workspaceId,
      prefix,
      secretHash,
      label: given.label,
      isActive: true,
      createdAt: given.now,
      lastUsedAt: null,
    },
  };
}
