/** The optional `Idempotency-Key` of writes: what makes a request known when it is sent again after a lost reply. */

import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { IdempotentRequest } from '../domain/idempotency.js';
import type { Caller } from '../engine/command.js';
import { machineOf } from './authenticate.js';

const HEADER = 'idempotency-key';

export const IdempotencyHeaders = Type.Object({
  [HEADER]: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Makes a retry safe: for 24 hours the same request with the same key gets the first answer and has no further ' +
        'effect; another request with it is refused with 400.',
    }),
  ),
});

/** The machine that calls an endpoint for API keys. */
export function callerOf(request: FastifyRequest): Caller {
  const { apiKeyId, workspaceId } = machineOf(request);
  return { apiKeyId, workspaceId, idempotency: idempotencyOf(request) };
}

export function idempotencyOf(request: FastifyRequest): IdempotentRequest | undefined {
  const key = idempotencyKeyOf(request);
  if (key === undefined) return undefined;
  const { method, routeOptions, params, body } = request;
  return {
    keyHash: toStoredKey(key),
    requestHash: digest(JSON.stringify([method, routeOptions.url, params, body])),
  };
}

/** The key as it was sent; only for what must not be readable without it. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const value = request.headers[HEADER];
  return typeof value === 'string' ? value : undefined;
}

/** A version 7 UUID begins with the time at which it was made. */
const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * A hash, behind the time that a key may begin with. Records of keys in order of time are written next to each other in
 * the database; hashes alone would be spread over all of it, and every write would change another page.
 */
function toStoredKey(key: string): string {
  const [, high = '', low = ''] = UUID_V7.exec(key) ?? [];
  return (high + low).toLowerCase() + digest(key);
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}
