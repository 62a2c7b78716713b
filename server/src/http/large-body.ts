/**
 * Parses large bodies in a worker thread, one at a time and the workspaces in turn, so that a slow hostile body delays only
 * other large bodies. The thread returns client data as validated JSON text: its values are not needed, and copying them
 * between threads would take longer than parsing them.
 */

import { unprocessable } from '../domain/app-error.js';
import type { JsonText } from '../domain/run.js';
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

  constructor(text: string) {
    this.text = text;
  }
}

/** Client data (metadata, input_data) is stored as JSON text and never interpreted. */
export function toJsonText(value: Record<string, unknown> | null | undefined): JsonText | null {
  if (value instanceof JsonValue) return value.text;
  return value == null ? null : JSON.stringify(value);
}

/** The fields of a route's body; `json` is client data, which is stored as text. */
export type BodyFields = Readonly<Record<string, 'json' | 'plain'>>;

export interface ParseCall {
  readonly body: Uint8Array;
  readonly fields: BodyFields;
}

/** Client data is `{ json }`; other values are unchanged. */
export type ParsedBody = { readonly fields: Readonly<Record<string, unknown>> } | { readonly other: unknown };

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
  async parse(owner: string, body: Buffer, fields: BodyFields): Promise<unknown> {
    return this.#limiter.run(owner, async () => {
      const thread = await this.#thread;
      const bytes = toTransferable(body);
      const call: ParseCall = { body: bytes, fields };
      const parsed = await thread.call(call, [bytes.buffer]).catch((error: unknown) => {
        throw isOutOfMemory(error) ? unprocessable('body takes too much memory to parse') : error;
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

/** A body with an ArrayBuffer of its own is transferred; a part of a shared one is copied. */
function toTransferable(body: Buffer): Uint8Array<ArrayBuffer> {
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

/** Runs in the thread. Drops unknown fields, and reduces values that validation will reject to an empty value of their type. */
export function toParsedBody(body: unknown, fields: BodyFields): ParsedBody {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { other: emptied(body) };
  const known = Object.entries(fields).flatMap(([name, kind]) => {
    const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    if (value === undefined) return [];
    const isData = kind === 'json' && typeof value === 'object' && value !== null && !Array.isArray(value);
    return [[name, isData ? { json: JSON.stringify(value) } : emptied(value)]];
  });
  return { fields: Object.fromEntries(known) };
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : value;
}
