/**
 * A worker thread and the calls to it. What would block the main thread runs in one of these: the embedded database, which is
 * synchronous, and the parsing of large bodies.
 */

import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type MessagePort, Worker } from 'node:worker_threads';
import { AppError, unavailable } from '../domain/app-error.js';

export interface CallThreadOptions {
  /** The file that runs in the thread: it answers calls with `serveCalls`. */
  readonly module: URL;
  readonly data: unknown;
  /** Its time is sent with every call, so that all threads share one clock. */
  readonly clock: () => number;
  /** The limit of the thread's heap. */
  readonly maxHeapMb: number;
  /**
   * Called when an error has ended the thread and rejected all calls in flight. Without it the process exits: the service
   * does not work without the thread, and unanswered calls were not acknowledged.
   */
  readonly onCrash?: (error: Error) => void;
}

interface CallMessage {
  readonly number: number;
  readonly now: number;
  readonly call: unknown;
}

type ReplyMessage =
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly failure: PlainError };

export interface PlainError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly cause: PlainError | null;
}

const READY = 'ready';
const CLOSE = 'close';

type FirstMessage = typeof READY | { readonly failure: PlainError };

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The garbage of a call is short-lived: a larger young generation would use more memory without gain. */
const MAX_YOUNG_GENERATION_MB = 8;

export class CallThread {
  readonly #worker: Worker;
  readonly #clock: () => number;
  /** By the number of the call. */
  readonly #waiting: (Waiting | undefined)[] = [];
  /** Numbers of calls that were answered, used again. */
  readonly #freeNumbers: number[] = [];
  #isClosed = false;

  private constructor(worker: Worker, { clock, onCrash }: Pick<CallThreadOptions, 'clock' | 'onCrash'>) {
    this.#worker = worker;
    this.#clock = clock;
    worker.on('message', (message: ReplyMessage) => this.#settle(message));
    worker.on('error', (error: Error) => {
      if (onCrash === undefined) throw error;
      this.#isClosed = true;
      for (const waiting of this.#waiting.splice(0)) waiting?.reject(error);
      onCrash(error);
    });
  }

  /** Resolves when the thread is ready. */
  static async start({ module, data, clock, maxHeapMb, onCrash }: CallThreadOptions): Promise<CallThread> {
    const worker = new Worker(module, {
      workerData: data,
      resourceLimits: {
        maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB,
        maxOldGenerationSizeMb: maxHeapMb,
      },
    });
    const [first] = (await once(worker, 'message')) as [FirstMessage];
    if (first !== READY) throw fromPlainError(first.failure);
    // The thread alone does not keep the process alive, for example after a failed start.
    worker.unref();
    return new CallThread(worker, onCrash === undefined ? { clock } : { clock, onCrash });
  }

  /** Buffers in `transfer` are moved to the thread instead of copied. */
  call(call: unknown, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(unavailable('The service is closing'));
    const number = this.#freeNumbers.pop() ?? this.#waiting.length;
    const message: CallMessage = { number, now: this.#clock(), call };
    return new Promise((resolve, reject) => {
      this.#waiting[number] = { resolve, reject };
      // Node.js takes microseconds to read a list, even an empty one.
      if (transfer.length === 0) this.#worker.postMessage(message);
      else this.#worker.postMessage(message, [...transfer]);
    });
  }

  /** Resolves when everything that was called has been answered. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const exit = once(this.#worker, 'exit');
    this.#worker.ref();
    this.#worker.postMessage(CLOSE);
    await exit;
  }

  #settle(message: ReplyMessage): void {
    const waiting = this.#waiting[message.number];
    this.#waiting[message.number] = undefined;
    this.#freeNumbers.push(message.number);
    if ('failure' in message) waiting?.reject(fromPlainError(message.failure));
    else waiting?.resolve(message.result);
  }
}

export interface CallServer {
  /** Called with the time of a call before it is answered. */
  setNow?(now: number): void;
  answer(call: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** Answers calls inside the thread. Calls may overlap. */
export function serveCalls(port: MessagePort, server: CallServer): void {
  const inFlight = new Set<Promise<void>>();
  const answer = async ({ number, now, call }: CallMessage): Promise<void> => {
    try {
      server.setNow?.(now);
      port.postMessage({ number, result: await server.answer(call) } satisfies ReplyMessage);
    } catch (error) {
      port.postMessage({ number, failure: toPlainError(error) } satisfies ReplyMessage);
    }
  };
  const close = async (): Promise<void> => {
    await Promise.all(inFlight);
    await server.close();
    port.close();
  };
  port.on('message', (message: CallMessage | typeof CLOSE) => {
    if (message === CLOSE) {
      void close();
      return;
    }
    const answering = answer(message).finally(() => inFlight.delete(answering));
    inFlight.add(answering);
  });
  port.postMessage(READY satisfies FirstMessage);
}

export function refuseToServe(port: MessagePort, error: unknown): void {
  port.postMessage({ failure: toPlainError(error) } satisfies FirstMessage);
}

/**
 * Linux schedules each thread by its own priority: threads for reports and large bodies yield to those that decide. On other
 * systems, or without permission, all threads have the same priority.
 */
export function lowerThreadPriority(): void {
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(threadId, LOW_PRIORITY);
  } catch {
    // An optimization only.
  }
}

const LOW_PRIORITY = 10;

/** Structured clone keeps only message, stack and cause of an error: other properties are sent as `details`. */
export function toPlainError(error: unknown): PlainError {
  if (!(error instanceof Error))
    return { message: String(error), stack: undefined, details: {}, cause: null };
  const { message, stack, cause } = error;
  return {
    message,
    stack,
    details: { ...error },
    cause: cause instanceof Error ? toPlainError(cause) : null,
  };
}

export function fromPlainError({ message, stack, details, cause }: PlainError): Error {
  const options = cause === null ? {} : { cause: fromPlainError(cause) };
  const { kind, retryAfterSeconds } = details as Partial<AppError>;
  if (kind !== undefined) {
    return new AppError(kind, message, {
      ...options,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
  return Object.assign(new Error(message, options), details, { stack });
}
