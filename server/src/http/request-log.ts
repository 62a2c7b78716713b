/** One line per answer: ordinary ones for debugging, refused ones for information, failed ones as errors. No secrets. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HttpServer } from './server-types.js';

const GIVEN_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id where it has one that is fit for a log, so that both sides can be searched for it. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && GIVEN_ID.test(given) ? given : randomUUID();
}

export function logRequests(server: HttpServer): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    const level = statusCode >= 500 ? 'error' : statusCode >= 400 ? 'info' : 'debug';
    request.log[level](
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: statusCode,
        durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
        workspaceId: request.principal?.workspaceId,
      },
      'request',
    );
    done();
  });
}
