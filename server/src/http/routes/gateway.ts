/** Hands requests under `/gateway/` to the gateway as they came, before their bodies are read. It answers them itself. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpServer } from '../server-types.js';

/** Never throws. `ownHeaders` are those of every response. */
export type GatewayHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  ownHeaders: Readonly<Record<string, string>>,
) => Promise<void>;

export function gatewayRoutes(server: HttpServer, handle: GatewayHandler): void {
  server.all(
    '/gateway/*',
    {
      config: { auth: 'none' },
      schema: { hide: true },
      onRequest: (request, reply) => {
        reply.hijack();
        const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);
        void handle(request.raw, reply.raw, Object.fromEntries(headers));
      },
    },
    // Never called: the hook has answered.
    (_request, reply) => reply,
  );
}
