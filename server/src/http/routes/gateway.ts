/** The gateway: where it is, and how requests get to it. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import Type from 'typebox';
import type { HttpServer } from '../server-types.js';

export interface GatewayOfServer {
  readonly providers: readonly ServedProvider[];
  /** Answers a request under `/gateway/`. Never throws. `ownHeaders` are those of every response. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    ownHeaders: Readonly<Record<string, string>>,
  ): Promise<void>;
}

export interface ServedProvider {
  readonly name: string;
  readonly hasKey: boolean;
}

const GatewayBody = Type.Object(
  {
    providers: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          path: Type.String({ description: 'Where its API is; clients append /v1/…' }),
          has_key: Type.Boolean({
            description:
              'Whether the service has the key of the provider, so that clients send theirs of Guarded Runs in its place',
          }),
        },
        { title: 'GatewayProvider' },
      ),
      { description: 'Empty if the gateway is off' },
    ),
  },
  { title: 'Gateway' },
);

export function gatewayRoutes(server: HttpServer, gateway: GatewayOfServer | null): void {
  const providers = (gateway?.providers ?? []).map(({ name, hasKey }) => ({
    name,
    path: `/gateway/${name}`,
    has_key: hasKey,
  }));

  server.get(
    '/v1/gateway',
    {
      config: { auth: 'any', access: 'read' },
      schema: {
        operationId: 'getGateway',
        summary: 'Where the gateway is',
        tags: ['Gateway'],
        response: { 200: GatewayBody },
      },
    },
    () => ({ providers }),
  );

  if (gateway === null) return;
  server.all(
    '/gateway/*',
    {
      config: { auth: 'none' },
      schema: { hide: true },
      // Before the body is read: the gateway reads it while it arrives.
      onRequest: (request, reply) => {
        reply.hijack();
        const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);
        void gateway.handle(request.raw, reply.raw, Object.fromEntries(headers));
      },
    },
    // Never called: the hook has answered.
    (_request, reply) => reply,
  );
}
