/** The data plane: starts, keeps alive and ends runs, creates and reports steps. */

import type { CreateStep, EndRun, Heartbeat, ReportStep, StartRun, StopRun } from '../domain/decide.js';
import type { Decision } from '../domain/decision.js';
import type { Caller, Command } from './command.js';
import type { Success } from './commit-batch.js';
import type { Committer } from './committer.js';
import type {
  EndReply,
  ExpiryReply,
  HeartbeatReply,
  Reply,
  ReportReply,
  RunReply,
  StepReply,
  StopReply,
} from './replies.js';

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

  async startRun(caller: Caller, input: StartRun): Promise<RunReply> {
    const { reply, isReplay } = await this.#submit<RunReply>({ kind: 'start-run', caller, input });
    if (!isReplay) this.#observer.decided('run', reply.decision);
    return reply;
  }

  async endRun(caller: Caller, input: EndRun): Promise<EndReply> {
    return (await this.#submit<EndReply>({ kind: 'end-run', caller, input })).reply;
  }

  async createStep(caller: Caller, input: CreateStep): Promise<StepReply> {
    const { reply, isReplay } = await this.#submit<StepReply>({ kind: 'create-step', caller, input });
    if (!isReplay) this.#observer.decided('step', reply.decision);
    return reply;
  }

  async reportStep(caller: Caller, input: ReportStep): Promise<ReportReply> {
    return (await this.#submit<ReportReply>({ kind: 'report-step', caller, input })).reply;
  }

  async heartbeat(caller: Caller, input: Heartbeat): Promise<HeartbeatReply> {
    return (await this.#submit<HeartbeatReply>({ kind: 'heartbeat', caller, input })).reply;
  }

  async stopRun(caller: Caller, input: StopRun): Promise<StopReply> {
    return (await this.#submit<StopReply>({ kind: 'stop-run', caller, input })).reply;
  }

  async expireRuns(workspaceId: string): Promise<ExpiryReply> {
    const caller = { workspaceId, apiKeyId: null };
    return (await this.#submit<ExpiryReply>({ kind: 'expire-runs', caller, input: null })).reply;
  }

  /** Resolves when every accepted command has been answered. */
  drained(): Promise<void> {
    return this.#committer.drained();
  }

  /** The kind of a command determines the type of its reply. */
  #submit<Given extends Reply>(command: Command): Promise<Success<Given>> {
    return this.#committer.submit(command) as Promise<Success<Given>>;
  }
}
