/** The OpenAPI document and a page to browse it. The page loads nothing from other hosts. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { openApiDocument } from '../openapi.js';
import type { HttpServer } from '../server-types.js';

const PAGE_CONFIGURATION = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  // These features would send requests to the vendor of the page.
  agent: { disabled: true },
  showDeveloperTools: 'never',
};

const START_SCRIPT = `Scalar.createApiReference('#app', ${JSON.stringify(PAGE_CONFIGURATION)})`;

// The page needs one inline script, and adds inline styles at run time.
const PAGE_POLICY =
  `default-src 'self'; script-src 'self' 'sha256-${createHash('sha256').update(START_SCRIPT).digest('base64')}'; ` +
  "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <title>Guarded Runs API</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/js/scalar.js"></script>
    <script>${START_SCRIPT}</script>
  </body>
</html>
`;

export async function docsRoutes(server: HttpServer): Promise<void> {
  // Generated once: it takes some milliseconds, and the route needs no authentication.
  let document: Buffer | undefined;
  server.get(
    '/openapi.json',
    {
      config: { auth: 'none' },
      schema: {
        operationId: 'getOpenApi',
        summary: 'Get this document',
        tags: ['Operations'],
        response: { 200: Type.Unsafe<object>({ type: 'object', additionalProperties: true }) },
      },
    },
    async (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(openApiDocument(server)));
      return reply.type('application/json; charset=utf-8').send(document);
    },
  );

  const hidden = { config: { auth: 'none' }, schema: { hide: true } } as const;
  const script = await readPageScript();
  server.get('/docs/', hidden, (_request, reply) => sendPage(reply, 'text/html', PAGE));
  server.get('/docs/js/scalar.js', hidden, (_request, reply) => sendPage(reply, 'text/javascript', script));
}

function sendPage(reply: FastifyReply, type: string, text: string | Buffer): FastifyReply {
  return reply.header('content-security-policy', PAGE_POLICY).type(`${type}; charset=utf-8`).send(text);
}

/**
 * Only the script of the package is used, because its plugin redirects /docs. It is a buffer, which all responses share: from
 * a string, each response would hold a copy of several megabytes.
 */
async function readPageScript(): Promise<Buffer> {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return readFile(join(dirname(entry), 'js', 'standalone.js'));
}
