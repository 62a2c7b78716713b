/**
 * Bodies in memory are bounded in bytes, for all clients together and for each workspace. A request beyond that is not read
 * until there is room: its bytes wait on the client's side of the connection, where they harm only the client.
 */

import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { FairLimiter } from '../store/fair-limiter.js';
import type { HttpServer } from './server-types.js';

/** A body takes several times its size until it is stored: as bytes, as text and as values. */
const BODIES = {
  maxRunning: 24 * 1024 * 1024,
  maxRunningPerOwner: 8 * 1024 * 1024,
  maxWaiting: 10_000,
  maxWaitingPerOwner: 1_000,
  maxWaitMs: 10_000,
};

/** Register after authentication: the caller's workspace is known then. */
export function admitBodies(server: HttpServer, { bodyLimitBytes }: { bodyLimitBytes: number }): void {
  const limiter = new FairLimiter(BODIES);
  const admit: onRequestHookHandler = (request, reply, done) => {
    const bytes = announcedBytes(request, bodyLimitBytes);
    if (bytes === 0) {
      done();
      return;
    }
    const owner = request.principal?.workspaceId ?? request.ip;
    const admitNow = limiter.tryEnter(owner, bytes);
    if (admitNow !== null) {
      reply.raw.once('close', admitNow);
      done();
      return;
    }
    limiter.enter(owner, bytes).then((release) => {
      // A client that went away meanwhile has nothing to be read.
      if (reply.raw.closed) release();
      else reply.raw.once('close', release);
      done();
    }, done);
  };
  server.addHook('onRoute', (route) => {
    if (route.method === 'GET' || route.method === 'HEAD') return;
    route.onRequest = [...[route.onRequest ?? []].flat(), admit];
  });
}

/** What the body takes at most; a length that is not announced may be as long as is permitted. */
function announcedBytes({ headers }: FastifyRequest, bodyLimitBytes: number): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimitBytes;
  const length = Number(headers['content-length'] ?? 0);
  return Math.min(Number.isFinite(length) ? length : bodyLimitBytes, bodyLimitBytes);
}
