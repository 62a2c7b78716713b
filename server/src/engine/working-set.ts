/**
 * The facts of one workspace during one batch. Each command is decided against them and sees the changes of the commands before
 * it. `changes` returns what to write.
 */

import { errorAt, unauthenticated } from '../domain/app-error.js';
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
import type { Decision } from '../domain/decision.js';
import { chargeHold } from '../domain/hold.js';
import { type IdempotencyRecord, type IdempotentRequest, replayOf } from '../domain/idempotency.js';
import { type Day, dayOf } from '../domain/period.js';
import type { ModelPrice } from '../domain/price.js';
import type { DenyReason, GuardrailFacts } from '../domain/rules.js';
import {
  addRunCounts,
  expireLease,
  type JsonText,
  NO_RUN_COUNTS,
  type Run,
  type RunCounts,
  type RunState,
  type RunStatus,
  totalRuns,
} from '../domain/run.js';
import type { Step, StepState } from '../domain/step.js';
import { addParts, addUsage, NO_USAGE, type Usage, type UsageParts } from '../domain/usage.js';
import type { BatchChanges, BatchFacts, ModelChange, UserChange } from '../store/store.js';
import { fingerprintOf } from './step-fingerprint.js';

const NO_USER_CHANGE: UserChange = {
  runCounts: NO_RUN_COUNTS,
  usage: NO_USAGE,
  startedRuns: 0,
  lastSeenAt: null,
  heldPicoUsd: 0n,
};

/** What a report or a charge adds to the counters of a day. */
interface CountedUsage {
  readonly usage: Usage;
  readonly parts: UsageParts | null;
  readonly countedSteps: number;
}

/** What counts on a day that is over. */
interface DayUsage {
  readonly usage: Usage;
  readonly users: Map<string, UserChange>;
  readonly models: Map<string, ModelChange>;
}

function newDayUsage(): DayUsage {
  return { usage: NO_USAGE, users: new Map(), models: new Map() };
}

/** Here and where batches are written, objects are spread last: V8 is slow to add properties to a copied object. */
export class WorkingSet {
  readonly #facts: BatchFacts;
  readonly #today: Day;
  readonly #runs: Map<string, RunState>;
  readonly #steps: Map<string, StepState>;
  readonly #newRuns: Run[] = [];
  readonly #changedRunIds = new Set<string>();
  readonly #postponedRunIds = new Set<string>();
  readonly #newSteps: Step[] = [];
  readonly #changedSteps = new Map<string, StepState>();
  /** By run: steps of this batch that hold something. */
  readonly #newHolds = new Map<string, readonly string[]>();
  readonly #otherDays = new Map<Day, DayUsage>();
  readonly #users = new Map<string, UserChange>();
  readonly #models = new Map<string, ModelChange>();
  readonly #denials = new Map<DenyReason, number>();
  readonly #newRecords = new Map<string, IdempotencyRecord>();
  #runCounts = NO_RUN_COUNTS;
  #usage = NO_USAGE;
  #heldPicoUsd = 0n;
  #startedRuns = 0;
  #nextDueAt: number | null;
  /** Expired runs that this batch does not end. */
  #otherExpired: number;
  /** What to do, in reverse order, to take back the changes of a command; null if it cannot fail halfway. */
  #undo: (() => void)[] | null = null;

  constructor(facts: BatchFacts) {
    this.#facts = facts;
    this.#today = dayOf(facts.now);
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
    const runCounts = addRunCounts(this.#facts.runCounts, this.#runCounts);
    const run = decideStartRun(
      {
        monthlyRunCount: this.#facts.monthlyRunCount + this.#startedRuns,
        activeRunCount: runCounts.RUNNING - this.#otherExpired,
        nextPosition: totalRuns(runCounts) + 1,
        ...this.#guardrailFacts(input.userId, null),
      },
      input,
    );
    const startedRuns = run.status === 'RUNNING' ? 1 : 0;
    this.#newRuns.push(run);
    this.#startedRuns += startedRuns;
    this.#expectDue(run.dueAt);
    this.#countDecision(run.decision);
    this.#moveRun(run.userId, null, run.status);
    this.#changeUser(run.userId, (user) => ({
      ...user,
      startedRuns: user.startedRuns + startedRuns,
      lastSeenAt: this.#facts.now,
    }));
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
    const [runCounts, usage, held] = [this.#runCounts, this.#usage, this.#heldPicoUsd];
    const undo: (() => void)[] = [];
    this.#undo = undo;
    try {
      return [reports.map((report, index) => this.#reportAt(index, report)), work()];
    } catch (error) {
      for (const step of undo.reverse()) step();
      this.#runCounts = runCounts;
      this.#usage = usage;
      this.#heldPicoUsd = held;
      throw error;
    } finally {
      this.#undo = null;
    }
  }

  #reportAt(index: number, report: ReportStep): StepState {
    try {
      return this.reportStep(report);
    } catch (error) {
      throw errorAt(`body/reports/${index}`, error);
    }
  }

  stopRun(input: StopRun): RunState {
    const run = this.#runs.get(input.runId) ?? null;
    return this.#end(run, decideStopRun({ now: this.#facts.now, run }));
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
      ...this.#stepFacts(input.runId),
    };
    const created = decideCreateStep(facts, input);
    const { step, run } = created;
    this.#changeRun(run);
    this.#append(this.#newSteps, step);
    this.#countDecision(step.decision);
    if (step.heldPicoUsd !== null) {
      this.#put(this.#steps, step.id, step);
      this.#put(this.#newHolds, run.id, [...(this.#newHolds.get(run.id) ?? []), step.id]);
      this.#hold(run.userId, step.heldPicoUsd);
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
        counted: this.#countersOf({
          userId: run?.userId ?? null,
          model,
          releasedPicoUsd: step?.heldPicoUsd ?? 0n,
        }),
        savedPicoUsd: this.#savedBy(model),
      },
      input,
    );
    if (reported === null) return step as StepState;
    this.#changeStep(reported.step);
    if (reported.run !== run) this.#changeRun(reported.run);
    if (step?.heldPicoUsd != null) this.#hold(reported.run.userId, -step.heldPicoUsd);
    if (reported.usage !== null)
      this.#countUsage(reported.run, reported.step, {
        usage: reported.usage,
        parts: reported.parts,
        countedSteps: reported.countedSteps,
      });
    return reported.step;
  }

  changes(): BatchChanges {
    return {
      workspaceId: this.#facts.workspace.id,
      day: this.#today,
      newRuns: this.#newRuns,
      changedRuns: this.#runsWith(this.#changedRunIds),
      postponedRuns: this.#runsWith(this.#postponedRunIds),
      nextDueAt: this.#nextDueAt,
      isNextDueChanged: this.#nextDueAt !== this.#facts.nextDueAt,
      newSteps: this.#newSteps,
      changedSteps: [...this.#changedSteps.values()],
      runCounts: this.#runCounts,
      usage: this.#usage,
      startedRuns: this.#startedRuns,
      users: this.#users,
      models: this.#models,
      denials: this.#denials,
      heldPicoUsd: this.#heldPicoUsd,
      otherDays: [...this.#otherDays].map(([day, usage]) => ({ ...this.#nothing(day), ...usage })),
      newIdempotencyRecords: [...this.#newRecords.values()],
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
    const postponed = { ...(this.#runs.get(run.id) ?? run), dueAt };
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
      this.#hold(run.userId, -(step.heldPicoUsd ?? 0n));
      this.#countUsage(settled, charged.step, { usage: charged.usage, parts: null, countedSteps: 1 });
    }
    this.#changeRun(settled);
    this.#moveRun(run.userId, run.status, ended.status);
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
    this.#put(this.#steps, step.id, step);
    this.#put(this.#changedSteps, step.id, step);
  }

  #hold(userId: string, heldPicoUsd: bigint): void {
    this.#heldPicoUsd += heldPicoUsd;
    this.#changeUser(userId, (user) => ({ ...user, heldPicoUsd: user.heldPicoUsd + heldPicoUsd }));
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
      workspaceUsageToday: addUsage(this.#facts.usageToday, this.#usage),
      userUsageToday: this.#userUsage(userId),
      workspaceHeldPicoUsd: this.#facts.heldPicoUsd + this.#heldPicoUsd,
      userHeldPicoUsd: this.#userHeld(userId),
      holdPicoUsd,
    };
  }

  #userUsage(userId: string): Usage {
    const before = this.#facts.users.get(userId)?.usageToday ?? NO_USAGE;
    const change = this.#users.get(userId);
    return change === undefined ? before : addUsage(before, change.usage);
  }

  #userHeld(userId: string): bigint {
    return (this.#facts.users.get(userId)?.heldPicoUsd ?? 0n) + (this.#users.get(userId)?.heldPicoUsd ?? 0n);
  }

  /** With open holds, without the one that the report releases. */
  #countersOf({
    userId,
    model,
    releasedPicoUsd,
  }: {
    userId: string | null;
    model: string | null;
    releasedPicoUsd: bigint;
  }): Usage[] {
    const held = this.#facts.heldPicoUsd + this.#heldPicoUsd - releasedPicoUsd;
    const counters = [withHolds(addUsage(this.#facts.usageToday, this.#usage), held)];
    if (userId !== null)
      counters.push(withHolds(this.#userUsage(userId), this.#userHeld(userId) - releasedPicoUsd));
    if (model !== null) {
      const before = this.#facts.modelUsageToday.get(model)?.usage ?? NO_USAGE;
      counters.push(addUsage(before, this.#models.get(model)?.usage ?? NO_USAGE));
    }
    return counters;
  }

  /** What the cache of a model has saved today. */
  #savedBy(model: string | null): bigint {
    if (model === null) return 0n;
    const before = this.#facts.modelUsageToday.get(model)?.savedPicoUsd ?? 0n;
    return before + (this.#models.get(model)?.parts?.cacheSavedPicoUsd ?? 0n);
  }

  /** On the day of the report or charge, which may be over. */
  #countUsage({ userId }: RunState, { model, reportedAt }: StepState, counted: CountedUsage): void {
    const { usage } = counted;
    const { now } = this.#facts;
    const day = reportedAt === null || reportedAt === now ? this.#today : dayOf(reportedAt);
    if (day !== this.#today) {
      const { usage: before, users, models } = this.#otherDays.get(day) ?? newDayUsage();
      const user = users.get(userId) ?? NO_USER_CHANGE;
      this.#put(users, userId, { ...user, usage: addUsage(user.usage, usage) });
      if (model !== null) this.#put(models, model, addToModel(models.get(model), counted));
      this.#put(this.#otherDays, day, { usage: addUsage(before, usage), users, models });
      return;
    }
    this.#usage = addUsage(this.#usage, usage);
    this.#changeUser(userId, (user) => ({ ...user, usage: addUsage(user.usage, usage) }));
    if (model !== null) this.#put(this.#models, model, addToModel(this.#models.get(model), counted));
  }

  #nothing(day: Day): BatchChanges {
    return {
      workspaceId: this.#facts.workspace.id,
      day,
      newRuns: [],
      changedRuns: [],
      postponedRuns: [],
      nextDueAt: this.#nextDueAt,
      isNextDueChanged: false,
      newSteps: [],
      changedSteps: [],
      runCounts: NO_RUN_COUNTS,
      usage: NO_USAGE,
      startedRuns: 0,
      users: new Map(),
      models: new Map(),
      denials: new Map(),
      heldPicoUsd: 0n,
      otherDays: [],
      newIdempotencyRecords: [],
    };
  }

  #countDecision({ reason }: Decision): void {
    if (reason !== null) this.#put(this.#denials, reason, (this.#denials.get(reason) ?? 0) + 1);
  }

  #changeRun(run: RunState): void {
    this.#put(this.#runs, run.id, run);
    if (this.#changedRunIds.has(run.id)) return;
    this.#changedRunIds.add(run.id);
    this.#undo?.push(() => this.#changedRunIds.delete(run.id));
  }

  #moveRun(userId: string, from: RunStatus | null, to: RunStatus): void {
    this.#runCounts = moveRun(this.#runCounts, from, to);
    this.#changeUser(userId, (user) => ({ ...user, runCounts: moveRun(user.runCounts, from, to) }));
  }

  #changeUser(userId: string, change: (user: UserChange) => UserChange): void {
    this.#put(this.#users, userId, change(this.#users.get(userId) ?? NO_USER_CHANGE));
  }

  #put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
    if (this.#undo !== null) {
      const before = map.get(key);
      this.#undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
    }
    map.set(key, value);
  }

  #append<Item>(list: Item[], item: Item): void {
    this.#undo?.push(() => list.pop());
    list.push(item);
  }
}

function withHolds(usage: Usage, heldPicoUsd: bigint): Usage {
  return heldPicoUsd === 0n ? usage : { ...usage, costPicoUsd: usage.costPicoUsd + heldPicoUsd };
}

function addToModel(
  before: ModelChange | undefined,
  { usage, parts, countedSteps }: CountedUsage,
): ModelChange {
  const partsBefore = before?.parts ?? null;
  return {
    usage: addUsage(before?.usage ?? NO_USAGE, usage),
    parts: parts === null || partsBefore === null ? (parts ?? partsBefore) : addParts(partsBefore, parts),
    reportedSteps: (before?.reportedSteps ?? 0) + countedSteps,
  };
}

function moveRun(counts: RunCounts, from: RunStatus | null, to: RunStatus): RunCounts {
  const moved = { ...counts };
  if (from !== null) moved[from] -= 1;
  moved[to] += 1;
  return moved;
}
