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

interface Connection {
  openResponses: number;
}

export function closeConnectionsOnStop(server: HttpServer): void {
  const connections = new Map<Socket, Connection>();
  let closing = false;
  server.server.on('connection', (socket) => {
    connections.set(socket, { openResponses: 0 });
    socket.on('close', () => connections.delete(socket));
  });
  server.server.on('request', ({ socket }, response) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.openResponses += 1;
    response.on('close', () => {
      connection.openResponses -= 1;
    });
  });
  server.addHook('preClose', async () => {
    closing = true;
    const closeIdle = () => {
      for (const [socket, { openResponses }] of connections) if (openResponses === 0) socket.destroy();
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
