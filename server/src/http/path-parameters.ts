/** Identifiers from the path. A malformed id gets the same response as an unknown one. */

import { notFound, unprocessable } from '../domain/app-error.js';
import { MAX_NAME_LENGTH } from '../domain/name.js';
import { parseUuid } from '../domain/uuid.js';
import { requireStorableText } from './json-body.js';

const NO_ID = '00000000-0000-0000-0000-000000000000';

export function runIdFrom(text: string): string {
  return uuidFrom(text, 'Run not found');
}

/** Returns an id that no step has for a malformed one: the error must be about the run if the run does not exist either. */
export function stepIdFrom(text: string): string {
  return parseUuid(text) ?? NO_ID;
}

export function apiKeyIdFrom(text: string): string {
  return uuidFrom(text, 'API key not found');
}

export function memberIdFrom(text: string): string {
  return uuidFrom(text, 'Member not found');
}

export function invitationIdFrom(text: string): string {
  return uuidFrom(text, 'Invitation not found');
}

/** A name that the client chooses: a user or a model. */
export function nameFrom(text: string, parameter: string): string {
  const length = [...text].length;
  if (length < 1 || length > MAX_NAME_LENGTH) {
    throw unprocessable(`params/${parameter} must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  requireStorableText(text, `params/${parameter}`);
  return text;
}

function uuidFrom(text: string, message: string): string {
  const id = parseUuid(text);
  if (id === null) throw notFound(message);
  return id;
}
