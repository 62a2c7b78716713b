/**
 * Commits in the writer thread of the embedded database. Natural batching: commands that arrive during a commit form the next
 * batch. Commands are sent ahead, so that the writer never waits for the main thread; their number is bounded, because
 * commands that were sent are no longer served in fair turns.
 */

import { AppError } from '../domain/app-error.js';
import { type CallThread, fromPlainError, type PlainError, toPlainError } from '../runtime/call-thread.js';
import type { BatchStore } from '../store/store.js';
import type { Command } from './command.js';
import { type CommandResult, commitBatch, type Failure } from './commit-batch.js';
import {
  bytesOf,
  type CommitterOptions,
  MAX_BATCH_BYTES,
  MAX_BATCH_SIZE,
  type Pending,
  QueueCommitter,
  workspaceOf,
} from './committer.js';

/** Sent immediately, although more may arrive in this event loop iteration: the writer works while this thread reads on. */
const BEGIN_SIZE = 16;
const MAX_SENT_BYTES = 2 * MAX_BATCH_BYTES;
/** Workspaces; more than can have commands in the thread. */
const MAX_COUNTED = 1_000;

export class ThreadCommitter extends QueueCommitter {
  readonly #thread: CallThread;
  readonly #sentOf = new Map<string, number>();
  #sent = 0;
  #sentBytes = 0;
  #isScheduled = false;

  constructor(thread: CallThread, options: CommitterOptions = {}) {
    super(options);
    this.#thread = thread;
  }

  protected queued(): void {
    if (this.queue.size >= BEGIN_SIZE) this.#send();
    else this.#schedule();
  }

  /** Requests that are read in the same event loop iteration share a batch. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  #send(): void {
    if (this.#sent >= this.maxBatchSize || this.#sentBytes >= MAX_SENT_BYTES) return;
    const share = this.share ?? this.maxBatchSize;
    const batch = this.queue.take({
      maxItems: this.maxBatchSize - this.#sent,
      maxBytes: MAX_SENT_BYTES - this.#sentBytes,
      isHeldBack: (workspaceId) => (this.#sentOf.get(workspaceId) ?? 0) >= share,
      onTake: (pending) => this.#count(pending, 1),
    });
    if (batch.length > 0) void this.#commit(batch);
  }

  async #commit(batch: readonly Pending[]): Promise<void> {
    const call: CommitCall = { kind: 'commit', commands: batch.map(({ command }) => command) };
    let settle: () => void;
    try {
      const results = ((await this.#thread.call(call)) as PlainResult[]).map(fromPlainResult);
      settle = () => this.settle(batch, results);
    } catch (error) {
      // If the store is unavailable, waiting commands fail, too, instead of each waiting for its own timeout.
      const waiting = error instanceof AppError ? this.queue.takeAll() : [];
      settle = () => this.fail([...batch, ...waiting], error);
    }
    for (const pending of batch) this.#count(pending, -1);
    // The next batch is in flight while this one is answered.
    this.#send();
    settle();
  }

  #count(pending: Pending, sign: 1 | -1): void {
    const workspaceId = workspaceOf(pending);
    this.#sentOf.set(workspaceId, (this.#sentOf.get(workspaceId) ?? 0) + sign);
    this.#sent += sign;
    this.#sentBytes += sign * pending.bytes;
    // Counts of 0 are kept, because most workspaces come back.
    if (this.#sentOf.size <= MAX_COUNTED) return;
    for (const [candidate, sent] of this.#sentOf) if (sent === 0) this.#sentOf.delete(candidate);
  }
}

// ── In the thread ──────────────────────────────────────────────────────────────────────────────────────────────────

export interface CommitCall {
  readonly kind: 'commit';
  readonly commands: readonly Command[];
}

type PlainResult = Exclude<CommandResult, Failure> | { readonly failure: PlainError };

interface WaitingCall {
  readonly commands: readonly Command[];
  readonly resolve: (results: PlainResult[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Joins the calls that arrived during the last commit into one batch. */
export class CommitServer {
  readonly #batches: BatchStore;
  readonly #waiting: WaitingCall[] = [];
  #isDraining = false;

  constructor(batches: BatchStore) {
    this.#batches = batches;
  }

  commit(commands: readonly Command[]): Promise<PlainResult[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ commands, resolve, reject });
      if (this.#isDraining) return;
      this.#isDraining = true;
      setImmediate(() => void this.#drain());
    });
  }

  async #drain(): Promise<void> {
    const calls = takeJoined(this.#waiting);
    try {
      const commands = calls.flatMap((call) => call.commands);
      const results = (await commitBatch(this.#batches, commands)).map(toPlainResult);
      for (const call of calls) call.resolve(results.splice(0, call.commands.length));
    } catch (error) {
      for (const call of calls) call.reject(error);
    }
    this.#isDraining = this.#waiting.length > 0;
    // Messages that wait at the port are read first.
    if (this.#isDraining) setImmediate(() => void this.#drain());
  }
}

/** At least one. */
function takeJoined(waiting: WaitingCall[]): WaitingCall[] {
  let size = 0;
  let bytes = 0;
  const end = waiting.findIndex(({ commands }, index) => {
    size += commands.length;
    for (const command of commands) bytes += bytesOf(command);
    return index > 0 && (size > MAX_BATCH_SIZE || bytes > MAX_BATCH_BYTES);
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
}

function toPlainResult(result: CommandResult): PlainResult {
  return 'error' in result ? { failure: toPlainError(result.error) } : result;
}

function fromPlainResult(result: PlainResult): CommandResult {
  return 'failure' in result ? { error: fromPlainError(result.failure) } : result;
}
