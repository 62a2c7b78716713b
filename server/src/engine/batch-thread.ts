/**
 * Commits batches in a thread of its own, which has its own connection to the store. An embedded database works and waits
 * for the disk where it is called: here that is not the thread that reads requests and writes answers.
 */

import { once } from 'node:events';
import { type MessagePort, Worker } from 'node:worker_threads';
import { AppError } from '../domain/app-error.js';
import type { BatchStore } from '../store/store.js';
import { type BatchCommitter, MAX_BATCH_SIZE } from './batch-committer.js';
import type { Command } from './command.js';
import { commitBatch, type Failure, type Outcome } from './commit-batch.js';

export interface BatchThreadOptions {
  /** The file that runs in the thread: it opens the store and serves it with a BatchServer. */
  readonly module: URL;
  /** What that file needs to open the store. */
  readonly data: unknown;
  /** The thread has no clock of its own, so that there is one in the process. */
  readonly clock: () => number;
  readonly laneOf: (workspaceId: string) => string;
}

interface BatchMessage {
  readonly number: number;
  readonly now: number;
  readonly commands: readonly Command[];
}

type ReplyMessage =
  | { readonly number: number; readonly outcomes: readonly PlainOutcome[] }
  | { readonly number: number; readonly failure: PlainError };

type PlainOutcome = Exclude<Outcome, Failure> | { readonly failure: PlainError };

interface PlainError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly cause: PlainError | null;
}

/** What a batch leaves behind is garbage when the next one begins: a larger place for it would be memory and no gain. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };

const READY = 'ready';
const CLOSE = 'close';

/** What the thread says when it has started. */
export type FirstMessage = typeof READY | { readonly failure: PlainError };

export class BatchThread implements BatchCommitter {
  readonly laneOf: (workspaceId: string) => string;
  /** The thread joins what it has not begun: it never has to wait for this one to send the next batch. */
  readonly maxUnderWay = 8;
  /** It works while this one reads on. Otherwise each would wait for the other to be done with all requests that there are. */
  readonly beginSize = 16;
  readonly #worker: Worker;
  readonly #clock: () => number;
  readonly #waiting = new Map<number, Waiting<Outcome[]>>();
  #lastNumber = 0;

  private constructor(worker: Worker, { clock, laneOf }: BatchThreadOptions) {
    this.laneOf = laneOf;
    this.#worker = worker;
    this.#clock = clock;
    worker.on('message', (message: ReplyMessage) => this.#settle(message));
    // Nothing can be committed without it: the process ends, and what was not answered was not acknowledged.
    worker.on('error', (error) => {
      throw error;
    });
  }

  /** Resolves when the thread has opened its store. */
  static async start(options: BatchThreadOptions): Promise<BatchThread> {
    const worker = new Worker(options.module, {
      workerData: options.data,
      resourceLimits: RESOURCE_LIMITS,
    });
    const [first] = (await once(worker, 'message')) as [FirstMessage];
    if (first !== READY) throw fromPlainError(first.failure);
    // A process that has nothing else left to do, since its start failed, ends.
    worker.unref();
    return new BatchThread(worker, options);
  }

  commit(commands: readonly Command[]): Promise<Outcome[]> {
    const number = ++this.#lastNumber;
    const message: BatchMessage = { number, now: this.#clock(), commands };
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    const exit = once(this.#worker, 'exit');
    this.#worker.ref();
    this.#worker.postMessage(CLOSE);
    await exit;
  }

  #settle(message: ReplyMessage): void {
    const waiting = this.#waiting.get(message.number);
    this.#waiting.delete(message.number);
    if ('failure' in message) waiting?.reject(fromPlainError(message.failure));
    else waiting?.resolve(message.outcomes.map(fromPlainOutcome));
  }
}

export interface BatchServerOptions {
  readonly port: MessagePort;
  readonly batches: BatchStore;
  /** Is told the time of a batch before it is committed. */
  readonly setNow: (now: number) => void;
  readonly close: () => Promise<void>;
}

/** The other side: natural batching once more, over what arrived while the last batch was being committed. */
export class BatchServer {
  readonly #options: BatchServerOptions;
  readonly #waiting: BatchMessage[] = [];
  #isDraining = false;

  constructor(options: BatchServerOptions) {
    this.#options = options;
    options.port.on('message', (message: BatchMessage | typeof CLOSE) => {
      if (message === CLOSE) void this.#close();
      else this.#receive(message);
    });
    options.port.postMessage(READY satisfies FirstMessage);
  }

  #receive(message: BatchMessage): void {
    this.#waiting.push(message);
    if (this.#isDraining) return;
    this.#isDraining = true;
    setImmediate(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    const { port, batches, setNow } = this.#options;
    const messages = takeJoined(this.#waiting);
    for (const { now } of messages) setNow(now);
    const replies = await repliesTo(messages, (commands) => commitBatch(batches, commands));
    for (const reply of replies) port.postMessage(reply);
    this.#isDraining = this.#waiting.length > 0;
    // Messages that wait at the port are read first.
    if (this.#isDraining) setImmediate(() => void this.#drain());
  }

  async #close(): Promise<void> {
    await this.#options.close();
    this.#options.port.close();
  }
}

/** At least one. */
function takeJoined(waiting: BatchMessage[]): BatchMessage[] {
  let size = 0;
  const end = waiting.findIndex(({ commands }, index) => {
    size += commands.length;
    return index > 0 && size > MAX_BATCH_SIZE;
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
}

async function repliesTo(
  messages: readonly BatchMessage[],
  commit: (commands: Command[]) => Promise<Outcome[]>,
): Promise<ReplyMessage[]> {
  try {
    const outcomes = (await commit(messages.flatMap(({ commands }) => commands))).map(toPlainOutcome);
    return messages.map(({ number, commands }) => ({
      number,
      outcomes: outcomes.splice(0, commands.length),
    }));
  } catch (error) {
    const failure = toPlainError(error);
    return messages.map(({ number }) => ({ number, failure }));
  }
}

function toPlainOutcome(outcome: Outcome): PlainOutcome {
  return 'error' in outcome ? { failure: toPlainError(outcome.error) } : outcome;
}

function fromPlainOutcome(outcome: PlainOutcome): Outcome {
  return 'failure' in outcome ? { error: fromPlainError(outcome.failure) } : outcome;
}

/** A copy between threads has only the message, the stack and the cause of an error: whatever else it says goes beside them. */
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

function fromPlainError({ message, stack, details, cause }: PlainError): Error {
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

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}
