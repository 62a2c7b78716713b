/** The message of an error, as the service accepts it: without its stack, and cut. */

import { fieldOf } from '../usage/token-usage.js';

/** As the service has it. */
const MAX_ERROR_LENGTH = 2_000;

/** NUL, and halves of surrogate pairs, which the service refuses. A cut can leave such a half. */
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Null if the error has no message. */
export function errorMessageOf(error: unknown): string | null {
  const message = textOf(error).slice(0, MAX_ERROR_LENGTH).replace(UNSTORABLE, '\ufffd');
  return message === '' ? null : message;
}

/** Anything can be thrown, including objects whose properties throw. */
function textOf(error: unknown): string {
  if (error === undefined || error === null) return '';
  try {
    const message = fieldOf(error, 'message');
    if (typeof message === 'string' && message !== '') return message;
    // An Error without a message still has a name.
    if (error instanceof Error) return error.name;
    return typeof error === 'object' ? (JSON.stringify(error) ?? '') : String(error);
  } catch {
    return '';
  }
}
