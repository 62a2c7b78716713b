/** Validates bodies without type coercion; parameters are text and are coerced. */

import { Ajv } from 'ajv';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import type { HttpServer } from './server-types.js';

// Formats are documentation only: ids are checked when they are looked up, so that a malformed id is a 404.
const COMMON = { useDefaults: true, strict: true, strictTypes: false, validateFormats: false } as const;

export function validateRequests(server: HttpServer): void {
  const bodies = new Ajv({ ...COMMON, coerceTypes: false });
  // 1e400 is coerced to Infinity, which is rejected by a maximum only without strictNumbers.
  const parameters = new Ajv({ ...COMMON, coerceTypes: true, strictNumbers: false });
  server.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? bodies : parameters).compile(schema as object),
  );
  server.setSchemaErrorFormatter((errors, part) => new Error(describe(errors[0], part)));
}

function describe(error: FastifySchemaValidationError | undefined, part: string): string {
  const { instancePath = '', message = 'is invalid', params = {} } = error ?? {};
  const allowed = (params as { allowedValues?: unknown[] }).allowedValues;
  const problem =
    allowed === undefined ? message : `must be one of ${allowed.map((value) => value ?? 'null').join(', ')}`;
  return `${part}${instancePath} ${problem}`;
}
