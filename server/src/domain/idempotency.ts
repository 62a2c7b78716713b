/** Retries with an Idempotency-Key: the same request again gets the first reply, for a day. */

import { badRequest } from './app-error.js';
import type { JsonText } from './run.js';

export const IDEMPOTENCY_WINDOW_MS = 24 * 60 * 60 * 1000;

/** A request whose client may send it again. Both are hashes: neither the key nor the request is stored. */
export interface IdempotentRequest {
  readonly keyHash: string;
  readonly requestHash: string;
}

export interface IdempotencyRecord extends IdempotentRequest {
  readonly reply: JsonText;
  readonly createdAt: number;
}

/** The first reply to this request, or null when the request is new. The same key with another request is refused. */
export function replayOf(
  request: IdempotentRequest,
  record: IdempotencyRecord | undefined,
  now: number,
): JsonText | null {
  if (record === undefined || record.createdAt <= now - IDEMPOTENCY_WINDOW_MS) return null;
  if (record.requestHash !== request.requestHash) {
    throw badRequest('This Idempotency-Key was used with another request');
  }
  return record.reply;
}
