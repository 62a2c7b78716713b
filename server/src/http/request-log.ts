/** One line per answer: ordinary ones for debugging, refused ones for information, failed ones as errors. No secrets. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { HttpServer } from './server-types.js';

const GIVEN_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id where it has one that is fit for a log, so that both sides can be searched for it. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && GIVEN_ID.test(given) ? given : randomUUID();
}

/** With each line, since a logger for each request would cost more than most requests log. */
export function requestIdForLog(request: FastifyRequest): { readonly reqId: string } {
  return { reqId: request.id };
}

export function logRequests(server: HttpServer): void {
  const ordinaryAreLogged = ['trace', 'debug'].includes(server.log.level);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    if (statusCode < 400 && !ordinaryAreLogged) {
      done();
      return;
    }
    const level = statusCode >= 500 ? 'error' : statusCode >= 400 ? 'info' : 'debug';
    request.log[level](
      {
        ...requestIdForLog(request),
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
