/**
 * Adds an ETag to reads, so that a repeated read is answered with 304 while nothing has changed. A client may cache a response
 * with an ETag, but must revalidate it before each use. All other responses must not be stored.
 */

import { hash } from 'node:crypto';
import type { onSendHookHandler } from 'fastify';
import { type HttpServer, isTenantRead } from './server-types.js';

/** Hashing a larger response would delay other requests. */
const MAX_TAGGED_BYTES = 262_144;
/** `private`: the response depends on the credential. `no-cache`: it must be revalidated before each use. */
const REVALIDATE = 'private, no-cache';

/** Register before the routes, and before hooks that change their responses. */
export function tagReads(server: HttpServer): void {
  server.addHook('onRoute', (route) => {
    if (isTenantRead(route)) route.onSend = [...[route.onSend ?? []].flat(), tagResponse];
  });
}

const tagResponse: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (reply.statusCode !== 200 || !isText || payload.length > MAX_TAGGED_BYTES) {
    done(null, payload);
    return;
  }
  // Weak, because the same response may also be sent compressed.
  const tag = `W/"${hash('sha256', payload, 'base64url')}"`;
  reply.header('etag', tag).header('cache-control', REVALIDATE);
  if (!isMatch(request.headers['if-none-match'], tag)) {
    done(null, payload);
    return;
  }
  reply.code(304).removeHeader('content-type');
  done(null, null);
};

/** The header is a list of tags or `*`. The prefix `W/` is ignored, because some proxies remove it. */
function isMatch(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.includes(tag.slice('W/'.length));
}
