/** Sent with every answer. Pages that need more than their own origin say so themselves. */

import type { HttpServer } from './server-types.js';

export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export function sendSecurityHeaders(server: HttpServer): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    // Answers about money and keys are nobody's to keep. The route decides, since one route has many spellings.
    if ((request.routeOptions.url ?? request.url).startsWith('/v1/'))
      reply.header('cache-control', 'no-store');
    done();
  });
}
