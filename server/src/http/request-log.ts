/** Logs one line per response, without secrets. The level is error for 5xx, info for 4xx and debug for others. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { HttpServer } from './server-types.js';

const CLIENT_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Uses the id of the client if it is safe to log, so that the logs of both sides can be correlated. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && CLIENT_ID.test(given) ? given : randomUUID();
}

/** Added to each line: a child logger for each request would be more expensive, as most requests log nothing. */
export function requestIdForLog(request: FastifyRequest): { readonly reqId: string } {
  return { reqId: request.id };
}

export function logRequests(server: HttpServer): void {
  const logsSuccesses = ['trace', 'debug'].includes(server.log.level);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    if (statusCode < 400 && !logsSuccesses) {
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
