/** Encrypts text with AES-256-GCM. The key is derived from a passphrase. */

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function sealText(text: string, passphrase: string): string {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, deriveKey(passphrase, salt), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

export function openSealedText(sealedText: string, passphrase: string): string {
  const bytes = Buffer.from(sealedText, 'base64url');
  const salt = bytes.subarray(0, SALT_BYTES);
  const nonce = bytes.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES);
  const tag = bytes.subarray(SALT_BYTES + NONCE_BYTES, SALT_BYTES + NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, deriveKey(passphrase, salt), nonce);
  decipher.setAuthTag(tag);
  const sealed = bytes.subarray(SALT_BYTES + NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
}

function deriveKey(passphrase: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', passphrase, salt, 'guarded-runs sealed text', 32));
}
