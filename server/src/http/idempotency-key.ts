/** The optional `Idempotency-Key` header of writes, which identifies a request that is retried after a lost response. */

import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { IdempotentRequest } from '../domain/idempotency.js';
import type { MachineCaller } from '../engine/command.js';
import { idempotencyDigest as digest } from '../engine/idempotency-digest.js';
import { machineOf, workspaceIdOf } from './authenticate.js';

const HEADER = 'idempotency-key';

export const IdempotencyHeaders = Type.Object({
  [HEADER]: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Makes retries safe. For 24 hours, the same request with the same key returns the first response and has no ' +
        'further effect; another request with the same key returns 400.',
    }),
  ),
});

/** The caller of a route with `auth: 'api-key'`. */
export function callerOf(request: FastifyRequest): MachineCaller {
  const { apiKeyId, workspaceId, userId } = machineOf(request);
  return { apiKeyId, workspaceId, userId, idempotency: idempotencyOf(request) };
}

export function idempotencyOf(request: FastifyRequest): IdempotentRequest | undefined {
  const key = idempotencyKeyOf(request);
  if (key === undefined) return undefined;
  const { method, routeOptions, params, body } = request;
  return {
    keyHash: storedKeyOf(workspaceIdOf(request), key),
    requestHash: digest(JSON.stringify([method, routeOptions.url, params, body])),
  };
}

/** The key as sent by the client. Use it only to encrypt what is stored: the key itself must not be stored. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const value = request.headers[HEADER];
  return typeof value === 'string' ? value : undefined;
}

/** A version 7 UUID starts with the time of its creation. */
const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * A hash of the key and the workspace, preceded by the time if the key starts with one. Keys in order of time are stored next
 * to each other in the index; hashes alone are random, and each write would change a different page. The index is written with
 * every request, so what it contains is short.
 */
function storedKeyOf(workspaceId: string, key: string): string {
  const [, high = '', low = ''] = UUID_V7.exec(key) ?? [];
  return (high + low).toLowerCase() + digest(workspaceId + digest(key));
}
