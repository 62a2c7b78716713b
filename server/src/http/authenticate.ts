/**
 * Authenticates requests by API key or JWT and checks what the credential may do, before the body is read. A credential of the
 * wrong kind is rejected.
 */

import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { AccountTokens } from '../auth/account-tokens.js';
import { ApiKeyCache, type CachedApiKey } from '../auth/api-key-cache.js';
import { type ApiKeyParts, parseApiKey, verifySecret } from '../auth/api-key-secret.js';
import { type Access, refusalOf } from '../domain/access.js';
import type { Account } from '../domain/account.js';
import type { ApiKey } from '../domain/api-key.js';
import { type AppError, unauthenticated } from '../domain/app-error.js';
import type { Caller } from '../engine/command.js';
import type { Store } from '../store/store.js';
import {
  type Auth,
  accessOf,
  authOf,
  type HttpServer,
  type Machine,
  type Principal,
} from './server-types.js';

/** `last_used_at` is written at most this often for each key, so that most requests do not write. */
const LAST_USED_RESOLUTION_MS = 60_000;

const API_KEY_PREFIX = 'lg_';

export interface AuthenticatorOptions {
  readonly store: Store;
  readonly tokens: AccountTokens;
  /** The clock of this process: precise enough for `last_used_at`, and does not need a query. */
  readonly clock: () => number;
}

export class Authenticator {
  readonly #store: Store;
  readonly #tokens: AccountTokens;
  readonly #clock: () => number;
  readonly #keys = new ApiKeyCache();

  constructor({ store, tokens, clock }: AuthenticatorOptions) {
    this.#store = store;
    this.#tokens = tokens;
    this.#clock = clock;
  }

  /** Register before the routes: adds to each route the check for its `auth` and `access` settings. */
  protectRoutes(server: HttpServer): void {
    server.decorateRequest('principal', null);
    server.addHook('onRoute', (route) => {
      const auth = authOf(route);
      if (auth === 'none') return;
      route.onRequest = [...[route.onRequest ?? []].flat(), this.#check(auth, accessOf(route))];
    });
  }

  /**
   * Call before sending an error to the caller. If the key of the request is from the cache and no longer active, this throws
   * 401 instead, so that the response does not say more than that.
   */
  async confirm(request: FastifyRequest): Promise<void> {
    if (isFromCache(request)) await this.#authenticate(request, 'api-key');
  }

  /** Call while the response to a request goes on: throws if its credential is no longer valid for it. */
  async recheck(request: FastifyRequest): Promise<void> {
    const route = { method: request.method, url: request.url, config: request.routeOptions.config };
    const auth = authOf(route);
    if (auth === 'none') return;
    const principal = await this.#authenticate(request, auth);
    const refusal = refusalOf(principal, accessOf(route));
    if (refusal !== null) throw refusal;
    if (principal.workspaceId !== workspaceIdOf(request)) throw unauthenticated('Not of this workspace');
  }

  /** Call for a request that was rejected because its key is no longer active. */
  forget(request: FastifyRequest): void {
    if (isFromCache(request)) this.#keys.delete(parseApiKey(credentialOf(request) ?? '')?.prefix ?? '');
  }

  /** The machine with this key, for commands to the engine, which checks again whether the key is active. */
  async findMachine(credential: string): Promise<Machine> {
    const machine = this.#findCached(credential) ?? (await this.#authenticateMachine(credential));
    const refusal = refusalOf(machine, 'run');
    if (refusal !== null) throw refusal;
    return machine;
  }

  #check(auth: Exclude<Auth, 'none'>, access: Access): onRequestHookHandler {
    return (request, _reply, done) => {
      const admit = (principal: Principal): void => {
        request.principal = principal;
        done(refusalOf(principal, access) ?? undefined);
      };
      // The cache is used for commands only: the engine checks again whether the key is active.
      const cached = auth === 'api-key' ? this.#findCached(credentialOf(request) ?? '') : null;
      if (cached === null) this.#authenticate(request, auth).then(admit, done);
      else admit(cached);
    };
  }

  /** Returns null if the credential must be looked up. */
  #findCached(credential: string): Machine | null {
    const parts = parseApiKey(credential);
    const apiKey = parts === null ? null : this.#keys.find(parts.prefix);
    if (parts === null || apiKey === null || this.#shouldMarkUsed(apiKey)) return null;
    if (!isSecretValid(apiKey, parts)) return null;
    return toMachine(apiKey, true);
  }

  async #authenticate(request: FastifyRequest, auth: Exclude<Auth, 'none'>): Promise<Principal> {
    const credential = credentialOf(request);
    if (credential === undefined) throw missingCredential(auth);
    if (credential.startsWith(API_KEY_PREFIX)) {
      if (auth === 'account') throw unauthenticated('This endpoint needs a dashboard token, not an API key');
      return this.#authenticateMachine(credential);
    }
    if (auth === 'api-key') throw unauthenticated('No active API key');
    return this.#authenticatePerson(credential);
  }

  async #authenticateMachine(credential: string): Promise<Machine> {
    const parts = parseApiKey(credential);
    const apiKey = parts === null ? null : await this.#store.apiKeys.findByPrefix(parts.prefix);
    if (parts === null || apiKey === null || !isSecretValid(apiKey, parts) || !apiKey.isActive) {
      if (parts !== null) this.#keys.delete(parts.prefix);
      throw unauthenticated('No active API key');
    }
    this.#keys.add(await this.#markUsed(apiKey));
    return toMachine(apiKey, false);
  }

  async #authenticatePerson(credential: string): Promise<Principal> {
    const claims = await this.#tokens.verify(credential);
    const account = claims === null ? null : await this.#store.accounts.find(claims.accountId);
    if (claims === null || account === null || account.tokenVersion !== claims.tokenVersion) {
      throw unauthenticated('The token is invalid or has expired');
    }
    return { kind: 'person', workspaceId: account.workspaceId, role: account.role, account };
  }

  #shouldMarkUsed({ lastUsedAt }: Pick<ApiKey, 'lastUsedAt'>): boolean {
    return lastUsedAt === null || this.#clock() - lastUsedAt >= LAST_USED_RESOLUTION_MS;
  }

  async #markUsed(apiKey: ApiKey): Promise<ApiKey> {
    if (!this.#shouldMarkUsed(apiKey)) return apiKey;
    const usedAt = this.#clock();
    // The time is for information only: a full disk must not fail reads.
    await this.#store.apiKeys
      .markUsed({ workspaceId: apiKey.workspaceId, apiKeyId: apiKey.id, usedAt })
      .catch(() => {});
    return { ...apiKey, lastUsedAt: usedAt };
  }
}

function toMachine(apiKey: Omit<CachedApiKey, 'secretHash'>, isFromCache: boolean): Machine {
  const { id, workspaceId, prefix, label, scope, userId } = apiKey;
  return {
    kind: 'machine',
    workspaceId,
    apiKeyId: id,
    label: label ?? `lg_${prefix}_…`,
    scope,
    userId,
    isFromCache,
  };
}

export function workspaceIdOf(request: FastifyRequest): string {
  return requirePrincipal(request).workspaceId;
}

/** The end user whose runs the caller is limited to; null: all. */
export function pinnedUserIdOf(request: FastifyRequest): string | null {
  const principal = requirePrincipal(request);
  return principal.kind === 'machine' ? principal.userId : null;
}

/** Either credential; the engine checks again whether an API key is active. */
export function principalAsCaller(request: FastifyRequest): Caller {
  const principal = requirePrincipal(request);
  const { workspaceId } = principal;
  if (principal.kind === 'person') return { workspaceId, apiKeyId: null, userId: null };
  return { workspaceId, apiKeyId: principal.apiKeyId, userId: principal.userId };
}

/** The machine that calls a route with `auth: 'api-key'`. */
export function machineOf(request: FastifyRequest): Machine {
  const principal = requirePrincipal(request);
  if (principal.kind !== 'machine') throw new Error('This route must require an API key');
  return principal;
}

/** The account that calls a route with `auth: 'account'`. */
export function accountOf(request: FastifyRequest): Account {
  const principal = requirePrincipal(request);
  if (principal.kind !== 'person') throw new Error('This route must require an account');
  return principal.account;
}

export function requirePrincipal(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('This route must require a credential');
  return request.principal;
}

function isFromCache({ principal }: FastifyRequest): boolean {
  return principal !== null && principal.kind === 'machine' && principal.isFromCache;
}

function credentialOf(request: FastifyRequest): string | undefined {
  return /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

function isSecretValid(apiKey: Pick<ApiKey | CachedApiKey, 'secretHash'>, { secret }: ApiKeyParts): boolean {
  return verifySecret(secret, apiKey.secretHash);
}

function missingCredential(auth: Exclude<Auth, 'none'>): AppError {
  const required = {
    'api-key': 'an API key',
    account: 'a dashboard token',
    any: 'an API key or a dashboard token',
  };
  return unauthenticated(`Send ${required[auth]} as "Authorization: Bearer …"`);
}
