/**
 * Large bodies are parsed in a thread of their own, one at a time and the workspaces in turn: parsing a hostile one takes
 * long, and holds up only what is behind it there. Client data in them comes back as checked JSON text, because its values
 * are of no interest and copying them between threads would take longer than parsing them.
 */

import { unprocessable } from '../domain/app-error.js';
import { CallThread } from '../runtime/call-thread.js';
import { FairLimiter } from '../runtime/fair-limiter.js';
import { pauseWhileBusy } from '../runtime/load-share.js';

/** Shorter ones are parsed where they arrive: that takes less than sending them away. */
export const LARGE_BODY_BYTES = 64 * 1024;

/** Stands for the workspace of a caller without one. */
export const ANONYMOUS = '';

const MEBIBYTE = 1024 * 1024;
const BASE_HEAP_MB = 32;
/** Empty arrays take the most: 3 bytes of text are 16 in memory, twice while they are collected. */
const HEAP_MB_PER_MEBIBYTE = 32;

const PARSING = {
  maxRunning: 1,
  maxRunningPerOwner: 1,
  maxWaiting: 1_000,
  maxWaitingPerOwner: 100,
  maxWaitMs: 10_000,
};

/** Client data in a body that was parsed elsewhere. */
export class JsonValue {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The fields that a route knows; `json` is client data, which is stored as it is. */
export type BodyFields = Readonly<Record<string, 'json' | 'plain'>>;

export interface ParseCall {
  readonly body: Uint8Array;
  readonly fields: BodyFields;
}

/** Client data as `{ json }`, everything else as it is. */
export type ParsedBody = { readonly fields: Readonly<Record<string, unknown>> } | { readonly other: unknown };

export class LargeBodies {
  readonly #options: LargeBodiesOptions;
  /** Cores are shared, too: it pauses while the main thread is busy. */
  readonly #limiter = new FairLimiter({ ...PARSING, pauseMs: pauseWhileBusy() });
  /** Started again when a body takes more memory than there is. */
  #thread: Promise<CallThread>;

  constructor(options: LargeBodiesOptions) {
    this.#options = options;
    this.#thread = this.#start();
  }

  /** `body` is given away: it is empty afterwards. */
  async parse(owner: string, body: Buffer, fields: BodyFields): Promise<unknown> {
    return this.#limiter.run(owner, async () => {
      const thread = await this.#thread;
      const bytes = toMovable(body);
      const call: ParseCall = { body: bytes, fields };
      const parsed = await thread.call(call, [bytes.buffer]).catch((error: unknown) => {
        throw isOutOfMemory(error) ? unprocessable('body takes too much memory when it is read') : error;
      });
      return fromParsedBody(parsed as ParsedBody);
    });
  }

  async close(): Promise<void> {
    await (await this.#thread).close();
  }

  #start(): Promise<CallThread> {
    const { module, bodyLimitBytes } = this.#options;
    return CallThread.start({
      module,
      data: null,
      clock: Date.now,
      maxHeapMb: BASE_HEAP_MB + Math.ceil((bodyLimitBytes / MEBIBYTE) * HEAP_MB_PER_MEBIBYTE),
      onCrash: () => {
        this.#thread = this.#start();
      },
    });
  }
}

interface LargeBodiesOptions {
  readonly module: URL;
  readonly bodyLimitBytes: number;
}

/** A long body has memory of its own, which can be given away; a part of a shared one is copied. */
function toMovable(body: Buffer): Uint8Array<ArrayBuffer> {
  const isWhole = body.buffer instanceof ArrayBuffer && body.buffer.byteLength === body.byteLength;
  return isWhole ? new Uint8Array(body.buffer as ArrayBuffer) : new Uint8Array(body);
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function fromParsedBody(parsed: ParsedBody): unknown {
  if ('other' in parsed) return parsed.other;
  return Object.fromEntries(
    Object.entries(parsed.fields).map(([name, value]) => [
      name,
      isJson(value) ? new JsonValue(value.json) : value,
    ]),
  );
}

function isJson(value: unknown): value is { readonly json: string } {
  return typeof value === 'object' && value !== null && 'json' in value;
}

/** In the thread. What the route does not know is left out; of values that it will refuse only their kind is kept. */
export function toParsedBody(body: unknown, fields: BodyFields): ParsedBody {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { other: kindOf(body) };
  const known = Object.entries(fields).flatMap(([name, kind]) => {
    const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    if (value === undefined) return [];
    const isData = kind === 'json' && typeof value === 'object' && value !== null && !Array.isArray(value);
    return [[name, isData ? { json: JSON.stringify(value) } : kindOf(value)]];
  });
  return { fields: Object.fromEntries(known) };
}

function kindOf(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : value;
}
