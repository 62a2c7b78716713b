/** Dashboard tokens: JWTs signed with HS256 only. A token is valid for one version of the account's password. */

import { jwtVerify, SignJWT } from 'jose';

const ALGORITHM = 'HS256';
const ISSUER = 'guarded-runs';
/** How far the clock of another instance may be ahead. A token issued later than that is rejected. */
const MAX_CLOCK_SKEW_SECONDS = 60;

export interface TokenClaims {
  readonly accountId: string;
  readonly tokenVersion: number;
}

export interface AccessTokensOptions {
  readonly secret: string;
  readonly ttlSeconds: number;
  readonly clock: () => number;
}

export class AccessTokens {
  readonly #key: Uint8Array;
  readonly #ttlSeconds: number;
  readonly #clock: () => number;

  constructor({ secret, ttlSeconds, clock }: AccessTokensOptions) {
    this.#key = new TextEncoder().encode(secret);
    this.#ttlSeconds = ttlSeconds;
    this.#clock = clock;
  }

  async issue({ accountId, tokenVersion }: TokenClaims): Promise<string> {
    const issuedAt = Math.floor(this.#clock() / 1000);
    return new SignJWT({ ver: tokenVersion })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(accountId)
      .setIssuer(ISSUER)
      .setAudience(ISSUER)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + this.#ttlSeconds)
      .sign(this.#key);
  }

  /** Returns the claims of a valid token, or null. */
  async verify(token: string): Promise<TokenClaims | null> {
    if (!isCanonical(token)) return null;
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: ISSUER,
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
