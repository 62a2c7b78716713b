/** API key or JWT → Principal, before anything of the body is read. A wrong kind of credential is no credential. */

import type { FastifyRequest } from 'fastify';
import type { AccessTokens } from '../auth/access-tokens.js';
import { isSecretOf, parseApiKey } from '../auth/api-key-secret.js';
import type { Account } from '../domain/account.js';
import type { ApiKey } from '../domain/api-key.js';
import { type AppError, unauthenticated } from '../domain/app-error.js';
import type { Store } from '../store/store.js';
import type { Auth, HttpServer, Principal } from './server-types.js';

/** `last_used_at` is written at most this often per key, so that reading stays cheap. */
const LAST_USED_RESOLUTION_MS = 60_000;

const API_KEY_START = 'lg_';

export interface AuthenticateOptions {
  readonly store: Store;
  readonly tokens: AccessTokens;
  /** This process's clock: good enough for when a key was last used, and no question to the database. */
  readonly clock: () => number;
}

export function authenticateRequests(server: HttpServer, options: AuthenticateOptions): void {
  server.decorateRequest('principal', null);
  server.addHook('onRequest', async (request) => {
    const { auth = 'none' } = request.routeOptions.config;
    if (auth !== 'none') request.principal = await authenticate(request.headers.authorization, auth, options);
  });
}

export function workspaceIdOf(request: FastifyRequest): string {
  return requirePrincipal(request).workspaceId;
}

/** The key with which a machine calls an endpoint for API keys. */
export function apiKeyOf(request: FastifyRequest): ApiKey {
  const principal = requirePrincipal(request);
  if (principal.kind !== 'api-key') throw new Error('This route must demand an API key');
  return principal.apiKey;
}

/** The person who calls an endpoint for the dashboard. */
export function accountOf(request: FastifyRequest): Account {
  const principal = requirePrincipal(request);
  if (principal.kind !== 'account') throw new Error('This route must demand an account');
  return principal.account;
}

function requirePrincipal(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('This route must demand a credential');
  return request.principal;
}

async function authenticate(
  header: string | undefined,
  auth: Exclude<Auth, 'none'>,
  options: AuthenticateOptions,
): Promise<Principal> {
  const credential = /^bearer +(\S+)$/i.exec(header ?? '')?.[1];
  if (credential === undefined) throw missingCredential(auth);
  if (credential.startsWith(API_KEY_START)) {
    if (auth === 'account') throw unauthenticated('This endpoint needs a dashboard token, not an API key');
    return authenticateApiKey(credential, options);
  }
  if (auth === 'api-key') throw unauthenticated('No active API key');
  return authenticateAccount(credential, options);
}

function missingCredential(auth: Exclude<Auth, 'none'>): AppError {
  const wanted = {
    'api-key': 'an API key',
    account: 'a dashboard token',
    any: 'an API key or a dashboard token',
  };
  return unauthenticated(`Send ${wanted[auth]} as "Authorization: Bearer …"`);
}

async function authenticateApiKey(
  credential: string,
  { store, clock }: AuthenticateOptions,
): Promise<Principal> {
  const parsed = parseApiKey(credential);
  const apiKey = parsed === null ? null : await store.apiKeys.findByPrefix(parsed.prefix);
  if (
    parsed === null ||
    apiKey === null ||
    !isSecretOf(parsed.secret, apiKey.secretHash) ||
    !apiKey.isActive
  ) {
    throw unauthenticated('No active API key');
  }
  const now = clock();
  if (apiKey.lastUsedAt === null || now - apiKey.lastUsedAt >= LAST_USED_RESOLUTION_MS) {
    // A note for people. A disk that is full must not keep anyone from reading.
    await store.apiKeys
      .markUsed({ workspaceId: apiKey.workspaceId, apiKeyId: apiKey.id, usedAt: now })
      .catch(() => {});
  }
  return { kind: 'api-key', workspaceId: apiKey.workspaceId, apiKey };
}

async function authenticateAccount(
  credential: string,
  { store, tokens }: AuthenticateOptions,
): Promise<Principal> {
  const claims = await tokens.verify(credential);
  const account = claims === null ? null : await store.accounts.find(claims.accountId);
  if (claims === null || account === null || account.tokenVersion !== claims.tokenVersion) {
    throw unauthenticated('The token is invalid or has expired');
  }
  return { kind: 'account', workspaceId: account.workspaceId, account };
}
