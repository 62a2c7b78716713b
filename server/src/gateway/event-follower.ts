/** Reads what the events of a stream state, while they pass. Keeps nothing of them: an event may have the whole answer. */

import { JsonScanError, JsonScanner } from './json-scanner.js';

export interface FollowedEvent {
  /** Texts of the captured values. */
  readonly texts: ReadonlyMap<string, string>;
  /** Whether its data is the mark that ends the stream, instead of JSON. */
  readonly isDone: boolean;
}

const LINE_FEED = 0x0a;
const DATA = 'data:';
const DONE = '[DONE]';
/** Long enough to recognize both. */
const HEAD_LENGTH = 16;

export class EventFollower {
  readonly #captures: readonly string[];
  readonly #onEvent: (event: FollowedEvent) => void;
  /** Of the event that is being read; null: it is not of interest, or cannot be read. */
  #scanner: JsonScanner | null;
  #hasData = false;
  #isDone = false;
  /** The start of the line that is being read. */
  #head = '';
  #isData = false;

  constructor(captures: readonly string[], onEvent: (event: FollowedEvent) => void) {
    this.#captures = captures;
    this.#onEvent = onEvent;
    this.#scanner = this.#newScanner();
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      const end = chunk.indexOf(LINE_FEED, at);
      if (end < 0) {
        this.#readPart(chunk.subarray(at));
        return;
      }
      this.#readPart(chunk.subarray(at, end));
      this.#endLine();
      at = end + 1;
    }
  }

  #readPart(part: Buffer): void {
    let rest = part;
    if (!this.#isData) {
      if (this.#head.length >= HEAD_LENGTH) return;
      const before = this.#head.length;
      this.#head += part.toString('latin1', 0, HEAD_LENGTH - before);
      if (!this.#head.startsWith(DATA)) return;
      this.#isData = true;
      this.#hasData = true;
      rest = part.subarray(Math.max(0, DATA.length - before));
    } else if (this.#head.length < HEAD_LENGTH)
      this.#head += part.toString('latin1', 0, HEAD_LENGTH - this.#head.length);
    if (this.#isDoneMark()) return;
    this.#scan((scanner) => scanner.push(rest));
  }

  /** The mark may arrive in parts; its first bracket is read as JSON until then, which is harmless. */
  #isDoneMark(): boolean {
    return this.#head.slice(DATA.length).trimStart().startsWith(DONE);
  }

  #endLine(): void {
    const isBlank = this.#head === '' || this.#head === '\r';
    if (this.#isData && this.#isDoneMark()) this.#isDone = true;
    this.#head = '';
    this.#isData = false;
    if (!isBlank) return;
    if (this.#hasData) this.#endEvent();
    this.#hasData = false;
    this.#isDone = false;
    this.#scanner = this.#newScanner();
  }

  #endEvent(): void {
    if (!this.#isDone) this.#scan((scanner) => scanner.end());
    if (this.#isDone || this.#scanner !== null)
      this.#onEvent({ texts: this.#scanner?.texts ?? new Map(), isDone: this.#isDone });
  }

  #scan(work: (scanner: JsonScanner) => void): void {
    if (this.#scanner === null) return;
    try {
      work(this.#scanner);
    } catch (error) {
      if (!(error instanceof JsonScanError)) throw error;
      this.#scanner = null;
    }
  }

  #newScanner(): JsonScanner {
    return new JsonScanner({ captures: this.#captures });
  }
}
