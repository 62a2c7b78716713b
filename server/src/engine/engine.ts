/**
 * The data plane. A command joins the batch of its lane; the batch is loaded, decided command by command and written in
 * one transaction; only when that is durable are the commands answered.
 */

import { AppError } from '../domain/app-error.js';
import type { CreateStep, EndRun, StartRun, UpdateStep } from '../domain/decide.js';
import type { Decision } from '../domain/decision.js';
import type { BatchNeeds, BatchStore } from '../store/store.js';
import { CommitQueue } from './commit-queue.js';
import {
  type Answer,
  type Caller,
  type CommandNeeds,
  Pending,
  type PendingCommand,
} from './pending-command.js';
import {
  type EndReply,
  type ReportReply,
  type RunReply,
  type StepReply,
  toEndReply,
  toReportReply,
  toRunReply,
  toStepReply,
} from './replies.js';
import { WorkingSet } from './working-set.js';

export interface EngineObserver {
  batchCommitted(size: number): void;
  decided(kind: 'run' | 'step', decision: Pick<Decision, 'outcome' | 'reason'>): void;
}

export interface EngineOptions {
  readonly batches: BatchStore;
  readonly observer: EngineObserver;
  readonly maxBatchSize?: number;
  readonly maxWaiting?: number;
}

const MAX_BATCH_SIZE = 256;
const MAX_WAITING = 10_000;

export class Engine {
  readonly #batches: BatchStore;
  readonly #observer: EngineObserver;
  readonly #queue: CommitQueue<PendingCommand>;

  constructor({ batches, observer, maxBatchSize = MAX_BATCH_SIZE, maxWaiting = MAX_WAITING }: EngineOptions) {
    this.#batches = batches;
    this.#observer = observer;
    this.#queue = new CommitQueue<PendingCommand>({
      laneOf: ({ caller }) => batches.laneOf(caller.workspaceId),
      commit: (batch) => this.#commit(batch),
      maxBatchSize,
      maxWaiting,
    });
  }

  /** Commands that wait for a batch. */
  get queueDepth(): number {
    return this.#queue.waiting;
  }

  async startRun(caller: Caller, command: StartRun): Promise<RunReply> {
    const needs = { startingUserId: command.userId };
    const { reply, isReplay } = await this.#submit(caller, needs, (set) => toRunReply(set.startRun(command)));
    if (!isReplay) this.#observer.decided('run', reply.decision);
    return reply;
  }

  async endRun(caller: Caller, command: EndRun): Promise<EndReply> {
    const needs = { runId: command.runId };
    const { reply } = await this.#submit(caller, needs, (set) => toEndReply(set.endRun(command)));
    return reply;
  }

  async createStep(caller: Caller, command: CreateStep): Promise<StepReply> {
    const needs = { runId: command.runId };
    const { reply, isReplay } = await this.#submit(caller, needs, (set) =>
      toStepReply(set.createStep(command)),
    );
    if (!isReplay) this.#observer.decided('step', reply.decision);
    return reply;
  }

  async updateStep(caller: Caller, command: UpdateStep): Promise<ReportReply> {
    const needs = { runId: command.runId, stepId: command.stepId };
    const { reply } = await this.#submit(caller, needs, (set) => toReportReply(set.updateStep(command)));
    return reply;
  }

  /** Resolves when every accepted command has been answered. */
  async drained(): Promise<void> {
    await this.#queue.drained();
  }

  #submit<Reply>(
    caller: Caller,
    needs: CommandNeeds,
    execute: (set: WorkingSet) => Reply,
  ): Promise<Answer<Reply>> {
    return new Promise((resolve, reject) => {
      this.#queue.add(new Pending({ caller, needs, execute, resolve, reject }));
    });
  }

  async #commit(batch: PendingCommand[]): Promise<void> {
    const byWorkspace = groupByWorkspace(batch);
    const commandLists = [...byWorkspace.values()];
    try {
      await this.#batches.commit(
        [...byWorkspace].map(([workspaceId, commands]) => toBatchNeeds(workspaceId, commands)),
        (facts) =>
          facts.map((workspaceFacts, index) => {
            const set = new WorkingSet(workspaceFacts);
            for (const command of commandLists[index] ?? []) command.execute(set);
            return set.changes();
          }),
      );
    } catch (error) {
      await this.#commitFailed(batch, error);
      return;
    }
    this.#observer.batchCommitted(batch.length);
    for (const command of batch) command.settle();
  }

  /**
   * A store that is away fails them all, and with them those that wait behind: nobody waits for one timeout after the
   * other. Anything else is tried one by one, so that one command cannot fail others.
   */
  async #commitFailed(batch: PendingCommand[], error: unknown): Promise<void> {
    if (error instanceof AppError) {
      const lanes = new Set(batch.map(({ caller }) => this.#batches.laneOf(caller.workspaceId)));
      const waiting = [...lanes].flatMap((lane) => this.#queue.takeWaiting(lane));
      for (const command of [...batch, ...waiting]) command.fail(error);
    } else if (batch.length === 1) {
      for (const command of batch) command.fail(error);
    } else {
      for (const command of batch) await this.#commit([command]);
    }
  }
}

function groupByWorkspace(batch: readonly PendingCommand[]): Map<string, PendingCommand[]> {
  const groups = new Map<string, PendingCommand[]>();
  for (const command of batch) {
    const group = groups.get(command.caller.workspaceId);
    if (group === undefined) groups.set(command.caller.workspaceId, [command]);
    else group.push(command);
  }
  return groups;
}

function toBatchNeeds(workspaceId: string, commands: readonly PendingCommand[]): BatchNeeds {
  const apiKeyIds = new Set<string>();
  const startingUserIds = new Set<string>();
  const runIds = new Set<string>();
  const steps: { runId: string; stepId: string }[] = [];
  const idempotencyKeyHashes = new Set<string>();
  for (const { caller, needs } of commands) {
    apiKeyIds.add(caller.apiKeyId);
    if (caller.idempotency !== undefined) idempotencyKeyHashes.add(caller.idempotency.keyHash);
    if (needs.startingUserId !== undefined) startingUserIds.add(needs.startingUserId);
    if (needs.runId !== undefined) runIds.add(needs.runId);
    if (needs.runId !== undefined && needs.stepId !== undefined) {
      steps.push({ runId: needs.runId, stepId: needs.stepId });
    }
  }
  return { workspaceId, apiKeyIds, startingUserIds, runIds, steps, idempotencyKeyHashes };
}
