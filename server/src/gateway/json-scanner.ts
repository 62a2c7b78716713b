/**
 * Reads JSON as its bytes arrive, in constant memory and without building values: a request with images may have 32 MiB, and an
 * answer must not wait until it is complete. Reports where the members of the outermost object are, keeps the text of chosen
 * values, and names every string. Text that is not JSON is refused, so that what was read is what the provider reads.
 */

export interface JsonScannerOptions {
  /** Keys from the outermost object to a value, joined by dots: their texts are kept in `texts`. */
  readonly captures?: readonly string[];
  /** Of each text that is kept; longer ones are left out. */
  readonly maxCapturedBytes?: number;
  /**
   * Called for each string that is a value, with the keys from the outermost object to it ('' for a list) and its first
   * characters, as they are written.
   */
  readonly onString?: (keys: readonly string[], bytes: number, head: string) => void;
}

/** A member of the outermost object; offsets in bytes from the start of the text. */
export interface JsonMember {
  readonly name: string;
  /** Of the quote before its name. */
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

export class JsonScanError extends Error {}

/** Also bounds the memory of the scanner. */
const MAX_DEPTH = 256;
const MAX_MEMBERS = 1_000;
const MAX_KEY_BYTES = 256;
const MAX_LITERAL_BYTES = 512;
/** Enough for the type of a part, also if each of its characters is escaped. */
const HEAD_BYTES = 128;
const DEFAULT_MAX_CAPTURED_BYTES = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const FIRST_PRINTABLE = 0x20;

const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** What may come next, apart from white space. */
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

interface Capture {
  readonly path: string;
  readonly depth: number;
  readonly pieces: Buffer[];
  bytes: number;
  /** In the chunk that is being read. */
  from: number;
}

export class JsonScanner {
  /** The texts of captured values by their paths. */
  readonly texts = new Map<string, string>();
  /** In the order of the text. A name may occur twice. */
  readonly members: JsonMember[] = [];
  /** Of the brace that opens the outermost object; -1 until it was read. */
  objectStart = -1;

  /** The number of keys of each path: a key may have a dot. */
  readonly #captures: ReadonlyMap<string, number>;
  /** All paths that lead to a value to capture. */
  readonly #captured: ReadonlySet<string>;
  readonly #maxCapturedBytes: number;
  readonly #onString: JsonScannerOptions['onString'];

  #offset = 0;
  #expected: Expected = 'value';
  /** Of each container that is open: whether it is an object, and the key that is being read. */
  readonly #isObject: boolean[] = [];
  readonly #keys: string[] = [];
  /** The path to each of these keys while it may lead to a value to capture; null: it does not. */
  readonly #paths: (string | null)[] = [];
  #capture: Capture | null = null;

  #inString = false;
  #isKey = false;
  #isEscaped = false;
  #stringBytes = 0;
  #stringHead = '';
  #inLiteral = false;
  #literal = '';
  #memberStart = 0;
  #valueStart = 0;

  constructor(options: JsonScannerOptions = {}) {
    this.#captures = new Map((options.captures ?? []).map((path) => [path, path.split('.').length]));
    this.#captured = new Set([...this.#captures.keys()].flatMap(beginningsOf));
    this.#maxCapturedBytes = options.maxCapturedBytes ?? DEFAULT_MAX_CAPTURED_BYTES;
    this.#onString = options.onString;
  }

  /** Throws JsonScanError when the text cannot be JSON. */
  push(chunk: Buffer): void {
    if (this.#capture !== null) this.#capture.from = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#inString) at = this.#readString(chunk, at);
      else if (this.#inLiteral) at = this.#readLiteral(chunk, at);
      else {
        this.#readStructure(chunk, at);
        at += 1;
      }
    }
    this.#keepCaptured(chunk, chunk.length);
    this.#offset += chunk.length;
  }

  /** Throws JsonScanError when the text is not complete. */
  end(): void {
    if (this.#inLiteral) this.#endLiteral(Buffer.alloc(0), 0);
    if (this.#inString || this.#expected !== 'nothing')
      throw new JsonScanError('The JSON text is not complete');
  }

  #readStructure(chunk: Buffer, at: number): void {
    const byte = chunk[at] ?? 0;
    switch (byte) {
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
        return;
      case QUOTE:
        this.#beginString(at);
        return;
      case OPEN_OBJECT:
      case OPEN_LIST:
        this.#open(byte === OPEN_OBJECT, at);
        return;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        this.#close(byte === CLOSE_OBJECT, chunk, at);
        return;
      case COMMA:
        if (this.#expected !== 'comma-or-end' || this.#isObject.length === 0)
          throw unexpected(byte, this.#offset + at);
        this.#expected = this.#isObject.at(-1) === true ? 'key' : 'value';
        return;
      case COLON:
        if (this.#expected !== 'colon') throw unexpected(byte, this.#offset + at);
        this.#expected = 'value';
        return;
      default:
        this.#requireValue(byte, at);
        this.#beginValue(at);
        this.#inLiteral = true;
        this.#literal = String.fromCharCode(byte);
    }
  }

  #beginString(at: number): void {
    this.#isKey = this.#expected === 'key' || this.#expected === 'key-or-end';
    if (this.#isKey) {
      if (this.#isObject.length === 1) this.#memberStart = this.#offset + at;
    } else {
      this.#requireValue(QUOTE, at);
      this.#beginValue(at);
    }
    this.#inString = true;
    this.#stringBytes = 0;
    this.#stringHead = '';
  }

  #readString(chunk: Buffer, from: number): number {
    let at = from;
    for (;;) {
      if (this.#isEscaped) {
        if (at >= chunk.length) break;
        this.#isEscaped = false;
        at += 1;
        continue;
      }
      const end = endOfPlainText(chunk, at);
      at = end;
      if (at >= chunk.length) break;
      const byte = chunk[at] ?? 0;
      if (byte === BACKSLASH) {
        this.#isEscaped = true;
        at += 1;
      } else if (byte === QUOTE) {
        this.#takeString(chunk, from, at);
        this.#endString(chunk, at);
        return at + 1;
      } else throw unexpected(byte, this.#offset + at);
    }
    this.#takeString(chunk, from, chunk.length);
    return chunk.length;
  }

  /** Keeps the start of a string, or a whole key. */
  #takeString(chunk: Buffer, from: number, to: number): void {
    const wanted = (this.#isKey ? MAX_KEY_BYTES : HEAD_BYTES) - this.#stringBytes;
    if (wanted > 0) this.#stringHead += chunk.toString('latin1', from, Math.min(to, from + wanted));
    this.#stringBytes += to - from;
  }

  #endString(chunk: Buffer, at: number): void {
    this.#inString = false;
    if (this.#isKey) {
      this.#endKey(this.#stringBytes > MAX_KEY_BYTES ? '' : decodeKey(this.#stringHead));
      return;
    }
    this.#onString?.(this.#keys, this.#stringBytes, this.#stringHead);
    this.#endValue(chunk, at + 1);
  }

  #endKey(key: string): void {
    const last = this.#keys.length - 1;
    const before = last === 0 ? '' : this.#paths[last - 1];
    const path = before == null ? null : before === '' ? key : `${before}.${key}`;
    this.#keys[last] = key;
    this.#paths[last] = path !== null && this.#captured.has(path) ? path : null;
    this.#expected = 'colon';
  }

  #readLiteral(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && isLiteralByte(chunk[at] ?? 0)) at += 1;
    this.#literal += chunk.toString('latin1', from, at);
    if (this.#literal.length > MAX_LITERAL_BYTES) throw new JsonScanError('A number is too long');
    if (at < chunk.length) this.#endLiteral(chunk, at);
    return at;
  }

  #endLiteral(chunk: Buffer, at: number): void {
    if (!LITERAL.test(this.#literal)) throw new JsonScanError('The text is not JSON');
    this.#inLiteral = false;
    this.#endValue(chunk, at);
  }

  #open(isObject: boolean, at: number): void {
    this.#requireValue(isObject ? OPEN_OBJECT : OPEN_LIST, at);
    if (this.#isObject.length === MAX_DEPTH)
      throw new JsonScanError(`The JSON text is nested deeper than ${MAX_DEPTH}`);
    if (this.#isObject.length === 0 && isObject) this.objectStart = this.#offset + at;
    this.#beginValue(at);
    this.#isObject.push(isObject);
    this.#keys.push('');
    this.#paths.push(null);
    this.#expected = isObject ? 'key-or-end' : 'value-or-end';
  }

  #close(isObject: boolean, chunk: Buffer, at: number): void {
    const mayEnd =
      this.#expected === 'comma-or-end' || this.#expected === (isObject ? 'key-or-end' : 'value-or-end');
    if (!mayEnd || this.#isObject.at(-1) !== isObject)
      throw unexpected(isObject ? CLOSE_OBJECT : CLOSE_LIST, this.#offset + at);
    this.#isObject.pop();
    this.#keys.pop();
    this.#paths.pop();
    this.#endValue(chunk, at + 1);
  }

  #requireValue(byte: number, at: number): void {
    if (this.#expected !== 'value' && this.#expected !== 'value-or-end')
      throw unexpected(byte, this.#offset + at);
  }

  #beginValue(at: number): void {
    const depth = this.#isObject.length;
    if (depth === 1) this.#valueStart = this.#offset + at;
    const path = this.#paths.at(-1);
    if (path == null || this.#capture !== null || this.#captures.get(path) !== depth) return;
    this.#capture = { path, depth, pieces: [], bytes: 0, from: at };
  }

  #endValue(chunk: Buffer, end: number): void {
    const depth = this.#isObject.length;
    this.#expected = depth === 0 ? 'nothing' : 'comma-or-end';
    if (depth === 1 && this.#isObject[0] === true) {
      const name = this.#keys[0] ?? '';
      const range = { start: this.#memberStart, valueStart: this.#valueStart, valueEnd: this.#offset + end };
      if (this.members.push({ name, ...range }) > MAX_MEMBERS)
        throw new JsonScanError(`The JSON object has more than ${MAX_MEMBERS} members`);
    }
    if (this.#capture === null || this.#capture.depth !== depth) return;
    this.#keepCaptured(chunk, end);
    const { path, pieces, bytes } = this.#capture;
    if (bytes <= this.#maxCapturedBytes) this.texts.set(path, Buffer.concat(pieces).toString());
    else this.texts.delete(path);
    this.#capture = null;
  }

  /** Copies: the chunk may be a part of a larger buffer, which would stay in memory. */
  #keepCaptured(chunk: Buffer, to: number): void {
    if (this.#capture === null) return;
    const { from } = this.#capture;
    this.#capture.bytes += to - from;
    if (this.#capture.bytes <= this.#maxCapturedBytes)
      this.#capture.pieces.push(Buffer.from(chunk.subarray(from, to)));
    this.#capture.from = to;
  }
}

/** `a.b.c` → a, a.b, a.b.c */
function beginningsOf(path: string): string[] {
  const keys = path.split('.');
  return keys.map((_, index) => keys.slice(0, index + 1).join('.'));
}

/** The index of the next byte that is a quote, a backslash or a control character. */
function endOfPlainText(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? 0;
    if (byte === QUOTE || byte === BACKSLASH || byte < FIRST_PRINTABLE) return at;
  }
  return chunk.length;
}

function isLiteralByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x45
  );
}

/** A key may be written with escapes. */
function decodeKey(latin1: string): string {
  const text = Buffer.from(latin1, 'latin1').toString();
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    throw new JsonScanError('A key is not valid JSON');
  }
}

function unexpected(byte: number, offset: number): JsonScanError {
  return new JsonScanError(
    `Unexpected character ${JSON.stringify(String.fromCharCode(byte))} at byte ${offset}`,
  );
}
