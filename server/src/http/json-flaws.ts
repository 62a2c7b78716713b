/**
 * Finds in the bytes of valid JSON the first thing that could not be kept and shown again as it was sent: a NUL character,
 * half of a surrogate pair, a number that would be rounded, and nesting too deep to be written out again.
 *
 * The client chooses the shape of a body, so the work depends on its size alone: one pass over the bytes that builds nothing.
 */

import { NumberCheck, type NumberFlaw } from './json-numbers.js';
import { endOfText, type TextFlaw, textFlaw } from './json-texts.js';
import { marksOf, nextMarked } from './marked-bytes.js';

export const MAX_DEPTH = 100;

/** What a byte outside of texts begins; white space, commas, colons and words begin nothing. */
const TEXT = 1;
const OPENING = 2;
const CLOSING = 3;
const NUMBER = 4;
const BEGINNINGS = marksOf({ '"': TEXT, '{[': OPENING, '}]': CLOSING, '-0123456789': NUMBER });

export interface Flaw {
  readonly kind: TextFlaw | NumberFlaw | 'depth';
  /** The first byte of the value or name that has it. */
  readonly at: number;
}

/** The first flaw of valid JSON, or null. */
export function findFlaw(json: Buffer): Flaw | null {
  const numbers = new NumberCheck(json);
  let depth = 0;
  let at = nextMarked(json, 0, BEGINNINGS);
  while (at < json.length) {
    const beginning = BEGINNINGS[json[at] ?? 0];
    if (beginning === TEXT) {
      const end = endOfText(json, at);
      if (end < 0) return { kind: textFlaw(json, ~end), at };
      at = end;
    } else if (beginning === NUMBER) {
      // The fields of the API are at the top of a body; what is deeper is the client's own.
      const end = numbers.endOf(at, depth <= 1);
      if (end < 0) return { kind: numbers.flaw, at };
      at = end;
    } else {
      depth += beginning === OPENING ? 1 : -1;
      if (depth > MAX_DEPTH) return { kind: 'depth', at };
      at += 1;
    }
    at = nextMarked(json, at, BEGINNINGS);
  }
  return null;
}
