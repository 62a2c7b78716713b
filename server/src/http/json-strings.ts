/** Checks which strings are accepted. In valid UTF-8, only an escape can be a NUL character or a lone surrogate. */

import { nextMatch, toByteTable } from './byte-table.js';

// The constants are not imported, because V8 looks up an imported constant each time it is used.
const QUOTE = 0x22;
const ZERO = 0x30;
const EIGHT = 0x38;
const BACKSLASH = 0x5c;
const LETTER_C = 0x63;
const LETTER_D = 0x64;
const LETTER_U = 0x75;
/** The bit that turns an uppercase letter into lowercase. */
const LOWERCASE = 0x20;

const STOPS = toByteTable({ '"\\': 1 });
/** Beyond so many bytes, a native search is faster, although each call takes as long as this scan. */
const SCANNED_BYTES = 128;

export type StringViolation = 'nul' | 'surrogate';

/** Checks the strings of one body, one after the other. */
export class StringCheck {
  readonly #json: Buffer;
  // The next of each byte from the last native search on, so that no byte is searched twice.
  #quote = -1;
  #backslash = -1;

  constructor(json: Buffer) {
    this.#json = json;
  }

  /** Returns the offset after the string at `start`, or the bitwise complement of the offset of a rejected character. */
  endOf(start: number): number {
    const json = this.#json;
    let at = this.#nextStop(start + 1);
    while (json[at] === BACKSLASH) {
      const length = json[at + 1] === LETTER_U ? lengthOfCharacter(json, at) : 2;
      if (length === 0) return ~at;
      at = this.#nextStop(at + length);
    }
    return at + 1;
  }

  #nextStop(start: number): number {
    const json = this.#json;
    const scanned = Math.min(start + SCANNED_BYTES, json.length);
    const at = nextMatch(json, start, STOPS, scanned);
    if (at < scanned) return at;
    if (this.#quote < at) this.#quote = nextOf(json, QUOTE, at);
    if (this.#backslash < at) this.#backslash = nextOf(json, BACKSLASH, at);
    return Math.min(this.#quote, this.#backslash);
  }
}

function nextOf(json: Buffer, byte: number, start: number): number {
  const at = json.indexOf(byte, start);
  return at === -1 ? json.length : at;
}

/** Returns why the character at this offset is rejected. */
export function stringViolation(json: Buffer, at: number): StringViolation {
  return json[at + 2] === ZERO ? 'nul' : 'surrogate';
}

/** Returns the number of bytes of an escaped character; 0 for a NUL character or a lone surrogate. */
function lengthOfCharacter(json: Buffer, at: number): 0 | 6 | 12 {
  const first = json[at + 2] ?? 0;
  const second = json[at + 3] ?? 0;
  if (first === ZERO) return second === ZERO && json[at + 4] === ZERO && json[at + 5] === ZERO ? 0 : 6;
  if ((first | LOWERCASE) !== LETTER_D || second < EIGHT) return 6;
  const isPair =
    (second | LOWERCASE) < LETTER_C &&
    json[at + 6] === BACKSLASH &&
    json[at + 7] === LETTER_U &&
    ((json[at + 8] ?? 0) | LOWERCASE) === LETTER_D &&
    ((json[at + 9] ?? 0) | LOWERCASE) >= LETTER_C;
  return isPair ? 12 : 0;
}
