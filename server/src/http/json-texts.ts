/** Which texts are kept. In valid UTF-8 only an escape can stand for a NUL character or for half of a surrogate pair. */

/** Shorter texts are read through faster than a native search is called. */
const SHORT_TEXT_BYTES = 64;

// The bytes are constants of this file, because V8 looks up an imported constant each time it is used.
const QUOTE = 0x22;
const ZERO = 0x30;
const EIGHT = 0x38;
const BACKSLASH = 0x5c;
const LETTER_C = 0x63;
const LETTER_D = 0x64;
const LETTER_U = 0x75;
/** Turns a capital letter into a small one. */
const SMALL = 0x20;

export type TextFlaw = 'nul' | 'surrogate';

/** Checks the texts of one body, one after the other. */
export class TextCheck {
  /** Of the latest text that cannot be kept. */
  flaw: TextFlaw = 'nul';
  readonly #json: Buffer;
  readonly #quotes: ByteSearch;
  readonly #backslashes: ByteSearch;

  constructor(json: Buffer) {
    this.#json = json;
    this.#quotes = new ByteSearch(json, QUOTE);
    this.#backslashes = new ByteSearch(json, BACKSLASH);
  }

  /** The byte after the text that starts here; negative: the complement of that of a character that cannot be kept. */
  endOf(start: number): number {
    const json = this.#json;
    const { length } = json;
    let at = start + 1;
    let shortEnd = at + SHORT_TEXT_BYTES;
    while (at < length) {
      const byte = json[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) {
        const characterLength = json[at + 1] === LETTER_U ? lengthOfCharacter(json, at) : 2;
        if (characterLength === 0) {
          this.flaw = json[at + 2] === ZERO ? 'nul' : 'surrogate';
          return ~at;
        }
        at += characterLength;
        shortEnd = at + SHORT_TEXT_BYTES;
      } else if (at < shortEnd) at += 1;
      else at = Math.min(this.#quotes.from(at), this.#backslashes.from(at));
    }
    return length;
  }
}

/** Searches a body for a byte, natively and each part of the body only once. */
class ByteSearch {
  readonly #json: Buffer;
  readonly #byte: number;
  #found = -1;

  constructor(json: Buffer, byte: number) {
    this.#json = json;
    this.#byte = byte;
  }

  /** The next such byte from here on, or the end of the body. */
  from(at: number): number {
    if (this.#found < at) {
      const found = this.#json.indexOf(this.#byte, at);
      this.#found = found === -1 ? this.#json.length : found;
    }
    return this.#found;
  }
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
