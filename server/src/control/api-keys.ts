/** The API keys of a workspace. The key itself is returned once, when it is created, and never stored in plain text. */

import { newApiKeySecret } from '../auth/api-key-secret.js';
import { openSealedText, sealText } from '../auth/sealed-text.js';
import type { KeyScope } from '../domain/access.js';
import type { ApiKey } from '../domain/api-key.js';
import { badRequest, notFound, unprocessable } from '../domain/app-error.js';
import type { Origin } from '../domain/audit.js';
import { IDEMPOTENCY_WINDOW_MS, type IdempotentRequest, replayOf } from '../domain/idempotency.js';
import type { Store } from '../store/store.js';

/** Active keys of a workspace; also the length of the list. */
const MAX_API_KEYS = 1_000;

export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** Shown once. */
  readonly key: string;
}

export interface NewApiKeyRequest {
  readonly workspaceId: string;
  readonly label: string | null;
  readonly scope: KeyScope;
  /** Pins a key of an agent to an end user. */
  readonly userId: string | null;
  readonly retry?: RetriableRequest | undefined;
}

export interface RetriableRequest {
  readonly request: IdempotentRequest;
  readonly idempotencyKey: string;
}

export class ApiKeys {
  readonly #store: Store;
  readonly #newId: () => string;

  constructor({ store, newId }: { store: Store; newId: () => string }) {
    this.#store = store;
    this.#newId = newId;
  }

  list(workspaceId: string): Promise<ApiKey[]> {
    return this.#store.apiKeys.list(workspaceId, MAX_API_KEYS);
  }

  async create(given: NewApiKeyRequest, origin: Origin): Promise<CreatedApiKey> {
    if (given.userId !== null && given.scope !== 'agent') {
      throw unprocessable('body/user_id requires the scope agent');
    }
    const now = await this.#store.now();
    const created = newApiKey({ ...given, id: this.#newId(), createdBy: makerOf(origin), now });
    if (given.retry === undefined) {
      const isInserted = await this.#store.apiKeys.insert(
        created.apiKey,
        { maxActive: MAX_API_KEYS },
        origin,
      );
      if (!isInserted) throw tooManyApiKeys();
      return created;
    }
    return this.#createOnce({ created, now, ...given.retry }, origin);
  }

  async revoke(key: { workspaceId: string; apiKeyId: string }, origin: Origin): Promise<void> {
    if (!(await this.#store.apiKeys.revoke(key, origin))) throw notFound('API key not found');
  }

  /** Every earlier key of the workspace stops working at once. */
  async regenerate(workspaceId: string, origin: Origin): Promise<CreatedApiKey> {
    const created = newApiKey({
      workspaceId,
      label: 'default',
      createdBy: makerOf(origin),
      id: this.#newId(),
      now: await this.#store.now(),
    });
    await this.#store.apiKeys.replaceAll(created.apiKey, origin);
    return created;
  }

  /** The response contains the key, so it is stored encrypted with the Idempotency-Key, which itself is not stored. */
  async #createOnce(
    { created, now, request, idempotencyKey }: RetriableRequest & { created: CreatedApiKey; now: number },
    origin: Origin,
  ): Promise<CreatedApiKey> {
    const earlier = await this.#store.apiKeys.insertOnce(
      {
        apiKey: created.apiKey,
        record: { ...request, reply: sealText(JSON.stringify(created), idempotencyKey), createdAt: now },
        since: now - IDEMPOTENCY_WINDOW_MS,
        maxActive: MAX_API_KEYS,
      },
      origin,
    );
    if (earlier === 'full') throw tooManyApiKeys();
    const replay = earlier === 'inserted' ? null : replayOf(request, earlier, now);
    if (replay === null) return created;
    return this.#withCurrentState(JSON.parse(openSealedText(replay, idempotencyKey)) as CreatedApiKey);
  }

  /** Returns the first response, with `isActive` as it is now: the key may have been revoked since. */
  async #withCurrentState({ apiKey, key }: CreatedApiKey): Promise<CreatedApiKey> {
    const current = await this.#store.apiKeys.findByPrefix(apiKey.prefix);
    const { isActive = false, createdBy = null } = current ?? {};
    return { apiKey: { ...apiKey, isActive, createdBy }, key };
  }
}

/** The label of a key is chosen freely: it must not look like the e-mail of a member. */
function makerOf({ actor: { type, label } }: Origin): string {
  return type === 'api_key' ? `key ${label}` : label;
}

function tooManyApiKeys() {
  return badRequest(
    `A workspace can have at most ${MAX_API_KEYS.toLocaleString('en')} active API keys. Revoke one first.`,
  );
}

export function newApiKey(given: {
  id: string;
  workspaceId: string;
  label: string | null;
  scope?: KeyScope;
  userId?: string | null;
  createdBy: string;
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
      scope: given.scope ?? 'admin',
      userId: given.userId ?? null,
      createdBy: given.createdBy,
      isActive: true,
      createdAt: given.now,
      lastUsedAt: null,
    },
  };
}
