/**
 * The data plane. A command joins the batch of its lane; the batch is committed in one transaction; only when that is
 * durable are the commands answered.
 */

import { AppError } from '../domain/app-error.js';
import type { CreateStep, EndRun, StartRun, UpdateStep } from '../domain/decide.js';
import type { Decision } from '../domain/decision.js';
import { type BatchCommitter, MAX_BATCH_SIZE } from './batch-committer.js';
import type { Caller, Command } from './command.js';
import type { Answer, Outcome } from './commit-batch.js';
import { CommitQueue } from './commit-queue.js';
import type { EndReply, Reply, ReportReply, RunReply, StepReply } from './replies.js';

export interface EngineObserver {
  batchCommitted(size: number): void;
  decided(kind: 'run' | 'step', decision: Pick<Decision, 'outcome' | 'reason'>): void;
}

export interface EngineOptions {
  readonly committer: BatchCommitter;
  readonly observer: EngineObserver;
  readonly maxBatchSize?: number;
  readonly maxWaiting?: number;
}

/** A command with its caller waiting. */
interface Pending {
  readonly command: Command;
  /** Its workspace was held by someone else: it waits for it where nobody else has to. */
  readonly waitsForWorkspace: boolean;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_WAITING = 10_000;

export class Engine {
  readonly #committer: BatchCommitter;
  readonly #observer: EngineObserver;
  readonly #queue: CommitQueue<Pending>;

  constructor({
    committer,
    observer,
    maxBatchSize = MAX_BATCH_SIZE,
    maxWaiting = MAX_WAITING,
  }: EngineOptions) {
    this.#committer = committer;
    this.#observer = observer;
    this.#queue = new CommitQueue<Pending>({
      laneOf: (pending) => this.#laneOf(pending),
      commit: (batch, lane) => this.#commit(batch, lane),
      maxBatchSize,
      maxWaiting,
      maxUnderWay: committer.maxUnderWay,
      beginSize: committer.beginSize,
    });
  }

  /** Commands that wait for a batch. */
  get queueDepth(): number {
    return this.#queue.waiting;
  }

  async startRun(caller: Caller, order: StartRun): Promise<RunReply> {
    const { reply, isReplay } = await this.#submit<RunReply>({ kind: 'start-run', caller, order });
    if (!isReplay) this.#observer.decided('run', reply.decision);
    return reply;
  }

  async endRun(caller: Caller, order: EndRun): Promise<EndReply> {
    return (await this.#submit<EndReply>({ kind: 'end-run', caller, order })).reply;
  }

  async createStep(caller: Caller, order: CreateStep): Promise<StepReply> {
    const { reply, isReplay } = await this.#submit<StepReply>({ kind: 'create-step', caller, order });
    if (!isReplay) this.#observer.decided('step', reply.decision);
    return reply;
  }

  async updateStep(caller: Caller, order: UpdateStep): Promise<ReportReply> {
    return (await this.#submit<ReportReply>({ kind: 'update-step', caller, order })).reply;
  }

  /** Resolves when every accepted command has been answered. */
  async drained(): Promise<void> {
    await this.#queue.drained();
  }

  /** The kind of a command decides the kind of its reply. */
  #submit<Given extends Reply>(command: Command): Promise<Answer<Given>> {
    return new Promise((resolve, reject) => {
      this.#queue.add({ command, waitsForWorkspace: false, resolve: resolve as Pending['resolve'], reject });
    });
  }

  /**
   * Lanes are shared, and a batch of a shared lane waits for no workspace. One that is held by someone else has a lane of
   * its own, which waits for it, until nothing is waiting there any more.
   */
  #laneOf({ command, waitsForWorkspace }: Pending): string {
    const { workspaceId } = command.caller;
    const waits = waitsForWorkspace || this.#queue.isUnderWay(workspaceId);
    return waits ? workspaceId : this.#committer.laneOf(workspaceId);
  }

  async #commit(batch: readonly Pending[], lane: string): Promise<() => void> {
    let outcomes: readonly Outcome[];
    try {
      const waits = batch.every(({ command }) => command.caller.workspaceId === lane);
      outcomes = await this.#committer.commit(
        batch.map(({ command }) => command),
        { waits },
      );
    } catch (error) {
      // A store that is away fails those that wait behind, too: nobody waits for one timeout after the other.
      const waiting = error instanceof AppError ? this.#queue.takeWaiting(lane) : [];
      for (const { reject } of [...batch, ...waiting]) reject(error);
      return () => {};
    }
    return () => this.#settle(batch, outcomes);
  }

  #settle(batch: readonly Pending[], outcomes: readonly Outcome[]): void {
    let settled = 0;
    for (const [index, pending] of batch.entries()) {
      const outcome = outcomes[index] ?? { error: new Error('The command has no outcome') };
      if ('isPostponed' in outcome) {
        this.#waitForWorkspace(pending);
        continue;
      }
      settled += 1;
      if ('error' in outcome) pending.reject(outcome.error);
      else pending.resolve(outcome);
    }
    if (settled > 0) this.#observer.batchCommitted(settled);
  }

  #waitForWorkspace(pending: Pending): void {
    try {
      this.#queue.add({ ...pending, waitsForWorkspace: true });
    } catch (error) {
      pending.reject(error);
    }
  }
}
