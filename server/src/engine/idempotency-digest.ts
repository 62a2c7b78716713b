import { hash } from 'node:crypto';

/** 132 bits. The index of idempotency keys is written with every request that has one, so what it contains is short. */
const LENGTH = 22;

/** What is stored of an idempotency key and of the request that it belongs to. */
export function idempotencyDigest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, LENGTH);
}
