/**
 * On closing, an answer under way also ends its connection. Without this a client that keeps its connection open would
 * hold up the end of the process.
 */

import type { HttpServer } from './server-types.js';

export function closeConnectionsOnStop(server: HttpServer): void {
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
}
