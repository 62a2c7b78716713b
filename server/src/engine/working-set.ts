/**
 * The facts of one workspace during one batch. Each command is decided against them and sees the changes of the commands before
 * it. `changes` returns what to write.
 */

import { errorAt, unauthenticated } from '../domain/app-error.js';
import type { AuditEntry } from '../domain/audit.js';
import { runStop } from '../domain/audit-changes.js';
import {
  type CreatedStep,
  type CreateStep,
  type CreateStepFacts,
  decideCreateStep,
  decideEndRun,
  decideHeartbeat,
  decideReportStep,
  decideStartRun,
  decideStopRun,
  type EndRun,
  type Heartbeat,
  type HeartbeatRun,
  type ReportStep,
  type StartRun,
  type StopRun,
  type WithReports,
} from '../domain/decide.js';
import { chargeHold } from '../domain/hold.js';
import { type IdempotencyRecord, type IdempotentRequest, replayOf } from '../domain/idempotency.js';
import type { ModelPrice } from '../domain/price.js';
import type { GuardrailFacts } from '../domain/rules.js';
import { changeRun, expireLease, type JsonText, type Run, type RunState, totalRuns } from '../domain/run.js';
import type { Step, StepState } from '../domain/step.js';
import type { BatchChanges, BatchFacts } from '../store/store.js';
import { BatchCounters } from './batch-counters.js';
import { fingerprintOf } from './step-fingerprint.js';
import { UndoLog } from './undo-log.js';

/** Here and where batches are written, objects are spread last: V8 is slow to add properties to a copied object. */
export class WorkingSet {
  readonly #facts: BatchFacts;
  readonly #undo = new UndoLog();
  readonly #counters: BatchCounters;
  readonly #runs: Map<string, RunState>;
  readonly #steps: Map<string, StepState>;
  readonly #newRuns: Run[] = [];
  readonly #changedRunIds = new Set<string>();
  readonly #postponedRunIds = new Set<string>();
  readonly #newSteps: Step[] = [];
  readonly #changedSteps = new Map<string, StepState>();
  /** By run: steps of this batch that hold something. */
  readonly #newHolds = new Map<string, readonly string[]>();
  readonly #newAuditEntries: AuditEntry[] = [];
  readonly #newRecords = new Map<string, IdempotencyRecord>();
  #nextDueAt: number | null;
  /** Expired runs that this batch does not end. */
  #otherExpired: number;

  constructor(facts: BatchFacts) {
    this.#facts = facts;
    this.#counters = new BatchCounters(facts, this.#undo);
    this.#runs = new Map(facts.runs);
    this.#steps = new Map(facts.steps);
    this.#nextDueAt = facts.dueRuns === null ? facts.nextDueAt : facts.dueRuns.nextDueAt;
    this.#otherExpired = facts.dueRuns?.otherExpired ?? 0;
    for (const run of facts.dueRuns?.runs ?? []) this.#lookAtLease(run);
    for (const { id } of facts.runs.values()) this.#expireLoaded(id);
  }

  get hasMoreDueRuns(): boolean {
    return this.#facts.dueRuns?.isComplete === false;
  }

  /** The key may have been revoked since the request was authenticated. */
  requireActiveKey(apiKeyId: string | null): void {
    if (apiKeyId !== null && !this.#facts.activeApiKeyIds.has(apiKeyId))
      throw unauthenticated('No active API key');
  }

  userOf(runId: string): string | null {
    return this.#runs.get(runId)?.userId ?? null;
  }

  /** The first reply to a request that was sent before, in this batch or an earlier one. */
  replayOf(request: IdempotentRequest): JsonText | null {
    const { keyHash } = request;
    const record = this.#newRecords.get(keyHash) ?? this.#facts.idempotencyRecords.get(keyHash);
    return replayOf(request, record, this.#facts.now);
  }

  record(request: IdempotentRequest, reply: JsonText): void {
    this.#newRecords.set(request.keyHash, { reply, createdAt: this.#facts.now, ...request });
  }

  startRun(input: StartRun): Run {
    const { runCounts, monthlyRunCount } = this.#counters;
    const run = decideStartRun(
      {
        monthlyRunCount,
        activeRunCount: runCounts.RUNNING - this.#otherExpired,
        nextPosition: totalRuns(runCounts) + 1,
        ...this.#guardrailFacts(input.userId, null),
      },
      input,
    );
    this.#newRuns.push(run);
    this.#expectDue(run.dueAt);
    this.#counters.countStart(run);
    return run;
  }

  endRun(input: EndRun): RunState {
    const run = this.#runs.get(input.runId) ?? null;
    return this.#end(run, decideEndRun({ now: this.#facts.now, run }, input));
  }

  /** The reports, and then `work`: if one of them is refused, nothing has changed. */
  withReports<Result>({ runId, reports = [] }: WithReports, work: () => Result): [StepState[], Result] {
    // An unknown run is refused as such, not by its first report.
    if (reports.length === 0 || !this.#runs.has(runId)) return [[], work()];
    return this.#undo.attempt(() => {
      this.#counters.keepForUndo();
      return [reports.map((report, index) => this.#reportAt(index, report)), work()];
    });
  }

  #reportAt(index: number, report: ReportStep): StepState {
    try {
      return this.reportStep(report);
    } catch (error) {
      throw errorAt(`body/reports/${index}`, error);
    }
  }

  stopRun(input: StopRun): RunState {
    const { now } = this.#facts;
    const run = this.#runs.get(input.runId) ?? null;
    const stopped = this.#end(run, decideStopRun({ now, run }));
    const change = runStop(run, stopped);
    if (change !== null) {
      const { authority: _, ...origin } = input.origin;
      const entry = { id: input.entryId, createdAt: now, ...origin, ...change };
      this.#undo.append(this.#newAuditEntries, entry);
    }
    return stopped;
  }

  heartbeat(input: Heartbeat): HeartbeatRun {
    const heartbeat = decideHeartbeat(this.#stepFacts(input.runId));
    if (heartbeat.run !== this.#runs.get(input.runId)) this.#changeRun(heartbeat.run);
    return heartbeat;
  }

  createStep(input: CreateStep): CreatedStep {
    const facts = {
      fingerprint: () => fingerprintOf(input),
      price: this.#priceOf(input.model),
      requireHolds: this.#facts.workspace.requireHolds,
      ...this.#stepFacts(input.runId),
    };
    const created = decideCreateStep(facts, input);
    const { step, run } = created;
    this.#changeRun(run);
    this.#undo.append(this.#newSteps, step);
    this.#counters.countDecision(run.userId, step.decision);
    if (step.heldPicoUsd !== null) {
      this.#undo.put(this.#steps, step.id, step);
      this.#undo.put(this.#newHolds, run.id, [...(this.#newHolds.get(run.id) ?? []), step.id]);
      this.#counters.hold(run.userId, step.heldPicoUsd);
    }
    return created;
  }

  reportStep(input: ReportStep): StepState {
    const run = this.#runs.get(input.runId) ?? null;
    // The step may have been loaded for another command of the batch, which named its actual run.
    const found = this.#steps.get(input.stepId) ?? null;
    const step = found?.runId === input.runId ? found : null;
    const model = step?.model ?? null;
    const reported = decideReportStep(
      {
        now: this.#facts.now,
        run,
        step,
        price: this.#priceOf(model),
        counted: this.#counters.ofReport(run?.userId ?? null, step),
        savedPicoUsd: this.#counters.savedToday(model),
      },
      input,
    );
    if (reported === null) return step as StepState;
    this.#changeStep(reported.step);
    this.#counters.countCall(reported.step);
    if (reported.run !== run) this.#changeRun(reported.run);
    if (step?.heldPicoUsd != null) this.#counters.hold(reported.run.userId, -step.heldPicoUsd);
    if (reported.usage !== null)
      this.#counters.countUsage(reported.run.userId, reported.step, {
        usage: reported.usage,
        parts: reported.parts,
        countedSteps: reported.countedSteps,
      });
    return reported.step;
  }

  changes(): BatchChanges {
    const workspaceId = this.#facts.workspace.id;
    return {
      workspaceId,
      newRuns: this.#newRuns,
      changedRuns: this.#runsWith(this.#changedRunIds),
      postponedRuns: this.#runsWith(this.#postponedRunIds),
      nextDueAt: this.#nextDueAt,
      isNextDueChanged: this.#nextDueAt !== this.#facts.nextDueAt,
      newSteps: this.#newSteps,
      changedSteps: [...this.#changedSteps.values()],
      otherDays: this.#counters.otherDays().map((counters) => ({ workspaceId, ...NO_ROWS, ...counters })),
      newAuditEntries: this.#newAuditEntries,
      ...this.#idempotencyRecords(),
      ...this.#counters.changes(),
    };
  }

  #idempotencyRecords(): Pick<BatchChanges, 'newIdempotencyRecords' | 'renewedIdempotencyRecords'> {
    const records = [...this.#newRecords.values()];
    const { idempotencyRecords: expired } = this.#facts;
    if (expired.size === 0) return { newIdempotencyRecords: records, renewedIdempotencyRecords: [] };
    const isExpired = ({ keyHash }: IdempotencyRecord) => expired.has(keyHash);
    return {
      newIdempotencyRecords: records.filter((record) => !isExpired(record)),
      renewedIdempotencyRecords: records.filter(isExpired),
    };
  }

  #runsWith(ids: ReadonlySet<string>): RunState[] {
    const runs: RunState[] = [];
    for (const id of ids) {
      const run = this.#runs.get(id);
      if (run !== undefined) runs.push(run);
    }
    return runs;
  }

  /** A run that is due has either expired, or its lease was renewed since. */
  #lookAtLease(run: RunState): void {
    if (run.status === 'RUNNING' && this.#expire(this.#runs.get(run.id) ?? run)) return;
    // A version that knew no leases may have ended it: then it is never due again.
    const dueAt = run.status === 'RUNNING' ? run.leaseExpiresAt : null;
    const postponed = changeRun(this.#runs.get(run.id) ?? run, { dueAt });
    this.#runs.set(run.id, postponed);
    this.#postponedRunIds.add(run.id);
    this.#expectDue(postponed.dueAt);
  }

  /** A run of a command. If it is not among the runs that are due, it was counted with the others. */
  #expireLoaded(id: string): void {
    const run = this.#runs.get(id);
    if (run === undefined || expireLease(run, this.#facts.now) === run) return;
    this.#expire(run);
    if (this.#otherExpired > 0) this.#otherExpired -= 1;
  }

  /** Whether the run ended by its lease, in this batch or before. */
  #expire(run: RunState): boolean {
    const expired = expireLease(run, this.#facts.now);
    if (expired !== run) this.#end(run, expired);
    return expired.status !== 'RUNNING';
  }

  #expectDue(dueAt: number | null): void {
    if (dueAt !== null && (this.#nextDueAt === null || dueAt < this.#nextDueAt)) this.#nextDueAt = dueAt;
  }

  /** The same object: nothing changed. Open holds are charged at the moment of the end. */
  #end(run: RunState | null, ended: RunState): RunState {
    if (run === null || ended === run) return ended;
    let settled = ended;
    for (const step of this.#openHoldsOf(run)) {
      const charged = chargeHold(settled, step, ended.endedAt ?? this.#facts.now);
      settled = charged.run;
      this.#changeStep(charged.step);
      this.#counters.hold(run.userId, -(step.heldPicoUsd ?? 0n));
      this.#counters.countUsage(run.userId, charged.step, {
        usage: charged.usage,
        parts: null,
        countedSteps: 1,
      });
    }
    this.#changeRun(settled);
    this.#counters.moveRun(run.userId, run.status, ended.status);
    return settled;
  }

  #openHoldsOf({ id, openHolds }: RunState): StepState[] {
    if (openHolds === 0) return [];
    const loaded = this.#facts.openHolds.get(id) ?? [];
    const added = (this.#newHolds.get(id) ?? []).flatMap((stepId) => this.#steps.get(stepId) ?? []);
    return [...loaded.map((step) => this.#changedSteps.get(step.id) ?? step), ...added].filter(
      ({ heldPicoUsd }) => heldPicoUsd !== null,
    );
  }

  #changeStep(step: StepState): void {
    this.#undo.put(this.#steps, step.id, step);
    this.#undo.put(this.#changedSteps, step.id, step);
  }

  #priceOf(model: string | null): ModelPrice | null {
    return model === null ? null : (this.#facts.prices.get(model) ?? null);
  }

  #stepFacts(runId: string): CreateStepFacts {
    return {
      now: this.#facts.now,
      run: this.#runs.get(runId) ?? null,
      guardrails: (userId, holdPicoUsd) => this.#guardrailFacts(userId, holdPicoUsd),
    };
  }

  #guardrailFacts(userId: string, holdPicoUsd: bigint | null): GuardrailFacts {
    return {
      now: this.#facts.now,
      workspace: this.#facts.workspace,
      userBlocked: this.#facts.users.get(userId)?.blocked ?? false,
      workspaceUsageToday: this.#counters.usageToday,
      userUsageToday: this.#counters.userUsageToday(userId),
      workspaceHeldPicoUsd: this.#counters.heldPicoUsd,
      userHeldPicoUsd: this.#counters.userHeldPicoUsd(userId),
      holdPicoUsd,
    };
  }

  #changeRun(run: RunState): void {
    this.#undo.put(this.#runs, run.id, run);
    this.#undo.add(this.#changedRunIds, run.id);
  }
}

/** The changes of a day that is over have only counters. */
const NO_ROWS = {
  newRuns: [],
  changedRuns: [],
  postponedRuns: [],
  nextDueAt: null,
  isNextDueChanged: false,
  newSteps: [],
  changedSteps: [],
  otherDays: [],
  newIdempotencyRecords: [],
  newAuditEntries: [],
  renewedIdempotencyRecords: [],
};
