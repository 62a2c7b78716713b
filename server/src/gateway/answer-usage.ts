/** What an answer states about its tokens, whole or streamed; read while the answer passes. */

import { EventFollower } from './event-follower.js';
import { JsonScanError, JsonScanner } from './json-scanner.js';
import { type BilledEndpoint, fieldsOf, type StatedUsage, type TokenUsage } from './provider.js';

export interface AnswerUsage {
  push(chunk: Buffer): void;
  /** Whether the answer is a stream of events. */
  readonly isStream: boolean;
  /** Whether everything that matters has passed, so that the answer may be settled before its last bytes. */
  readonly isComplete: boolean;
  /** What was stated so far; null: nothing. The completion is null if it was going on. */
  read(): TokenUsage | null;
  /** Why an answer that began well has failed; null: it has not. Call it at the end. */
  failure(): string | null;
}

export function followAnswer(endpoint: BilledEndpoint, isStream: boolean): AnswerUsage {
  return isStream ? new StreamUsage(endpoint) : new WholeUsage(endpoint);
}

class WholeUsage implements AnswerUsage {
  readonly #endpoint: BilledEndpoint;
  readonly #scanner: JsonScanner;
  #isReadable = true;

  constructor(endpoint: BilledEndpoint) {
    this.#endpoint = endpoint;
    this.#scanner = new JsonScanner({ captures: endpoint.usagePaths });
  }

  readonly isStream = false;
  /** A whole answer cannot be used before its last byte. */
  readonly isComplete = false;

  push(chunk: Buffer): void {
    if (!this.#isReadable) return;
    try {
      this.#scanner.push(chunk);
    } catch (error) {
      if (!(error instanceof JsonScanError)) throw error;
      this.#isReadable = false;
    }
  }

  failure(): null {
    return null;
  }

  read(): TokenUsage | null {
    const stated = this.#endpoint.usagePaths.map((path) => parseUsage(this.#scanner.texts.get(path)));
    const last = stated.findLast((usage) => usage !== null);
    return last == null ? null : this.#endpoint.toUsage(last);
  }
}

/** Types of events, as JSON. */
const FAILURES: readonly string[] = ['"error"', '"response.failed"'];

class StreamUsage implements AnswerUsage {
  readonly #endpoint: BilledEndpoint;
  readonly #follower: EventFollower;
  #stated: StatedUsage | null = null;
  #isCompletionStated = false;
  #hasError = false;
  #isComplete = false;
  readonly isStream = true;

  constructor(endpoint: BilledEndpoint) {
    this.#endpoint = endpoint;
    const { usagePaths, lastEvents } = endpoint;
    this.#follower = new EventFollower([...usagePaths, 'type', 'error'], ({ texts, isDone }) => {
      for (const path of usagePaths) this.#add(path, parseUsage(texts.get(path)));
      const type = texts.get('type') ?? '';
      const hasError = (texts.get('error') ?? 'null') !== 'null';
      if (hasError || FAILURES.includes(type)) this.#hasError = true;
      if (isDone || lastEvents.some((name) => type === JSON.stringify(name))) this.#isComplete = true;
    });
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  push(chunk: Buffer): void {
    this.#follower.push(chunk);
  }

  failure(): string | null {
    if (this.#hasError) return 'The provider ended the stream with an error';
    // Some servers leave out the last event: their usage shows that the answer was complete.
    return this.#isComplete || this.#isCompletionStated ? null : 'The stream ended before its last event';
  }

  read(): TokenUsage | null {
    if (this.#stated === null) return null;
    const usage = this.#endpoint.toUsage(this.#stated);
    return this.#isCompletionStated ? usage : { ...usage, completionTokens: null };
  }

  /** Fields that are null do not replace what was stated before. */
  #add(path: string, usage: StatedUsage | null): void {
    if (usage === null) return;
    const given = Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
    this.#stated = { ...this.#stated, ...given };
    if (path !== this.#endpoint.firstUsagePath) this.#isCompletionStated = true;
  }
}

function parseUsage(text: string | undefined): StatedUsage | null {
  if (text === undefined || !text.startsWith('{')) return null;
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
}
