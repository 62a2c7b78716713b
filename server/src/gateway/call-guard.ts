/** Asks before a call and reports after it. A report that the store cannot take is repeated; if the service dies, the hold is charged. */

import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../domain/app-error.js';
import type { DenyReason } from '../domain/rules.js';
import type { StepReport } from '../domain/step.js';
import type { Caller } from '../engine/command.js';
import type { CallRequest, Pieces } from './call-request.js';
import { denied } from './gateway-error.js';
import type { BilledEndpoint } from './provider.js';
import { type RunOfCall, RunsOfCalls, type RunsOfCallsOptions } from './run-of-call.js';
import { type CallOutcome, type EstimatedTokens, toSettlement } from './settlement.js';

export interface CallGuardOptions extends RunsOfCallsOptions {
  readonly settings: { readonly defaultMaxTokens: number; readonly recordsPayloads: boolean };
  /** What is stored of a request; null if it cannot be. */
  readonly toInputData: (workspaceId: string, body: Pieces) => Promise<string | null>;
  readonly log: { error(fields: object, message: string): void };
}

export interface AskedCall {
  readonly provider: string;
  readonly billed: BilledEndpoint;
  readonly call: CallRequest;
  readonly runId: string | null;
  readonly session: string | null;
  readonly userId: string;
}

/** A call that was allowed. It must be settled. */
export interface GuardedCall extends RunOfCall {
  /** The service itself: the key of the client may be revoked before the call ends. */
  readonly caller: Caller;
  readonly stepId: string;
  readonly held: EstimatedTokens;
  /** What the request needs so that the hold is a bound; null: nothing. */
  readonly addedMaxTokens: { readonly name: string; readonly value: number } | null;
  readonly askedAt: number;
}

/** Calls in flight learn of these within a heartbeat. */
const ENDS_CALLS: ReadonlySet<DenyReason> = new Set([
  'KILL_SWITCH_ACTIVE',
  'USER_BLOCKED',
  'RUN_ALREADY_ENDED',
]);

/** No lease is shorter than 10 seconds. */
const FIRST_HEARTBEAT_MS = 3_000;
const MAX_HEARTBEAT_MS = 60_000;
const MIN_HEARTBEAT_MS = 1_000;

const RETRY_MS = [100, 300, 1_000, 3_000, 10_000, 20_000, 30_000];

export class CallGuard {
  readonly #options: CallGuardOptions;
  readonly #runs: RunsOfCalls;
  readonly #settled = new WeakSet<GuardedCall>();
  readonly #waiting = new Set<Promise<void>>();

  constructor(options: CallGuardOptions) {
    this.#options = options;
    this.#runs = new RunsOfCalls(options);
  }

  /** Throws GatewayError if the call is denied. */
  async ask(caller: Caller, asked: AskedCall): Promise<GuardedCall> {
    const { billed, call } = asked;
    const { engine, newId, settings } = this.#options;
    const run = await this.#runs.open(caller, asked);
    const maxTokens = call.maxCompletionTokens ?? settings.defaultMaxTokens;
    const completionTokens = maxTokens * call.choices;
    const { tokens: promptTokens, mostTokens } = call.prompt;
    const inputData = settings.recordsPayloads
      ? await this.#options.toInputData(caller.workspaceId, call.body)
      : null;
    const created = await engine
      .createStep(caller, {
        id: newId(),
        runId: run.runId,
        type: 'MODEL_CALL',
        sequence: null,
        model: call.model,
        toolName: null,
        inputData,
        inputHash: call.bodyHash,
        estimate: { promptTokens, completionTokens, mostPromptTokens: mostTokens },
      })
      .catch(async (error: unknown) => {
        await this.#endOwn(caller, run);
        throw error;
      });
    if (created.decision.outcome === 'DENY') {
      await this.#endOwn(caller, run);
      throw denied(created.decision.reason);
    }
    const isBound = created.hold?.isBound === true;
    return {
      ...run,
      caller: { workspaceId: caller.workspaceId, apiKeyId: null },
      stepId: created.id,
      held: { promptTokens: isBound ? mostTokens : promptTokens, completionTokens },
      addedMaxTokens:
        isBound && call.maxCompletionTokens === null && billed.addedMaxTokens !== null
          ? { name: billed.addedMaxTokens, value: maxTokens }
          : null,
      askedAt: performance.now(),
    };
  }

  /** Resolves when the report is durable, or when the store does not take it at once; then it is repeated in the background. */
  async settle(call: GuardedCall, outcome: CallOutcome): Promise<void> {
    if (this.#settled.has(call)) return;
    this.#settled.add(call);
    const durationMs = Math.round(performance.now() - call.askedAt);
    const report = toSettlement(outcome, { held: call.held, durationMs });
    const { firstAttempt, done } = this.#reportUntilTaken(call, report);
    this.#waiting.add(done);
    void done.finally(() => this.#waiting.delete(done));
    await firstAttempt;
  }

  /** Resolves when no report is waiting. */
  async drained(): Promise<void> {
    await Promise.all(this.#waiting);
  }

  /** Renews the lease of the run while the call is in flight. `onEnd`: the call must not go on, for this reason. */
  keepAlive({ caller, runId }: GuardedCall, onEnd: (reason: DenyReason) => void): { stop(): void } {
    let timer: NodeJS.Timeout;
    const beat = async () => {
      let nextMs = MAX_HEARTBEAT_MS;
      try {
        const { decision, leaseExpiresAt } = await this.#options.engine.heartbeat(caller, { runId });
        const { reason } = decision;
        if (reason !== null && ENDS_CALLS.has(reason)) onEnd(reason);
        if (leaseExpiresAt !== null) nextMs = (leaseExpiresAt - (await this.#options.now())) / 3;
      } catch {
        nextMs = FIRST_HEARTBEAT_MS;
      }
      schedule(Math.min(Math.max(nextMs, MIN_HEARTBEAT_MS), MAX_HEARTBEAT_MS));
    };
    let isStopped = false;
    const schedule = (delayMs: number) => {
      if (!isStopped) timer = setTimeout(() => void beat(), delayMs);
    };
    schedule(FIRST_HEARTBEAT_MS);
    return {
      stop: () => {
        isStopped = true;
        clearTimeout(timer);
      },
    };
  }

  #reportUntilTaken(
    call: GuardedCall,
    report: StepReport,
  ): { firstAttempt: Promise<void>; done: Promise<void> } {
    const firstAttempt = this.#report(call, report);
    const done = (async () => {
      let error = await failureOf(firstAttempt);
      for (const delayMs of RETRY_MS) {
        if (!isTemporary(error)) break;
        await sleep(delayMs, undefined, { ref: false });
        error = await failureOf(this.#report(call, report));
      }
      if (error !== null) {
        const { runId, stepId } = call;
        this.#options.log.error({ err: error, runId, stepId }, 'gateway: a call could not be reported');
      }
    })();
    return { firstAttempt: firstAttempt.catch(() => {}), done };
  }

  async #report({ caller, runId, stepId, isOwn }: GuardedCall, report: StepReport): Promise<void> {
    const { engine } = this.#options;
    const reported = { runId, stepId, report };
    if (!isOwn) {
      await engine.reportStep(caller, reported);
      return;
    }
    try {
      await engine.endRun(caller, { runId, status: report.status, reports: [reported] });
    } catch (error) {
      // It was stopped in the meantime.
      if (isTemporary(error)) throw error;
      await engine.reportStep(caller, reported);
    }
  }

  /** A run without a call. */
  async #endOwn(caller: Caller, { runId, isOwn }: RunOfCall): Promise<void> {
    if (!isOwn) return;
    // If it cannot be ended, its lease ends it.
    await this.#options.engine.endRun(caller, { runId, status: 'FAILED' }).catch(() => {});
  }
}

async function failureOf(work: Promise<void>): Promise<unknown> {
  try {
    await work;
    return null;
  } catch (error) {
    return error;
  }
}

function isTemporary(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'unavailable';
}
