/** Retries with an Idempotency-Key: the same request again gets the first answer, for a day. */

import { badRequest } from './app-error.js';
import type { JsonText } from './json.js';

export const REMEMBERED_FOR_MS = 24 * 60 * 60 * 1000;

/** A request whose client may send it again. Both are hashes: neither the key nor the request is kept. */
export interface IdempotentRequest {
  readonly keyHash: string;
  readonly requestHash: string;
}

export interface IdempotencyRecord extends IdempotentRequest {
  readonly answer: JsonText;
  readonly createdAt: number;
}

/** The first answer to this request, or null when it is new. The same key with another request is refused. */
export function replayOf(
  request: IdempotentRequest,
  remembered: IdempotencyRecord | undefined,
  now: number,
): JsonText | null {
  if (remembered === undefined || remembered.createdAt <= now - REMEMBERED_FOR_MS) return null;
  if (remembered.requestHash !== request.requestHash) {
    throw badRequest('This Idempotency-Key was used with another request');
  }
  return remembered.answer;
}
