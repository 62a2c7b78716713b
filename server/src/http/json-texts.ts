/** Which texts are kept. In valid UTF-8 only an escape can stand for a NUL character or for half of a surrogate pair. */

import { marksOf, nextMarked } from './marked-bytes.js';

// The bytes are constants of this file, because V8 looks up an imported constant each time it is used.
const ZERO = 0x30;
const EIGHT = 0x38;
const BACKSLASH = 0x5c;
const LETTER_C = 0x63;
const LETTER_D = 0x64;
const LETTER_U = 0x75;
/** Turns a capital letter into a small one. */
const SMALL = 0x20;

const STOPS = marksOf({ '"\\': 1 });

export type TextFlaw = 'nul' | 'surrogate';

/** The byte after the text that starts here; negative: the complement of that of a character that cannot be kept. */
export function endOfText(json: Buffer, start: number): number {
  let at = nextMarked(json, start + 1, STOPS);
  while (json[at] === BACKSLASH) {
    const length = json[at + 1] === LETTER_U ? lengthOfCharacter(json, at) : 2;
    if (length === 0) return ~at;
    at = nextMarked(json, at + length, STOPS);
  }
  return at + 1;
}

/** Why the character that was found cannot be kept. */
export function textFlaw(json: Buffer, at: number): TextFlaw {
  return json[at + 2] === ZERO ? 'nul' : 'surrogate';
}

/** How many bytes the escaped character that starts here has; 0: it is a NUL, or half of a surrogate pair. */
function lengthOfCharacter(json: Buffer, at: number): 0 | 6 | 12 {
  const first = json[at + 2] ?? 0;
  const second = json[at + 3] ?? 0;
  if (first === ZERO) return second === ZERO && json[at + 4] === ZERO && json[at + 5] === ZERO ? 0 : 6;
  if ((first | SMALL) !== LETTER_D || second < EIGHT) return 6;
  const isPair =
    (second | SMALL) < LETTER_C &&
    json[at + 6] === BACKSLASH &&
    json[at + 7] === LETTER_U &&
    ((json[at + 8] ?? 0) | SMALL) === LETTER_D &&
    ((json[at + 9] ?? 0) | SMALL) >= LETTER_C;
  return isPair ? 12 : 0;
}
