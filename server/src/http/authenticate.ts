/** API key or JWT → Principal, before anything of the body is read. A wrong kind of credential is no credential. */

import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { AccessTokens } from '../auth/access-tokens.js';
import { type ApiKeyParts, isSecretOf, parseApiKey } from '../auth/api-key-secret.js';
import { type KnownApiKey, KnownApiKeys } from '../auth/known-api-keys.js';
import type { Account } from '../domain/account.js';
import type { ApiKey } from '../domain/api-key.js';
import { type AppError, unauthenticated } from '../domain/app-error.js';
import type { Store } from '../store/store.js';
import { type Auth, authOf, type HttpServer, type Machine, type Principal } from './server-types.js';

/** `last_used_at` is written at most this often per key, so that reading stays cheap. */
const LAST_USED_RESOLUTION_MS = 60_000;

const API_KEY_START = 'lg_';

export interface AuthenticatorOptions {
  readonly store: Store;
  readonly tokens: AccessTokens;
  /** This process's clock: good enough for when a key was last used, and no question to the database. */
  readonly clock: () => number;
}

export class Authenticator {
  readonly #store: Store;
  readonly #tokens: AccessTokens;
  readonly #clock: () => number;
  readonly #knownKeys = new KnownApiKeys();

  constructor({ store, tokens, clock }: AuthenticatorOptions) {
    this.#store = store;
    this.#tokens = tokens;
    this.#clock = clock;
  }

  /** Register before the routes: each of them is given the check that it demands, and must demand one or none. */
  protectRoutes(server: HttpServer): void {
    server.decorateRequest('principal', null);
    server.addHook('onRoute', (route) => {
      const auth = authOf(route);
      if (auth !== 'none') route.onRequest = [...[route.onRequest ?? []].flat(), this.#check(auth)];
    });
  }

  /**
   * For a request that is about to be refused for what it asks. One whose key was only recalled may be told no more than that
   * the key is not active, if so.
   */
  async confirm(request: FastifyRequest): Promise<void> {
    if (isRecalled(request)) await this.#authenticate(request, 'api-key');
  }

  /** For a request that was refused because its key is not active any more. */
  forget(request: FastifyRequest): void {
    if (isRecalled(request)) this.#knownKeys.forget(parseApiKey(credentialOf(request) ?? '')?.prefix ?? '');
  }

  #check(auth: Exclude<Auth, 'none'>): onRequestHookHandler {
    return (request, _reply, done) => {
      // Only machines are recalled, and only for commands: the engine looks again whether the key is active.
      request.principal = auth === 'api-key' ? this.#recall(request) : null;
      if (request.principal !== null) {
        done();
        return;
      }
      this.#authenticate(request, auth).then((principal) => {
        request.principal = principal;
        done();
      }, done);
    };
  }

  /** null: the credential must be looked up. */
  #recall(request: FastifyRequest): Machine | null {
    const parts = parseApiKey(credentialOf(request) ?? '');
    const apiKey = parts === null ? null : this.#knownKeys.find(parts.prefix);
    if (parts === null || apiKey === null || this.#isUseToBeMarked(apiKey) || !isKey(apiKey, parts))
      return null;
    return { kind: 'machine', workspaceId: apiKey.workspaceId, apiKeyId: apiKey.id, isRecalled: true };
  }

  async #authenticate(request: FastifyRequest, auth: Exclude<Auth, 'none'>): Promise<Principal> {
    const credential = credentialOf(request);
    if (credential === undefined) throw missingCredential(auth);
    if (credential.startsWith(API_KEY_START)) {
      if (auth === 'account') throw unauthenticated('This endpoint needs a dashboard token, not an API key');
      return this.#authenticateMachine(credential);
    }
    if (auth === 'api-key') throw unauthenticated('No active API key');
    return this.#authenticatePerson(credential);
  }

  async #authenticateMachine(credential: string): Promise<Principal> {
    const parts = parseApiKey(credential);
    const apiKey = parts === null ? null : await this.#store.apiKeys.findByPrefix(parts.prefix);
    if (parts === null || apiKey === null || !isKey(apiKey, parts) || !apiKey.isActive) {
      if (parts !== null) this.#knownKeys.forget(parts.prefix);
      throw unauthenticated('No active API key');
    }
    this.#knownKeys.keep(await this.#markUse(apiKey));
    return { kind: 'machine', workspaceId: apiKey.workspaceId, apiKeyId: apiKey.id, isRecalled: false };
  }

  async #authenticatePerson(credential: string): Promise<Principal> {
    const claims = await this.#tokens.verify(credential);
    const account = claims === null ? null : await this.#store.accounts.find(claims.accountId);
    if (claims === null || account === null || account.tokenVersion !== claims.tokenVersion) {
      throw unauthenticated('The token is invalid or has expired');
    }
    return { kind: 'person', workspaceId: account.workspaceId, account };
  }

  #isUseToBeMarked({ lastUsedAt }: KnownApiKey): boolean {
    return lastUsedAt === null || this.#clock() - lastUsedAt >= LAST_USED_RESOLUTION_MS;
  }

  async #markUse(apiKey: ApiKey): Promise<ApiKey> {
    if (!this.#isUseToBeMarked(apiKey)) return apiKey;
    const usedAt = this.#clock();
    // A note for people. A disk that is full must not keep anyone from reading.
    await this.#store.apiKeys
      .markUsed({ workspaceId: apiKey.workspaceId, apiKeyId: apiKey.id, usedAt })
      .catch(() => {});
    return { ...apiKey, lastUsedAt: usedAt };
  }
}

export function workspaceIdOf(request: FastifyRequest): string {
  return requirePrincipal(request).workspaceId;
}

/** The machine that calls an endpoint for API keys. */
export function machineOf(request: FastifyRequest): Machine {
  const principal = requirePrincipal(request);
  if (principal.kind !== 'machine') throw new Error('This route must demand an API key');
  return principal;
}

/** The person who calls an endpoint for the dashboard. */
export function accountOf(request: FastifyRequest): Account {
  const principal = requirePrincipal(request);
  if (principal.kind !== 'person') throw new Error('This route must demand an account');
  return principal.account;
}

function requirePrincipal(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('This route must demand a credential');
  return request.principal;
}

function isRecalled({ principal }: FastifyRequest): boolean {
  return principal !== null && principal.kind === 'machine' && principal.isRecalled;
}

function credentialOf(request: FastifyRequest): string | undefined {
  return /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

function isKey(apiKey: KnownApiKey, { secret }: ApiKeyParts): boolean {
  return isSecretOf(secret, apiKey.secretHash);
}

function missingCredential(auth: Exclude<Auth, 'none'>): AppError {
  const wanted = {
    'api-key': 'an API key',
    account: 'a dashboard token',
    any: 'an API key or a dashboard token',
  };
  return unauthenticated(`Send ${wanted[auth]} as "Authorization: Bearer …"`);
}
