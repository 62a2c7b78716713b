/** Decides and commits commands. Each implementation has its own queue. */

import type { ReportStep, WithReports } from '../domain/decide.js';
import { FairQueue } from '../runtime/fair-queue.js';
import { LoadShare } from '../runtime/load-share.js';
import type { Command } from './command.js';
import type { CommandResult, Success } from './commit-batch.js';

export interface Committer {
  /**
   * Resolves once the reply is durable. Rejects with AppError when the command is refused, when its workspace or the service
   * has too much waiting, or when the store is unavailable.
   */
  submit(command: Command): Promise<Success>;
  /** Commands that wait for a batch. */
  readonly waiting: number;
  /** Resolves when every submitted command has been answered. */
  drained(): Promise<void>;
}

export interface CommitterOptions {
  /** Called with the number of commands in each commit. */
  readonly onCommit?: (size: number) => void;
  /** Called with the workspace of each command that was decided, after the commit. */
  readonly onDecide?: (workspaceId: string) => void;
  readonly maxBatchSize?: number;
  readonly maxWaiting?: number;
}

/** Commands in one commit at most. */
export const MAX_BATCH_SIZE = 256;
/** Bytes of payload in one commit at most: a larger batch would delay everything behind it. */
export const MAX_BATCH_BYTES = 1024 * 1024;
/**
 * Commands of one workspace in flight while others are active: the responses to more would delay the requests of others.
 * Fewer when the thread is busy (runtime/load-share.ts).
 */
export const MAX_SHARE = 16;

const MAX_WAITING = 10_000;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** One workspace alone cannot fill the queue. */
const WORKSPACE_SHARE_OF_ITEMS = 2;
const WORKSPACE_SHARE_OF_BYTES = 4;

/** A command whose caller waits. */
export interface Pending {
  readonly command: Command;
  readonly bytes: number;
  readonly resolve: (success: Success) => void;
  readonly reject: (error: unknown) => void;
}

export function workspaceOf({ command }: Pending): string {
  return command.caller.workspaceId;
}

/** Approximate memory of a command: its payload and a constant. */
export function bytesOf(command: Command): number {
  switch (command.kind) {
    case 'start-run':
      return BASE_BYTES + (command.input.metadata?.length ?? 0);
    case 'create-step':
      return BASE_BYTES + (command.input.inputData?.length ?? 0) + bytesOfReports(command.input);
    case 'end-run':
      return BASE_BYTES + bytesOfReports(command.input);
    case 'report-step':
      return BASE_BYTES + bytesOfDetails(command.input);
    default:
      return BASE_BYTES;
  }
}

const BASE_BYTES = 512;
const REPORT_BYTES = 256;

function bytesOfReports({ reports = [] }: WithReports): number {
  let bytes = reports.length * REPORT_BYTES;
  for (const report of reports) bytes += bytesOfDetails(report);
  return bytes;
}

function bytesOfDetails({ report: { details } }: ReportStep): number {
  return details === null ? 0 : (details.outputData?.length ?? 0) + (details.error?.length ?? 0);
}

/** The queue of waiting commands and their results. Subclasses decide when a batch starts. */
export abstract class QueueCommitter implements Committer {
  protected readonly queue: FairQueue<Pending>;
  protected readonly maxBatchSize: number;
  readonly #onCommit: (size: number) => void;
  readonly #onDecide: (workspaceId: string) => void;
  readonly #active = new ActiveWorkspaces();
  readonly #share = new LoadShare({ max: MAX_SHARE });
  readonly #unanswered = new Outstanding();

  constructor({
    onCommit = () => {},
    onDecide = () => {},
    maxBatchSize = MAX_BATCH_SIZE,
    maxWaiting = MAX_WAITING,
  }: CommitterOptions) {
    this.#onCommit = onCommit;
    this.#onDecide = onDecide;
    this.maxBatchSize = maxBatchSize;
    this.queue = new FairQueue({
      maxItems: maxWaiting,
      maxBytes: MAX_WAITING_BYTES,
      maxItemsPerOwner: Math.ceil(maxWaiting / WORKSPACE_SHARE_OF_ITEMS),
      maxBytesPerOwner: MAX_WAITING_BYTES / WORKSPACE_SHARE_OF_BYTES,
      onDisplace: (pending, error) => this.fail([pending], error),
    });
  }

  /** A command has joined the queue. */
  protected abstract queued(): void;

  get waiting(): number {
    return this.queue.size;
  }

  submit(command: Command): Promise<Success> {
    return new Promise((resolve, reject) => {
      const bytes = bytesOf(command);
      this.queue.add(command.caller.workspaceId, { command, bytes, resolve, reject }, bytes);
      this.#active.note(command.caller.workspaceId);
      this.#unanswered.add(1);
      this.queued();
    });
  }

  drained(): Promise<void> {
    return this.#unanswered.none();
  }

  /** What one workspace may have in flight; null while it is the only one. */
  protected get share(): number | null {
    return this.#active.areSeveral ? this.#share.current : null;
  }

  /** Each command has a result. */
  protected settle(batch: readonly Pending[], results: readonly CommandResult[]): void {
    if (batch.length === 0) return;
    this.#onCommit(batch.length);
    for (const [index, { command, resolve, reject }] of batch.entries()) {
      const result = results[index];
      // Also if the command was refused: its batch may have ended runs whose leases had ended.
      this.#onDecide(command.caller.workspaceId);
      if (result === undefined || 'isPostponed' in result) reject(new Error('The command has no result'));
      else if ('error' in result) reject(result.error);
      else resolve(result);
    }
    this.#unanswered.add(-batch.length);
  }

  protected fail(batch: readonly Pending[], error: unknown): void {
    for (const { reject } of batch) reject(error);
    this.#unanswered.add(-batch.length);
  }
}

/** Whether more than one workspace was active recently. */
class ActiveWorkspaces {
  #last = '';
  #severalUntil = Number.NEGATIVE_INFINITY;

  note(workspaceId: string): void {
    if (workspaceId === this.#last) return;
    if (this.#last !== '') this.#severalUntil = performance.now() + ACTIVE_MS;
    this.#last = workspaceId;
  }

  get areSeveral(): boolean {
    return performance.now() < this.#severalUntil;
  }
}

const ACTIVE_MS = 1_000;

/** Counts commands in progress and resolves waiting callers when there are none. */
class Outstanding {
  #count = 0;
  #waiting: (() => void)[] = [];

  add(count: number): void {
    this.#count += count;
    if (this.#count > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async none(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
