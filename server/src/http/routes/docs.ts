/** The OpenAPI document and a page to browse it. The page is served whole from here and asks no other host. */

import apiReference from '@scalar/fastify-api-reference';
import Type from 'typebox';
import { openApiDocument } from '../openapi.js';
import type { HttpServer } from '../server-types.js';

// The reference page starts itself with an inline script and styles itself at run time.
const PAGE_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; frame-ancestors 'none'";

export async function docsRoutes(server: HttpServer): Promise<void> {
  server.get(
    '/openapi.json',
    {
      config: { auth: 'none' },
      schema: {
        operationId: 'getOpenApi',
        summary: 'This document',
        tags: ['Operations'],
        response: { 200: Type.Unsafe<object>({ type: 'object', additionalProperties: true }) },
      },
    },
    async () => openApiDocument(server),
  );

  await server.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      // Everything that would call the makers of the page.
      agent: { disabled: true },
      showDeveloperTools: 'never',
      pageTitle: 'Guarded Runs API',
    },
    hooks: {
      onRequest: (_request, reply, done) => {
        reply.header('content-security-policy', PAGE_POLICY);
        done();
      },
    },
  });
}
