/**
 * When the server closes, each response in flight also ends its connection. Idle connections are closed after a grace period:
 * a client that keeps one open would otherwise delay the shutdown.
 */

import type { Socket } from 'node:net';
import type { HttpServer } from './server-types.js';

/** Requests that are already being sent arrive within this time. */
const GRACE_MS = 2_000;
/** Answers that were begun before the stop keep their connections: these are closed when they end. */
const CHECK_EVERY_MS = 250;

export function closeConnectionsOnStop(server: HttpServer): void {
  const requestsOf = new Map<Socket, number>();
  let closing = false;
  server.server.on('connection', (socket) => {
    requestsOf.set(socket, 0);
    socket.once('close', () => requestsOf.delete(socket));
  });
  server.server.on('request', ({ socket }, response) => {
    requestsOf.set(socket, (requestsOf.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const requests = requestsOf.get(socket);
      if (requests !== undefined) requestsOf.set(socket, requests - 1);
    });
  });
  server.addHook('preClose', async () => {
    closing = true;
    const closeIdle = () => {
      for (const [socket, requests] of requestsOf) if (requests === 0) socket.destroy();
    };
    setTimeout(() => {
      closeIdle();
      setInterval(closeIdle, CHECK_EVERY_MS).unref();
    }, GRACE_MS).unref();
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
}
