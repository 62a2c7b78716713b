/**
 * Tokens of accounts: JWTs signed with HS256 only. A token is valid for one purpose, and for one version of the account: changing
 * the password or ending the sessions invalidates all of them.
 */

import { randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

const ALGORITHM = 'HS256';
const ISSUER = 'guarded-runs';
/** By purpose: a token that resets a password does not sign in. */
const AUDIENCES = { dashboard: ISSUER, 'password reset': 'guarded-runs/reset-password' };
const RESET_TTL_SECONDS = 3_600;

export type TokenPurpose = keyof typeof AUDIENCES;
/** How far the clock of another instance may be ahead. A token issued later than that is rejected. */
const MAX_CLOCK_SKEW_SECONDS = 60;

export interface TokenClaims {
  readonly accountId: string;
  readonly tokenVersion: number;
}

export interface AccountTokensOptions {
  readonly secret: string;
  /** Of dashboard tokens. */
  readonly ttlSeconds: number;
  readonly clock: () => number;
}

export class AccountTokens {
  readonly #key: Uint8Array;
  readonly #ttlSeconds: number;
  readonly #clock: () => number;

  /** Signs with the configured secret, or with the one that the store keeps. */
  static async open(given: {
    config: { readonly jwtSecret: string | null; readonly jwtTtlSeconds: number };
    secrets: { keepSecret(name: string, candidate: string): Promise<string> };
    clock: () => number;
  }): Promise<AccountTokens> {
    // Written even if JWT_SECRET is set, so that a store that cannot be written fails at startup, not at the first request.
    const stored = await given.secrets.keepSecret('jwt', randomBytes(32).toString('base64url'));
    const { jwtSecret, jwtTtlSeconds } = given.config;
    return new AccountTokens({
      secret: jwtSecret ?? stored,
      ttlSeconds: jwtTtlSeconds,
      clock: given.clock,
    });
  }

  constructor({ secret, ttlSeconds, clock }: AccountTokensOptions) {
    this.#key = new TextEncoder().encode(secret);
    this.#ttlSeconds = ttlSeconds;
    this.#clock = clock;
  }

  async issue(
    { accountId, tokenVersion }: TokenClaims,
    purpose: TokenPurpose = 'dashboard',
  ): Promise<string> {
    const ttlSeconds = purpose === 'dashboard' ? this.#ttlSeconds : RESET_TTL_SECONDS;
    const issuedAt = Math.floor(this.#clock() / 1000);
    return new SignJWT({ ver: tokenVersion })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(accountId)
      .setIssuer(ISSUER)
      .setAudience(AUDIENCES[purpose])
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ttlSeconds)
      .sign(this.#key);
  }

  /** Returns the claims of a valid token, or null. */
  async verify(token: string, purpose: TokenPurpose = 'dashboard'): Promise<TokenClaims | null> {
    if (!isCanonical(token)) return null;
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCES[purpose],
        requiredClaims: ['sub', 'exp', 'iat'],
        currentDate: new Date(this.#clock()),
      });
      const { sub, iat = Number.NaN, ['ver']: tokenVersion } = payload;
      if (!(iat <= this.#clock() / 1000 + MAX_CLOCK_SKEW_SECONDS)) return null;
      if (typeof sub !== 'string' || typeof tokenVersion !== 'number') return null;
      return { accountId: sub, tokenVersion };
    } catch {
      return null;
    }
  }
}

/**
 * Rejects other base64url spellings of the same bytes: padding, and a last character that differs only in unused bits. Each
 * token has exactly one spelling.
 */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
