/** Identifiers from the path. One that cannot exist is answered exactly like one that does not. */

import { notFound, unprocessable } from '../domain/app-error.js';
import { parseUuid } from '../domain/uuid.js';
import { requireKeepableText } from './json-body.js';
import { MAX_NAME_LENGTH } from './schemas.js';

const NO_ID = '00000000-0000-0000-0000-000000000000';

export function runIdFrom(text: string): string {
  return uuidFrom(text, 'Run not found');
}

/** A step is looked for after its run, so a malformed id is only passed on as one that no step has. */
export function stepIdFrom(text: string): string {
  return parseUuid(text) ?? NO_ID;
}

export function apiKeyIdFrom(text: string): string {
  return uuidFrom(text, 'API key not found');
}

/** A name of the client's choosing: a user or a model. */
export function nameFrom(text: string, parameter: string): string {
  const length = [...text].length;
  if (length < 1 || length > MAX_NAME_LENGTH) {
    throw unprocessable(`params/${parameter} must have from 1 to ${MAX_NAME_LENGTH} characters`);
  }
  requireKeepableText(text, `params/${parameter}`);
  return text;
}

function uuidFrom(text: string, message: string): string {
  const id = parseUuid(text);
  if (id === null) throw notFound(message);
  return id;
}
