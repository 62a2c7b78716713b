/**
 * The facts of one workspace during one batch: each command is decided against them, and what it changed is seen by the
 * next. At the end it says what must be written.
 */

import { unauthenticated } from '../domain/app-error.js';
import {
  type CreateStep,
  decideCreateStep,
  decideEndRun,
  decideStartRun,
  decideUpdateStep,
  type EndRun,
  type StartRun,
  type UpdateStep,
} from '../domain/decide.js';
import type { Decision } from '../domain/decision.js';
import { type IdempotencyRecord, type IdempotentRequest, replayOf } from '../domain/idempotency.js';
import type { JsonText } from '../domain/json.js';
import { dayOf } from '../domain/period.js';
import type { DenyReason, StepGuardrailFacts } from '../domain/rules.js';
import {
  addRunCounts,
  NO_RUN_COUNTS,
  type Run,
  type RunCounts,
  type RunState,
  type RunStatus,
  totalRuns,
} from '../domain/run.js';
import type { Step, StepState } from '../domain/step.js';
import { addUsage, NO_USAGE, type Usage } from '../domain/usage.js';
import type { BatchChanges, BatchFacts, ReportedStepChange, UserChange } from '../store/store.js';

const NO_USER_CHANGE: UserChange = {
  runCounts: NO_RUN_COUNTS,
  usage: NO_USAGE,
  startedRuns: 0,
  lastSeenAt: null,
};

export class WorkingSet {
  readonly #facts: BatchFacts;
  readonly #runs: Map<string, RunState>;
  readonly #steps: Map<string, StepState>;
  readonly #newRuns: Run[] = [];
  readonly #changedRunIds = new Set<string>();
  readonly #newSteps: Step[] = [];
  readonly #reportedSteps: ReportedStepChange[] = [];
  readonly #users = new Map<string, UserChange>();
  readonly #models = new Map<string, { usage: Usage; reportedSteps: number }>();
  readonly #denials = new Map<DenyReason, number>();
  readonly #newAnswers = new Map<string, IdempotencyRecord>();
  #runCounts = NO_RUN_COUNTS;
  #usage = NO_USAGE;
  #startedRuns = 0;

  constructor(facts: BatchFacts) {
    this.#facts = facts;
    this.#runs = new Map(facts.runs);
    this.#steps = new Map(facts.steps);
  }

  /** The key may have been revoked since the request was let in. */
  requireActiveKey(apiKeyId: string): void {
    if (!this.#facts.activeApiKeyIds.has(apiKeyId)) throw unauthenticated('No active API key');
  }

  /** The first answer to a request that was sent before, in this batch or an earlier one. */
  replayOf(request: IdempotentRequest): JsonText | null {
    const { keyHash } = request;
    const remembered = this.#newAnswers.get(keyHash) ?? this.#facts.idempotencyRecords.get(keyHash);
    return replayOf(request, remembered, this.#facts.now);
  }

  remember(request: IdempotentRequest, answer: JsonText): void {
    this.#newAnswers.set(request.keyHash, { ...request, answer, createdAt: this.#facts.now });
  }

  startRun(command: StartRun): Run {
    const runCounts = addRunCounts(this.#facts.runCounts, this.#runCounts);
    const run = decideStartRun(
      {
        ...this.#guardrailFacts(command.userId),
        monthlyRunCount: this.#facts.monthlyRunCount + this.#startedRuns,
        activeRunCount: runCounts.RUNNING,
        nextPosition: totalRuns(runCounts) + 1,
      },
      command,
    );
    const startedRuns = run.status === 'RUNNING' ? 1 : 0;
    this.#newRuns.push(run);
    this.#startedRuns += startedRuns;
    this.#countDecision(run.decision);
    this.#moveRun(run.userId, null, run.status);
    this.#changeUser(run.userId, (user) => ({
      ...user,
      startedRuns: user.startedRuns + startedRuns,
      lastSeenAt: this.#facts.now,
    }));
    return run;
  }

  endRun(command: EndRun): RunState {
    const run = this.#runs.get(command.runId) ?? null;
    const ended = decideEndRun({ now: this.#facts.now, run }, command);
    if (run === null || ended === run) return ended;
    this.#changeRun(ended);
    this.#moveRun(run.userId, run.status, ended.status);
    return ended;
  }

  createStep(command: CreateStep): Step {
    const run = this.#runs.get(command.runId) ?? null;
    const step = decideCreateStep(
      { now: this.#facts.now, run, guardrails: (userId) => this.#guardrailFacts(userId) },
      command,
    );
    if (run !== null) this.#changeRun({ ...run, stepCount: step.position });
    this.#newSteps.push(step);
    this.#countDecision(step.decision);
    return step;
  }

  updateStep(command: UpdateStep): StepState {
    const run = this.#runs.get(command.runId) ?? null;
    // Steps are known by their ids, and another command of the batch may have asked for this one by its right run.
    const found = this.#steps.get(command.stepId) ?? null;
    const step = found?.runId === command.runId ? found : null;
    const model = step?.model ?? null;
    const reported = decideUpdateStep(
      {
        run,
        step,
        price: model === null ? null : (this.#facts.prices.get(model) ?? null),
        counted: this.#countersOf({ userId: run?.userId ?? null, model }),
      },
      command,
    );
    if (reported === null) return step as StepState;
    this.#steps.set(reported.step.id, reported.step);
    this.#reportedSteps.push({
      ...reported.step,
      costPicoUsd: reported.costPicoUsd,
      reportedAt: this.#facts.now,
      usageVersion: reported.usage === null ? null : reported.run.usageVersion,
    });
    if (reported.usage !== null) this.#countUsage({ run: reported.run, model, usage: reported.usage });
    return reported.step;
  }

  changes(): BatchChanges {
    return {
      workspaceId: this.#facts.workspace.id,
      day: dayOf(this.#facts.now),
      newRuns: this.#newRuns,
      changedRuns: [...this.#changedRunIds].flatMap((id) => this.#runs.get(id) ?? []),
      newSteps: this.#newSteps,
      reportedSteps: this.#reportedSteps,
      runCounts: this.#runCounts,
      usage: this.#usage,
      startedRuns: this.#startedRuns,
      users: this.#users,
      models: this.#models,
      denials: this.#denials,
      newAnswers: [...this.#newAnswers.values()],
    };
  }

  #guardrailFacts(userId: string): StepGuardrailFacts {
    return {
      now: this.#facts.now,
      workspace: this.#facts.workspace,
      userBlocked: this.#facts.users.get(userId)?.blocked ?? false,
      workspaceSpendTodayPicoUsd: this.#facts.usageToday.costPicoUsd + this.#usage.costPicoUsd,
      userSpendTodayPicoUsd: this.#userUsage(userId).costPicoUsd,
    };
  }

  #userUsage(userId: string): Usage {
    const before = this.#facts.users.get(userId)?.usageToday ?? NO_USAGE;
    const change = this.#users.get(userId);
    return change === undefined ? before : addUsage(before, change.usage);
  }

  #countersOf({ userId, model }: { userId: string | null; model: string | null }): Usage[] {
    const counters = [addUsage(this.#facts.usageToday, this.#usage)];
    if (userId !== null) counters.push(this.#userUsage(userId));
    if (model !== null) {
      const before = this.#facts.modelUsageToday.get(model) ?? NO_USAGE;
      counters.push(addUsage(before, this.#models.get(model)?.usage ?? NO_USAGE));
    }
    return counters;
  }

  #countUsage({ run, model, usage }: { run: RunState; model: string | null; usage: Usage }): void {
    this.#changeRun(run);
    this.#usage = addUsage(this.#usage, usage);
    this.#changeUser(run.userId, (user) => ({ ...user, usage: addUsage(user.usage, usage) }));
    if (model !== null) {
      const before = this.#models.get(model);
      this.#models.set(model, {
        usage: addUsage(before?.usage ?? NO_USAGE, usage),
        reportedSteps: (before?.reportedSteps ?? 0) + 1,
      });
    }
  }

  #countDecision({ reason }: Decision): void {
    if (reason !== null) this.#denials.set(reason, (this.#denials.get(reason) ?? 0) + 1);
  }

  #changeRun(run: RunState): void {
    this.#runs.set(run.id, run);
    this.#changedRunIds.add(run.id);
  }

  #moveRun(userId: string, from: RunStatus | null, to: RunStatus): void {
    this.#runCounts = moveRun(this.#runCounts, from, to);
    this.#changeUser(userId, (user) => ({ ...user, runCounts: moveRun(user.runCounts, from, to) }));
  }

  #changeUser(userId: string, change: (user: UserChange) => UserChange): void {
    this.#users.set(userId, change(this.#users.get(userId) ?? NO_USER_CHANGE));
  }
}

function moveRun(counts: RunCounts, from: RunStatus | null, to: RunStatus): RunCounts {
  const moved = { ...counts };
  if (from !== null) moved[from] -= 1;
  moved[to] += 1;
  return moved;
}
