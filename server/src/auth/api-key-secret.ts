/** API keys: `lg_<prefix>_<secret>`. The prefix looks up the key; the secret is verified against a SHA-256 hash. */

import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const PREFIX_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const PREFIX_LENGTH = 8;
const SECRET_BYTES = 32;
const KEY_PATTERN = /^lg_([a-z0-9]{8})_([A-Za-z0-9_-]{43})$/;

export interface NewApiKeySecret {
  /** Shown to its owner once and never stored. */
  readonly key: string;
  readonly prefix: string;
  readonly secretHash: string;
}

export interface ApiKeyParts {
  readonly prefix: string;
  readonly secret: string;
}

export function newApiKeySecret(): NewApiKeySecret {
  const prefix = Array.from({ length: PREFIX_LENGTH }, () =>
    PREFIX_ALPHABET.charAt(randomInt(PREFIX_ALPHABET.length)),
  ).join('');
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { key: `lg_${prefix}_${secret}`, prefix, secretHash: hashSecret(secret) };
}

/** Returns the parts of a key, or null for text that is not in the format of a key. */
export function parseApiKey(text: string): ApiKeyParts | null {
  const [, prefix, secret] = KEY_PATTERN.exec(text) ?? [];
  return prefix === undefined || secret === undefined ? null : { prefix, secret };
}

/** With the hash as text, or as its bytes if it is compared often. */
export function verifySecret(secret: string, secretHash: string | Buffer): boolean {
  const expected = typeof secretHash === 'string' ? Buffer.from(secretHash) : secretHash;
  return timingSafeEqual(Buffer.from(hashSecret(secret)), expected);
}

function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}
