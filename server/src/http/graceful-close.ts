/**
 * When the server closes, each response in flight also ends its connection. Idle connections are closed after a grace period:
 * a client that keeps one open would otherwise delay the shutdown.
 */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpServer } from './server-types.js';

/** Requests that are already being sent arrive within this time. */
const GRACE_MS = 2_000;
/** Answers that were begun before the stop keep their connections: these are closed when they end. */
const CHECK_EVERY_MS = 250;

export function closeConnectionsOnStop(server: HttpServer): void {
  // Responses of a connection are sent in order: when the last one is through, all are. It is not kept in memory for that.
  const lastResponseOf = new Map<Socket, WeakRef<ServerResponse> | null>();
  let closing = false;
  server.server.on('connection', (socket) => {
    lastResponseOf.set(socket, null);
    socket.once('close', () => lastResponseOf.delete(socket));
  });
  server.server.on('request', ({ socket }, response) => {
    if (lastResponseOf.has(socket)) lastResponseOf.set(socket, new WeakRef(response));
  });
  server.addHook('preClose', async () => {
    closing = true;
    const closeIdle = () => {
      for (const [socket, last] of lastResponseOf) if (last?.deref()?.closed ?? true) socket.destroy();
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
