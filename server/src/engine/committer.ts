/** Where commands are decided and committed. Each implementation has its own queue. */

import { FairQueue } from '../runtime/fair-queue.js';
import type { Command } from './command.js';
import type { Answer } from './commit-batch.js';

export interface Committer {
  /**
   * The answer, once it is durable. Rejects with AppError when the command is refused, when its workspace or the service has
   * too much waiting, or when the store is away.
   */
  submit(command: Command): Promise<Answer>;
  /** Commands that wait for a batch. */
  readonly waiting: number;
  /** Resolves when every submitted command has been answered. */
  drained(): Promise<void>;
}

export interface CommitterOptions {
  /** Is told how many commands shared a commit. */
  readonly onCommit?: (size: number) => void;
  readonly maxBatchSize?: number;
  readonly maxWaiting?: number;
}

/** Commands in one commit at most. */
export const MAX_BATCH_SIZE = 256;
/** What the payloads of a batch take at most: a batch of large ones would hold up everything behind it. */
export const MAX_BATCH_BYTES = 1024 * 1024;
/**
 * Of one workspace in flight while others are active: the responses to a larger share would hold up their requests. Less when
 * the thread is busy (runtime/load-share.ts).
 */
export const MAX_SHARE = 16;

const MAX_WAITING = 10_000;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** One workspace alone cannot fill the queue. */
const WORKSPACE_SHARE_OF_ITEMS = 2;
const WORKSPACE_SHARE_OF_BYTES = 4;

export function newQueue(
  maxWaiting = MAX_WAITING,
  onDisplace: (pending: Pending, error: Error) => void,
): FairQueue<Pending> {
  return new FairQueue({
    maxItems: maxWaiting,
    maxBytes: MAX_WAITING_BYTES,
    maxItemsPerOwner: Math.ceil(maxWaiting / WORKSPACE_SHARE_OF_ITEMS),
    maxBytesPerOwner: MAX_WAITING_BYTES / WORKSPACE_SHARE_OF_BYTES,
    onDisplace,
  });
}

/** A command whose caller waits. */
export interface Pending {
  readonly command: Command;
  readonly bytes: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export function workspaceOf({ command }: Pending): string {
  return command.caller.workspaceId;
}

/** What a command holds in memory, near enough: its payload, and a little for the rest. */
export function bytesOf(command: Command): number {
  switch (command.kind) {
    case 'start-run':
      return BASE_BYTES + (command.order.metadata?.length ?? 0);
    case 'create-step':
      return BASE_BYTES + (command.order.inputData?.length ?? 0);
    default:
      return BASE_BYTES;
  }
}

const BASE_BYTES = 512;

/** Tells whether more than one workspace has been active lately. */
export class ActiveWorkspaces {
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

/** Resolves waiting callers when a count of things in progress comes back to zero. */
export class Outstanding {
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
