/** Health and metrics, for operators of the service. */

import Type from 'typebox';
import type { Store } from '../../store/store.js';
import type { Metrics } from '../metrics.js';
import type { HttpServer } from '../server-types.js';

export interface OperationsRoutesOptions {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly version: string;
}

export function operationsRoutes(
  server: HttpServer,
  { store, metrics, version }: OperationsRoutesOptions,
): void {
  server.get(
    '/health',
    {
      config: { auth: 'none' },
      schema: {
        operationId: 'getHealth',
        summary: 'Check the service and its database',
        tags: ['Operations'],
        response: {
          200: Type.Object(
            { status: Type.String({ description: 'ok' }), version: Type.String() },
            { title: 'Health' },
          ),
        },
      },
    },
    async () => {
      await store.ping();
      return { status: 'ok', version };
    },
  );

  server.get(
    '/metrics',
    {
      config: { auth: 'none' },
      schema: {
        operationId: 'getMetrics',
        summary: 'Get Prometheus metrics',
        tags: ['Operations'],
        response: {
          200: {
            content: { 'text/plain': { schema: Type.String({ description: 'Prometheus text format' }) } },
          },
        },
      },
    },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  );
}
