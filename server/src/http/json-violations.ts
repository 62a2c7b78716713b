/**
 * Finds the first value in valid JSON that cannot be stored and returned as it was sent: a NUL character, a lone surrogate, a
 * number that would be rounded, or nesting that is too deep to be serialized.
 *
 * The client controls the shape of a body, so the work must depend on its size only: one pass over the bytes that builds no
 * values.
 */

import { nextMatch, toByteTable } from './byte-table.js';
import { NumberCheck, type NumberViolation } from './json-numbers.js';
import { StringCheck, type StringViolation, stringViolation } from './json-strings.js';

export const MAX_DEPTH = 100;

/** The kind of token that a byte outside of strings starts. Other tokens need no check. */
const STRING = 1;
const OPENING = 2;
const CLOSING = 3;
const NUMBER = 4;
const TOKENS = toByteTable({ '"': STRING, '{[': OPENING, '}]': CLOSING, '-0123456789': NUMBER });

export interface Violation {
  readonly kind: StringViolation | NumberViolation | 'depth';
  /** The offset of the value or name that contains it. */
  readonly at: number;
}

/** Returns the first violation in valid JSON, or null. */
export function findViolation(json: Buffer): Violation | null {
  const numbers = new NumberCheck(json);
  const strings = new StringCheck(json);
  let depth = 0;
  let at = nextMatch(json, 0, TOKENS);
  while (at < json.length) {
    const token = TOKENS.classes[json[at] ?? 0];
    if (token === STRING) {
      const end = strings.endOf(at);
      if (end < 0) return { kind: stringViolation(json, ~end), at };
      at = end;
    } else if (token === NUMBER) {
      // The fields of the API are at the top level of a body; deeper values are client data.
      const end = numbers.endOf(at, depth <= 1);
      if (end < 0) return { kind: numbers.violation, at };
      at = end;
    } else {
      depth += token === OPENING ? 1 : -1;
      if (depth > MAX_DEPTH) return { kind: 'depth', at };
      at += 1;
    }
    at = nextMatch(json, at, TOKENS);
  }
  return null;
}
