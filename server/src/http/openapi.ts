/** Generates the OpenAPI 3.1 document from the schemas of the routes. */

import swagger from '@fastify/swagger';
import type { FastifySchema, RouteOptions } from 'fastify';
import Type from 'typebox';
import { isRestricted } from '../domain/access.js';
import { ERROR_RESPONSES, errors } from './schemas.js';
import { type Auth, accessOf, authOf, type HttpServer, isTenantRead } from './server-types.js';

const SECURITY: Readonly<Record<Auth, Record<string, string[]>[]>> = {
  none: [],
  'api-key': [{ apiKey: [] }],
  account: [{ dashboardToken: [] }],
  any: [{ apiKey: [] }, { dashboardToken: [] }],
};

const SUCCESS: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 204: 'No content' };

const NOT_MODIFIED = Type.Null({
  'x-response-description': 'Not modified since the response whose ETag is in If-None-Match',
});

/** Responses that are the same for all operations, by status. */
const SHARED_RESPONSES: Readonly<Record<string, { readonly name: string }>> = {
  304: { name: 'NotModified' },
  ...ERROR_RESPONSES,
};

type Json = null | boolean | number | string | Json[] | JsonObject;
type JsonObject = { [name: string]: Json };
type Paths = Record<string, Record<string, { responses: JsonObject }>>;
type Components = Record<'responses' | 'schemas', JsonObject>;

/** Register before the routes: it collects them. */
export async function collectOpenApi(server: HttpServer, version: string): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Guarded Runs',
        version,
        description:
          'Guardrails for AI agents. The service allows or denies each run and step by the rules of the workspace, ' +
          'records token usage with its exact cost, and reports spend.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'lg_<prefix>_<secret>',
            description: 'An API key, for machines',
          },
          dashboardToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'A token from /v1/auth/login, for the dashboard',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const auth = authOf(route);
      const wildcard = route.config?.wildcard;
      const documented = {
        ...schema,
        security: SECURITY[auth],
        response: responsesOf({ schema, auth, route }),
      };
      if (wildcard === undefined || schema?.params === undefined) return { schema: documented, url };
      const { properties } = schema.params as { properties: JsonObject };
      const params = { type: 'object', properties: { [wildcard]: properties['*'] }, required: [wildcard] };
      return { schema: { ...documented, params }, url: url.replace('*', `:${wildcard}`) };
    },
  });
}

/** The responses that a route declares, and the errors that follow from its parameters, body and authentication. */
function responsesOf(given: { schema: FastifySchema | undefined; auth: Auth; route: RouteOptions }): object {
  const { querystring, params, response } = given.schema ?? {};
  return {
    ...describeSuccess(response as Record<string, object> | undefined),
    ...(isTenantRead(given.route) ? { 304: NOT_MODIFIED } : {}),
    ...errors(400, 500, 503),
    ...(given.auth === 'none' ? {} : errors(401)),
    ...(isForbiddenToSome(given) ? errors(403) : {}),
    // A body is parsed even if the route does not use it.
    ...(given.route.method === 'GET' ? {} : errors(413, 415, 422)),
    ...(querystring === undefined && params === undefined ? {} : errors(422)),
  };
}

function isForbiddenToSome({ auth, route }: { auth: Auth; route: RouteOptions }): boolean {
  if (auth === 'none') return false;
  const access = accessOf(route);
  return (
    (auth !== 'account' && isRestricted(access, 'machine')) ||
    (auth !== 'api-key' && isRestricted(access, 'person'))
  );
}

function describeSuccess(responses: Record<string, object> = {}): object {
  const described = Object.entries(responses).map(([status, body]) => [
    status,
    { 'x-response-description': SUCCESS[status] ?? 'OK', ...body },
  ]);
  return Object.fromEntries(described);
}

/** Returns the document. The server must be ready. */
export function openApiDocument(server: HttpServer): JsonObject {
  // A deep copy, because the document of the plugin refers to the schema objects of the routes.
  const document = JSON.parse(JSON.stringify(server.swagger())) as JsonObject;
  const shared: Components = { responses: {}, schemas: {} };
  const paths = referToResponses(referToSchemas(document['paths'] ?? {}, shared) as Paths, shared);
  const components = { ...(document['components'] as JsonObject), ...mapValues(shared, sortByName) };
  return { ...document, paths, components };
}

/** Replaces every schema that has a title with a reference to a component of that name. */
function referToSchemas(value: Json, shared: Components): Json {
  if (Array.isArray(value)) return value.map((item) => referToSchemas(item, shared));
  if (!isObject(value)) return value;
  const copy = withoutRequiredDefaults(mapValues(value, (child) => referToSchemas(child, shared)));
  const { title, ...schema } = copy;
  return typeof title === 'string' ? share(shared, 'schemas', { name: title, part: schema }) : copy;
}

/** Replaces every response that is the same for all operations with a reference to a component. */
function referToResponses(paths: Paths, shared: Components): Paths {
  const refer = (response: Json, status: string): Json => {
    const name = SHARED_RESPONSES[status]?.name;
    return name === undefined ? response : share(shared, 'responses', { name, part: response });
  };
  return mapValues(paths, (operations) =>
    mapValues(operations, (operation) => ({
      ...operation,
      responses: mapValues(operation.responses, refer),
    })),
  );
}

/** Adds a component and returns a reference to it. */
function share(
  shared: Components,
  kind: keyof Components,
  { name, part }: { name: string; part: Json },
): Json {
  const known = shared[kind][name] ?? part;
  if (JSON.stringify(known) !== JSON.stringify(part)) throw new Error(`Two ${kind} have the name ${name}`);
  shared[kind][name] = part;
  return { $ref: `#/components/${kind}/${name}` };
}

/** Parameters and fields with a default are optional. */
function withoutRequiredDefaults(object: JsonObject): JsonObject {
  const { required, properties, schema } = object;
  if (required === true && hasDefault(schema)) return { ...object, required: false };
  if (!Array.isArray(required) || !isObject(properties)) return object;
  const names = required.filter((name) => !hasDefault(properties[String(name)]));
  return { ...object, required: names };
}

function hasDefault(schema: Json | undefined): boolean {
  return isObject(schema) && schema['default'] !== undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapValues<Key extends string, In, Out>(
  object: Readonly<Record<Key, In>>,
  map: (value: In, key: Key) => Out,
): Record<Key, Out> {
  const entries = Object.entries<In>(object).map(([key, value]) => [key, map(value, key as Key)]);
  return Object.fromEntries(entries) as Record<Key, Out>;
}

function sortByName(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1)));
}
