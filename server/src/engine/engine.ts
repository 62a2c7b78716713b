/** The data plane: starts and ends runs, creates and updates steps. */

import type { CreateStep, EndRun, StartRun, UpdateStep } from '../domain/decide.js';
import type { Decision } from '../domain/decision.js';
import type { Caller, Command } from './command.js';
import type { Answer } from './commit-batch.js';
import type { Committer } from './committer.js';
import type { EndReply, Reply, ReportReply, RunReply, StepReply } from './replies.js';

export interface EngineObserver {
  decided(kind: 'run' | 'step', decision: Pick<Decision, 'outcome' | 'reason'>): void;
}

export interface EngineOptions {
  readonly committer: Committer;
  readonly observer: EngineObserver;
}

export class Engine {
  readonly #committer: Committer;
  readonly #observer: EngineObserver;

  constructor({ committer, observer }: EngineOptions) {
    this.#committer = committer;
    this.#observer = observer;
  }

  /** Commands that wait for a batch. */
  get queueDepth(): number {
    return this.#committer.waiting;
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
  drained(): Promise<void> {
    return this.#committer.drained();
  }

  /** The kind of a command decides the kind of its reply. */
  #submit<Given extends Reply>(command: Command): Promise<Answer<Given>> {
    return this.#committer.submit(command) as Promise<Answer<Given>>;
  }
}
