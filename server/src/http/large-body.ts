/**
 * Parses large bodies in a worker thread, one at a time and the workspaces in turn, so that a slow hostile body delays only
 * other large bodies. The thread returns client data as validated JSON text: its values are not needed, and copying them
 * between threads would take longer than parsing them.
 */

import { unprocessable } from '../domain/app-error.js';
import type { JsonText } from '../domain/run.js';
import { hashOfInput } from '../engine/step-fingerprint.js';
import { CallThread } from '../runtime/call-thread.js';
import { FairLimiter } from '../runtime/fair-limiter.js';
import { pauseWhileBusy } from '../runtime/load-share.js';

/** Smaller bodies are parsed in the main thread, which is faster than a transfer to another thread. */
export const LARGE_BODY_BYTES = 64 * 1024;

/** The owner of bodies of unauthenticated callers, in place of a workspace. */
export const ANONYMOUS = '';

const MEBIBYTE = 1024 * 1024;
const BASE_HEAP_MB = 32;
/** Empty arrays take the most memory: 3 bytes of text become 16 bytes, twice that during garbage collection. */
const HEAP_MB_PER_MEBIBYTE = 32;

const PARSING = {
  maxRunning: 1,
  maxRunningPerOwner: 1,
  maxWaiting: 1_000,
  maxWaitingPerOwner: 100,
  maxWaitMs: 10_000,
};

/** Client data of a body that was parsed in the worker thread. */
export class JsonValue {
  readonly text: string;
  /** Equal for equal values, whatever the order of their keys. */
  readonly hash: string;

  constructor({ text, hash }: ParsedJson) {
    this.text = text;
    this.hash = hash;
  }

  /** For the hash of a request, which is the same in all versions. */
  toJSON(): { readonly text: string } {
    return { text: this.text };
  }
}

interface ParsedJson {
  readonly text: string;
  readonly hash: string;
}

/** Client data (metadata, input_data) is stored as JSON text and never interpreted. */
export function toJsonText(value: Record<string, unknown> | null | undefined): JsonText | null {
  if (value instanceof JsonValue) return value.text;
  return value == null ? null : JSON.stringify(value);
}

/** What a route accepts; `json` is client data, which is stored as text. */
export type BodyShape =
  | 'json'
  | 'plain'
  | { readonly fields: Readonly<Record<string, BodyShape>> }
  | { readonly items: BodyShape; readonly maxItems: number };

export interface ParseCall {
  readonly body: Uint8Array;
  readonly shape: BodyShape;
}

export class LargeBodies {
  readonly #options: LargeBodiesOptions;
  /** Pauses while the main thread is busy, because both share the cores. */
  readonly #limiter = new FairLimiter({ ...PARSING, pauseMs: pauseWhileBusy() });
  /** Restarted when it runs out of memory. */
  #thread: Promise<CallThread>;

  constructor(options: LargeBodiesOptions) {
    this.#options = options;
    this.#thread = this.#start();
  }

  /** Transfers `body` to the thread: it is empty afterwards. */
  async parse(owner: string, body: Buffer, shape: BodyShape): Promise<unknown> {
    return this.#limiter.run(owner, async () => {
      const thread = await this.#thread;
      const bytes = toTransferable(body);
      const call: ParseCall = { body: bytes, shape };
      const parsed = await thread.call(call, [bytes.buffer]).catch((error: unknown) => {
        throw isOutOfMemory(error) ? unprocessable('body takes too much memory to parse') : error;
      });
      return fromParsed(parsed, shape);
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

/** A body with an ArrayBuffer of its own is transferred; a part of a shared one is copied. */
function toTransferable(body: Buffer): Uint8Array<ArrayBuffer> {
  const isWhole = body.buffer instanceof ArrayBuffer && body.buffer.byteLength === body.byteLength;
  return isWhole ? new Uint8Array(body.buffer as ArrayBuffer) : new Uint8Array(body);
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** In the main thread: as the body, with client data as `JsonValue`. */
function fromParsed(parsed: unknown, shape: BodyShape): unknown {
  if (shape === 'json') return isObject(parsed) ? new JsonValue(parsed as unknown as ParsedJson) : parsed;
  if (shape === 'plain') return parsed;
  if ('items' in shape)
    return Array.isArray(parsed) ? parsed.map((item) => fromParsed(item, shape.items)) : parsed;
  if (!isObject(parsed)) return parsed;
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [name, fromParsed(value, shape.fields[name] ?? 'plain')]),
  );
}

/**
 * Runs in the thread. Keeps what the route knows: unknown fields are dropped, and values that validation will reject are
 * reduced, a list to one item too many, others to an empty value of their type.
 */
export function toParsed(value: unknown, shape: BodyShape): unknown {
  if (shape === 'plain') return emptied(value);
  if (shape === 'json')
    return isObject(value) ? { text: JSON.stringify(value), hash: hashOfInput(value) } : emptied(value);
  if ('items' in shape) {
    return Array.isArray(value)
      ? value.slice(0, shape.maxItems + 1).map((item) => toParsed(item, shape.items))
      : emptied(value);
  }
  if (!isObject(value)) return emptied(value);
  return Object.fromEntries(
    Object.entries(shape.fields).flatMap(([name, field]) =>
      Object.hasOwn(value, name) ? [[name, toParsed(value[name], field)]] : [],
    ),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
}
