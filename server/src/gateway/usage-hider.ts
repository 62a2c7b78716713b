/**
 * Removes from a stream what the provider adds to it because the gateway asked for usage: the last chunk, which has nothing else,
 * and the empty `usage` of the others. Events pass one by one, as they came.
 */

import { JsonScanError, JsonScanner } from './json-scanner.js';

/** A longer event is no chunk with usage: it passes without being looked at. */
const MAX_EVENT_BYTES = 256 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DATA = Buffer.from('data:');

export class UsageHider {
  /** The event that is being read. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Whether the event is longer than the limit, and its start has passed. */
  #isPassing = false;
  #isAtLineStart = true;

  /** What may pass now. */
  push(chunk: Buffer): Buffer {
    const passed: Buffer[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === LINE_FEED) {
        if (this.#isAtLineStart) {
          this.#take(chunk.subarray(from, at + 1), passed);
          from = at + 1;
          passed.push(this.#endEvent());
        }
        this.#isAtLineStart = true;
      } else if (byte !== CARRIAGE_RETURN) this.#isAtLineStart = false;
    }
    this.#take(chunk.subarray(from), passed);
    return Buffer.concat(passed);
  }

  /** What is left when the stream ends or breaks in the middle of an event. */
  end(): Buffer {
    const rest = Buffer.concat(this.#pieces);
    this.#pieces = [];
    return rest;
  }

  #take(piece: Buffer, passed: Buffer[]): void {
    if (this.#isPassing) {
      passed.push(piece);
      return;
    }
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes <= MAX_EVENT_BYTES) return;
    passed.push(...this.#pieces);
    this.#pieces = [];
    this.#isPassing = true;
  }

  #endEvent(): Buffer {
    const event = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    const isShown = this.#isPassing;
    this.#isPassing = false;
    return isShown ? event : withoutUsage(event);
  }
}

/** The event without `"usage":null`; empty if it has only usage. */
function withoutUsage(event: Buffer): Buffer {
  if (!event.subarray(0, DATA.length).equals(DATA)) return event;
  const scanner = new JsonScanner({ captures: ['usage', 'choices'] });
  try {
    scanner.push(event.subarray(DATA.length));
    scanner.end();
  } catch (error) {
    if (error instanceof JsonScanError) return event;
    throw error;
  }
  const usage = scanner.texts.get('usage');
  if (usage === undefined) return event;
  if (usage !== 'null') return scanner.texts.get('choices') === '[]' ? Buffer.alloc(0) : event;
  const index = scanner.members.findIndex(({ name }) => name === 'usage');
  const member = scanner.members[index];
  if (member === undefined) return event;
  const before = scanner.members[index - 1];
  const after = scanner.members[index + 1];
  // With the comma before it or, if it is the first one, after it.
  const from = before?.valueEnd ?? member.start;
  const to = before === undefined && after !== undefined ? after.start : member.valueEnd;
  return Buffer.concat([event.subarray(0, DATA.length + from), event.subarray(DATA.length + to)]);
}
