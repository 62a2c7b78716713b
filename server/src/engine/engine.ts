/**
 * The data plane. A command joins the batch of its lane; the batch is loaded, decided command by command and written in
 * one transaction; only when that is durable are the commands answered.
 */

import { AppError } from '../domain/app-error.js';
import type { CreateStep, EndRun, StartRun, UpdateStep } from '../domain/decide.js';
import type { Decision } from '../domain/decision.js';
import type { Run, RunState } from '../domain/run.js';
import type { Step, StepState } from '../domain/step.js';
import type { BatchNeeds, BatchStore } from '../store/store.js';
import { CommitQueue } from './commit-queue.js';
import { WorkingSet } from './working-set.js';

/** Who asks: commands are only taken from machines. */
export interface Caller {
  readonly workspaceId: string;
  readonly apiKeyId: string;
}

export interface EngineObserver {
  batchCommitted(size: number): void;
  decided(kind: 'run' | 'step', decision: Decision): void;
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

  async startRun(caller: Caller, command: StartRun): Promise<Run> {
    const run = await this.#submit(caller, { startingUserId: command.userId }, (set) =>
      set.startRun(command),
    );
    this.#observer.decided('run', run.decision);
    return run;
  }

  async endRun(caller: Caller, command: EndRun): Promise<RunState> {
    return this.#submit(caller, { runId: command.runId }, (set) => set.endRun(command));
  }

  async createStep(caller: Caller, command: CreateStep): Promise<Step> {
    const step = await this.#submit(caller, { runId: command.runId }, (set) => set.createStep(command));
    this.#observer.decided('step', step.decision);
    return step;
  }

  async updateStep(caller: Caller, command: UpdateStep): Promise<StepState> {
    const { runId, stepId } = command;
    return this.#submit(caller, { runId, stepId }, (set) => set.updateStep(command));
  }

  /** Resolves when every accepted command has been answered. */
  async drained(): Promise<void> {
    await this.#queue.drained();
  }

  #submit<Result>(
    caller: Caller,
    needs: CommandNeeds,
    execute: (set: WorkingSet) => Result,
  ): Promise<Result> {
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

interface CommandNeeds {
  readonly startingUserId?: string;
  readonly runId?: string;
  readonly stepId?: string;
}

interface PendingCommand {
  readonly caller: Caller;
  readonly needs: CommandNeeds;
  /** May be called more than once; the last outcome counts. */
  execute(set: WorkingSet): void;
  settle(): void;
  fail(error: unknown): void;
}

interface PendingOptions<Result> {
  readonly caller: Caller;
  readonly needs: CommandNeeds;
  readonly execute: (set: WorkingSet) => Result;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** A command with its caller waiting. What it throws while being decided is its own answer and changes nothing. */
class Pending<Result> implements PendingCommand {
  readonly caller: Caller;
  readonly needs: CommandNeeds;
  readonly #options: PendingOptions<Result>;
  #answer: () => void = () => {};

  constructor(options: PendingOptions<Result>) {
    this.caller = options.caller;
    this.needs = options.needs;
    this.#options = options;
  }

  execute(set: WorkingSet): void {
    try {
      set.requireActiveKey(this.caller.apiKeyId);
      const result = this.#options.execute(set);
      this.#answer = () => this.#options.resolve(result);
    } catch (error) {
      this.#answer = () => this.#options.reject(error);
    }
  }

  settle(): void {
    this.#answer();
  }

  fail(error: unknown): void {
    this.#options.reject(error);
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
  for (const { caller, needs } of commands) {
    apiKeyIds.add(caller.apiKeyId);
    if (needs.startingUserId !== undefined) startingUserIds.add(needs.startingUserId);
    if (needs.runId !== undefined) runIds.add(needs.runId);
    if (needs.runId !== undefined && needs.stepId !== undefined) {
      steps.push({ runId: needs.runId, stepId: needs.stepId });
    }
  }
  return { workspaceId, apiKeyIds, startingUserIds, runIds, steps };
}
