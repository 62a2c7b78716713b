/**
 * Reads JSON bodies. Beyond syntax it refuses what the stores could not keep faithfully: NUL characters, text that is not
 * Unicode, numbers beyond the range of a double, and nesting too deep to be written out again.
 *
 * Each of these leaves a trace in the raw text, so an ordinary body is only searched, never walked.
 */

import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { AppError, badRequest, unprocessable } from '../domain/app-error.js';
import { ANONYMOUS, type BodyFields, LARGE_BODY_BYTES, type LargeBodies } from './large-body.js';
import type { HttpServer } from './server-types.js';

const MAX_DEPTH = 100;
/** Of the path to a value in a message; names are the client's, and may be long. */
const MAX_PATH_LENGTH = 200;

/** The only way for a NUL or half of a surrogate pair to get into text that is valid UTF-8. */
const ESCAPED_CHARACTER = '\\u';
/** An exponent of three digits or hundreds of digits: fewer than 200 digits and an exponent of two stay below 10²⁹⁸. */
const LARGE_NUMBER = /\d[eE]\+?\d{3}|\d{200}/;
const OPENING_BRACKETS = ['{', '['];

export function parseJsonBodies(server: HttpServer, { largeBodies }: { largeBodies: LargeBodies }): void {
  const knownFields = new WeakMap<object, BodyFields>();
  const fieldsOf = ({ routeOptions }: FastifyRequest): BodyFields => {
    const schema = (routeOptions.schema?.body ?? {}) as { properties?: object };
    const fields = knownFields.get(schema) ?? toBodyFields(schema);
    knownFields.set(schema, fields);
    return fields;
  };
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done) => {
      let value: unknown;
      try {
        requirePlain(request);
        if (body.length > LARGE_BODY_BYTES) {
          const owner = request.principal?.workspaceId ?? ANONYMOUS;
          largeBodies.parse(owner, body, fieldsOf(request)).then((parsed) => done(null, parsed), done);
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

/** Client data is what a schema says nothing about. */
function toBodyFields({ properties = {} }: { properties?: object }): BodyFields {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      (schema as { additionalProperties?: unknown }).additionalProperties === true ? 'json' : 'plain',
    ]),
  );
}

function requirePlain({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('unsupported-media-type', 'Compressed bodies are not accepted');
  }
}

export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw badRequest('The body is not valid UTF-8');
  const text = body.toString('utf8');
  const value = parseText(text);
  if (text.includes(ESCAPED_CHARACTER) || LARGE_NUMBER.test(text) || mayBeDeep(body)) requireKeepable(value);
  return value;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON');
  }
}

/** Hops from bracket to bracket, which are few, instead of looking at every character. */
function mayBeDeep(body: Buffer): boolean {
  let brackets = 0;
  for (const bracket of OPENING_BRACKETS) {
    for (let at = body.indexOf(bracket); at !== -1; at = body.indexOf(bracket, at + 1)) {
      if (++brackets > MAX_DEPTH) return true;
    }
  }
  return false;
}

interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

/** Walks with a list instead of recursion: the depth of a body is the client's choice. */
function requireKeepable(root: unknown): void {
  const places: Place[] = [{ value: root, path: 'body', depth: 0 }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { value, path, depth } = place;
    if (typeof value === 'string') requireKeepableText(value, path);
    else if (typeof value === 'number' && !Number.isFinite(value)) {
      throw unprocessable(`${path} must be a number in the range of a double`);
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= MAX_DEPTH) throw unprocessable(`body must not be nested deeper than ${MAX_DEPTH} levels`);
      for (const [key, child] of Object.entries(value)) {
        requireKeepableText(key, `a name in ${path}`);
        places.push({ value: child, path: `${path}/${key}`.slice(0, MAX_PATH_LENGTH), depth: depth + 1 });
      }
    }
  }
}

/** Also used for text that arrives in a path or a query. */
export function requireKeepableText(text: string, path: string): void {
  if (text.includes('\0')) throw unprocessable(`${path} must not contain a NUL character`);
  if (!text.isWellFormed()) throw unprocessable(`${path} must be well-formed Unicode`);
}
