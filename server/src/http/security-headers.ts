/** Sent with every answer. Pages that need more than their own origin say so themselves. */

import type { onRequestHookHandler } from 'fastify';
import type { HttpServer } from './server-types.js';

export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Answers about money and keys are not to be kept, unless entity-tags.ts says how. */
const NOT_TO_BE_KEPT = { 'cache-control': 'no-store' };
const API_PATH = '/v1/';

export function sendSecurityHeaders(server: HttpServer): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    if (request.is404 && request.url.startsWith(API_PATH)) reply.headers(NOT_TO_BE_KEPT);
    done();
  });
  // The route decides, since one route has many spellings.
  server.addHook('onRoute', (route) => {
    if (!route.url.startsWith(API_PATH)) return;
    const forbidKeeping: onRequestHookHandler = (_request, reply, done) => {
      reply.headers(NOT_TO_BE_KEPT);
      done();
    };
    route.onRequest = [...[route.onRequest ?? []].flat(), forbidKeeping];
  });
}
