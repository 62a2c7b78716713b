/** Headers of every response. Pages that need a less strict policy set their own. */

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

/** Responses of the API are confidential and must not be cached, except those that entity-tags.ts tags. */
const NO_STORE = { 'cache-control': 'no-store' };
const API_PATH = '/v1/';

export function sendSecurityHeaders(server: HttpServer): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    if (request.is404 && request.url.startsWith(API_PATH)) reply.headers(NO_STORE);
    done();
  });
  // By route rather than by URL, because one route has many spellings.
  server.addHook('onRoute', (route) => {
    if (!route.url.startsWith(API_PATH)) return;
    const forbidCaching: onRequestHookHandler = (_request, reply, done) => {
      reply.headers(NO_STORE);
      done();
    };
    route.onRequest = [...[route.onRequest ?? []].flat(), forbidCaching];
  });
}
