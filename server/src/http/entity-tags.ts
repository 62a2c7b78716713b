/**
 * Reads that are asked again and again are answered with 304 while nothing has changed. An answer with a tag may be kept by
 * the client that asked, and is asked about each time it is used; every other answer is not kept at all.
 */

import { hash } from 'node:crypto';
import type { onSendHookHandler } from 'fastify';
import { type HttpServer, isTenantRead } from './server-types.js';

/** Of a larger answer, making the tag would hold up others. */
const MAX_TAGGED_BYTES = 262_144;
/** Private: it depends on the credential. No-cache: it is never used without asking. */
const KEPT_BY_THE_CLIENT = 'private, no-cache';

/** Register before the routes, and before what changes their answers. */
export function tagReads(server: HttpServer): void {
  server.addHook('onRoute', (route) => {
    if (isTenantRead(route)) route.onSend = [...[route.onSend ?? []].flat(), tagAnswer];
  });
}

const tagAnswer: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (reply.statusCode !== 200 || !isText || payload.length > MAX_TAGGED_BYTES) {
    done(null, payload);
    return;
  }
  // Weak, because the same answer may be sent compressed.
  const tag = `W/"${hash('sha256', payload, 'base64url')}"`;
  reply.header('etag', tag).header('cache-control', KEPT_BY_THE_CLIENT);
  if (!isMatch(request.headers['if-none-match'], tag)) {
    done(null, payload);
    return;
  }
  reply.code(304).removeHeader('content-type');
  done(null, null);
};

/** The header is a list of tags, or `*`. A proxy may have made a strong one of a weak one. */
function isMatch(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.includes(tag.slice('W/'.length));
}
