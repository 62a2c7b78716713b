/**
 * The counters of one workspace during one batch: their values before it, and what its commands add to them.
 */

import type { Decision } from '../domain/decision.js';
import { bucketOf } from '../domain/duration-buckets.js';
import { type Day, dayOf } from '../domain/period.js';
import type { DenyReason } from '../domain/rules.js';
import { addRunCounts, NO_RUN_COUNTS, type Run, type RunCounts, type RunStatus } from '../domain/run.js';
import type { StepState } from '../domain/step.js';
import { addParts, addUsage, NO_USAGE, type Usage, type UsageParts } from '../domain/usage.js';
import type {
  BatchChanges,
  BatchFacts,
  ModelCallChange,
  ModelChange,
  UserChange,
  UserDenialChange,
  UserModelChange,
} from '../store/store.js';
import type { UndoLog } from './undo-log.js';

/** What a report or a charge adds to the counters of a day. */
export interface CountedUsage {
  readonly usage: Usage;
  readonly parts: UsageParts | null;
  readonly countedSteps: number;
}

/** What counts on a day that is over. */
interface DayUsage {
  readonly usage: Usage;
  readonly users: Map<string, UserChange>;
  readonly models: Map<string, ModelChange>;
  readonly userModels: Map<string, UserModelChange>;
  readonly modelCalls: Map<string, ModelCallChange>;
}

/** What the counters contribute to the changes of a batch. */
type CounterChanges = Pick<
  BatchChanges,
  | 'day'
  | 'runCounts'
  | 'usage'
  | 'startedRuns'
  | 'users'
  | 'models'
  | 'denials'
  | 'userModels'
  | 'userDenials'
  | 'modelCalls'
  | 'heldPicoUsd'
>;

const NO_USER_CHANGE: UserChange = {
  runCounts: NO_RUN_COUNTS,
  usage: NO_USAGE,
  startedRuns: 0,
  lastSeenAt: null,
  heldPicoUsd: 0n,
};

export class BatchCounters {
  readonly #facts: BatchFacts;
  readonly #today: Day;
  readonly #undo: UndoLog;
  readonly #users = new Map<string, UserChange>();
  readonly #models = new Map<string, ModelChange>();
  readonly #denials = new Map<DenyReason, number>();
  readonly #userModels = new Map<string, UserModelChange>();
  readonly #userDenials = new Map<string, UserDenialChange>();
  readonly #modelCalls = new Map<string, ModelCallChange>();
  readonly #otherDays = new Map<Day, DayUsage>();
  #runCounts = NO_RUN_COUNTS;
  #usage = NO_USAGE;
  #heldPicoUsd = 0n;
  #startedRuns = 0;

  constructor(facts: BatchFacts, undo: UndoLog) {
    this.#facts = facts;
    this.#today = dayOf(facts.now);
    this.#undo = undo;
  }

  get runCounts(): RunCounts {
    return addRunCounts(this.#facts.runCounts, this.#runCounts);
  }

  get monthlyRunCount(): number {
    return this.#facts.monthlyRunCount + this.#startedRuns;
  }

  get usageToday(): Usage {
    return addUsage(this.#facts.usageToday, this.#usage);
  }

  get heldPicoUsd(): bigint {
    return this.#facts.heldPicoUsd + this.#heldPicoUsd;
  }

  userUsageToday(userId: string): Usage {
    const before = this.#facts.users.get(userId)?.usageToday ?? NO_USAGE;
    const change = this.#users.get(userId);
    return change === undefined ? before : addUsage(before, change.usage);
  }

  userHeldPicoUsd(userId: string): bigint {
    return (this.#facts.users.get(userId)?.heldPicoUsd ?? 0n) + (this.#users.get(userId)?.heldPicoUsd ?? 0n);
  }

  /** What a report of today adds to: with open holds, without the one that the report releases. */
  ofReport(userId: string | null, step: StepState | null): Usage[] {
    const releasedPicoUsd = step?.heldPicoUsd ?? 0n;
    const model = step?.model ?? null;
    const counters = [withHolds(this.usageToday, this.heldPicoUsd - releasedPicoUsd)];
    if (userId !== null)
      counters.push(withHolds(this.userUsageToday(userId), this.userHeldPicoUsd(userId) - releasedPicoUsd));
    if (model !== null) {
      const before = this.#facts.modelUsageToday.get(model)?.usage ?? NO_USAGE;
      counters.push(addUsage(before, this.#models.get(model)?.usage ?? NO_USAGE));
    }
    return counters;
  }

  /** What the cache of a model has saved today. */
  savedToday(model: string | null): bigint {
    if (model === null) return 0n;
    const before = this.#facts.modelUsageToday.get(model)?.savedPicoUsd ?? 0n;
    return before + (this.#models.get(model)?.parts?.cacheSavedPicoUsd ?? 0n);
  }

  countStart({ userId, status, decision }: Run): void {
    const startedRuns = status === 'RUNNING' ? 1 : 0;
    this.#startedRuns += startedRuns;
    this.countDecision(userId, decision);
    this.moveRun(userId, null, status);
    this.#changeUser(userId, (user) => ({
      ...user,
      startedRuns: user.startedRuns + startedRuns,
      lastSeenAt: this.#facts.now,
    }));
  }

  countDecision(userId: string, { reason }: Decision): void {
    if (reason === null) return;
    this.#undo.put(this.#denials, reason, (this.#denials.get(reason) ?? 0) + 1);
    const key = keyOf(userId, reason);
    const denialCount = (this.#userDenials.get(key)?.denialCount ?? 0) + 1;
    this.#undo.put(this.#userDenials, key, { userId, reason, denialCount });
  }

  /** A report of a call of a model, on the day on which its usage counts. */
  countCall({ model, status, durationMs, reportedAt }: StepState): void {
    if (model === null || reportedAt === null || (status !== 'COMPLETED' && status !== 'FAILED')) return;
    const day = dayOf(reportedAt);
    const { modelCalls } = day === this.#today ? { modelCalls: this.#modelCalls } : this.#otherDay(day);
    const bucket = bucketOf(durationMs);
    const key = keyOf(model, `${status}\0${bucket}`);
    const callCount = (modelCalls.get(key)?.callCount ?? 0) + 1;
    this.#undo.put(modelCalls, key, { model, status, bucket, callCount });
  }

  moveRun(userId: string, from: RunStatus | null, to: RunStatus): void {
    this.#runCounts = moveRun(this.#runCounts, from, to);
    this.#changeUser(userId, (user) => ({ ...user, runCounts: moveRun(user.runCounts, from, to) }));
  }

  hold(userId: string, heldPicoUsd: bigint): void {
    this.#heldPicoUsd += heldPicoUsd;
    this.#changeUser(userId, (user) => ({ ...user, heldPicoUsd: user.heldPicoUsd + heldPicoUsd }));
  }

  /** On the day of the report or charge, which may be over. */
  countUsage(userId: string, { model, reportedAt }: StepState, counted: CountedUsage): void {
    const { usage } = counted;
    const day = reportedAt === null || reportedAt === this.#facts.now ? this.#today : dayOf(reportedAt);
    if (day !== this.#today) {
      this.#countOnDay(day, { userId, model, counted });
      return;
    }
    this.#usage = addUsage(this.#usage, usage);
    this.#changeUser(userId, (user) => ({ ...user, usage: addUsage(user.usage, usage) }));
    if (model === null) return;
    this.#undo.put(this.#models, model, addToModel(this.#models.get(model), counted));
    this.#countUserModel(this.#userModels, { userId, model, counted });
  }

  #countOnDay(
    day: Day,
    { userId, model, counted }: { userId: string; model: string | null; counted: CountedUsage },
  ): void {
    const ofDay = this.#otherDay(day);
    const { users, models, userModels } = ofDay;
    const user = users.get(userId) ?? NO_USER_CHANGE;
    this.#undo.put(users, userId, { ...user, usage: addUsage(user.usage, counted.usage) });
    if (model !== null) {
      this.#undo.put(models, model, addToModel(models.get(model), counted));
      this.#countUserModel(userModels, { userId, model, counted });
    }
    this.#undo.put(this.#otherDays, day, { ...ofDay, usage: addUsage(ofDay.usage, counted.usage) });
  }

  #otherDay(day: Day): DayUsage {
    const found = this.#otherDays.get(day);
    if (found !== undefined) return found;
    const added = newDayUsage();
    this.#undo.put(this.#otherDays, day, added);
    return added;
  }

  #countUserModel(
    userModels: Map<string, UserModelChange>,
    { userId, model, counted }: { userId: string; model: string; counted: CountedUsage },
  ): void {
    const key = keyOf(userId, model);
    const before = userModels.get(key);
    this.#undo.put(userModels, key, {
      userId,
      model,
      usage: addUsage(before?.usage ?? NO_USAGE, counted.usage),
      reportedSteps: (before?.reportedSteps ?? 0) + counted.countedSteps,
    });
  }

  /** Call it first in work that may be taken back. */
  keepForUndo(): void {
    const [runCounts, usage, heldPicoUsd] = [this.#runCounts, this.#usage, this.#heldPicoUsd];
    this.#undo.onUndo(() => {
      this.#runCounts = runCounts;
      this.#usage = usage;
      this.#heldPicoUsd = heldPicoUsd;
    });
  }

  changes(): CounterChanges {
    return {
      day: this.#today,
      runCounts: this.#runCounts,
      usage: this.#usage,
      startedRuns: this.#startedRuns,
      users: this.#users,
      models: this.#models,
      denials: this.#denials,
      userModels: this.#userModels,
      userDenials: this.#userDenials,
      modelCalls: this.#modelCalls,
      heldPicoUsd: this.#heldPicoUsd,
    };
  }

  /** Of days that are over. */
  otherDays(): CounterChanges[] {
    const none = {
      runCounts: NO_RUN_COUNTS,
      startedRuns: 0,
      denials: new Map(),
      userDenials: new Map(),
      heldPicoUsd: 0n,
    };
    return [...this.#otherDays].map(([day, usage]) => ({ day, ...none, ...usage }));
  }

  #changeUser(userId: string, change: (user: UserChange) => UserChange): void {
    this.#undo.put(this.#users, userId, change(this.#users.get(userId) ?? NO_USER_CHANGE));
  }
}

function newDayUsage(): DayUsage {
  return {
    usage: NO_USAGE,
    users: new Map(),
    models: new Map(),
    userModels: new Map(),
    modelCalls: new Map(),
  };
}

/** No name has a NUL character. */
function keyOf(first: string, second: string): string {
  return `${first}\0${second}`;
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
