/** Bodies are taken as they are, without type coercion; query parameters are text and are parsed. */

import { Ajv } from 'ajv';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import type { HttpServer } from './server-types.js';

// Formats are documentation here: ids are checked where they are looked up, so that a malformed one is just unknown.
const COMMON = { useDefaults: true, strict: true, strictTypes: false, validateFormats: false } as const;

export function validateRequests(server: HttpServer): void {
  const bodies = new Ajv({ ...COMMON, coerceTypes: false });
  // Text such as 1e400 is read as Infinity, which only a bound without strictNumbers refuses.
  const texts = new Ajv({ ...COMMON, coerceTypes: true, strictNumbers: false });
  server.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? bodies : texts).compile(schema as object),
  );
  server.setSchemaErrorFormatter((errors, part) => new Error(describe(errors[0], part)));
}

function describe(error: FastifySchemaValidationError | undefined, part: string): string {
  const { instancePath = '', message = 'is invalid', params = {} } = error ?? {};
  const allowed = (params as { allowedValues?: unknown[] }).allowedValues;
  const said =
    allowed === undefined ? message : `must be one of ${allowed.map((value) => value ?? 'null').join(', ')}`;
  return `${part}${instancePath} ${said}`;
}
