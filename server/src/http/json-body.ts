/** Accepts uncompressed JSON bodies only. Register before the routes: routes without authentication get a smaller limit. */

import type { FastifyRequest } from 'fastify';
import { AppError, unprocessable } from '../domain/app-error.js';
import type { BodyAdmission } from './body-admission.js';
import { ANONYMOUS, type BodyShape, LARGE_BODY_BYTES, type LargeBodies } from './large-body.js';
import { parseJson } from './parse-json.js';
import { authOf, type HttpServer } from './server-types.js';

/** The largest body of a route without authentication. A sign-in or registration with the longest values fits. */
export const MAX_ANONYMOUS_BODY_BYTES = 16_384;

export interface ParseJsonBodiesOptions {
  readonly bodyLimitBytes: number;
  readonly largeBodies: LargeBodies;
  readonly admission: BodyAdmission;
}

export function parseJsonBodies(
  server: HttpServer,
  { bodyLimitBytes, largeBodies, admission }: ParseJsonBodiesOptions,
): void {
  server.addHook('onRoute', (route) => {
    if (authOf(route) === 'none') route.bodyLimit = Math.min(MAX_ANONYMOUS_BODY_BYTES, bodyLimitBytes);
  });
  const knownShapes = new WeakMap<object, BodyShape>();
  const shapeOf = ({ routeOptions }: FastifyRequest): BodyShape => {
    const schema = (routeOptions.schema?.body ?? {}) as BodySchema;
    const shape = knownShapes.get(schema) ?? toBodyShape(schema);
    knownShapes.set(schema, shape);
    return shape;
  };
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done) => {
      let value: unknown;
      try {
        requireUncompressed(request);
        if (body.length > LARGE_BODY_BYTES) {
          const owner = request.principal?.workspaceId ?? ANONYMOUS;
          const parsing = largeBodies.parse(owner, body, shapeOf(request));
          admission.holdUntil(request, parsing);
          parsing.then((parsed) => done(null, parsed), done);
          return;
        }
        value = body.length === 0 ? undefined : parseJson(body);
      } catch (error) {
        done(error as Error);
        return;
      }
      done(null, value);
    },
  );
}

interface BodySchema {
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly items?: BodySchema;
  readonly maxItems?: number;
  readonly additionalProperties?: unknown;
}

/** A value is client data if its schema allows any properties. */
function toBodyShape({ properties, items, maxItems = 0, additionalProperties }: BodySchema): BodyShape {
  if (additionalProperties === true) return 'json';
  if (items !== undefined) return { items: toBodyShape(items), maxItems };
  if (properties === undefined) return 'plain';
  const fields = Object.entries(properties).map(([name, schema]) => [name, toBodyShape(schema)]);
  return { fields: Object.fromEntries(fields) };
}

function requireUncompressed({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('unsupported-media-type', 'Compressed bodies are not accepted');
  }
}

/** Applies the checks of `parseJson` to text from a path or a query. */
export function requireStorableText(text: string, path: string): void {
  if (text.includes('\0')) throw unprocessable(`${path} must not contain a NUL character`);
  if (!text.isWellFormed()) throw unprocessable(`${path} must be well-formed Unicode`);
}
