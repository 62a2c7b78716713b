/**
 * What each command does, given the facts. Pure and synchronous: the result depends only on the facts and the order of the
 * commands. The caller stores the new state that is returned.
 */

import { badRequest, notFound } from './app-error.js';
import type { Origin } from './audit.js';
import { type Decision, evaluateLateStep, evaluateRunStart, evaluateStep } from './decision.js';
import {
  addHold,
  type Estimate,
  holdOf,
  isBoundHold,
  leastRemaining,
  MAX_OPEN_HOLDS,
  releaseHold,
} from './hold.js';
import { leaseEnd } from './lease.js';
import { type PicoUsd, requireAmount } from './money.js';
import { isActivePrice, type ModelPrice } from './price.js';
import type { GuardrailFacts, RunGuardrailFacts, StepGuardrailFacts } from './rules.js';
import { changeRun, type EndStatus, type JsonText, type Run, type RunState, renewedLease } from './run.js';
import { countRepeats, effectiveLimits, type Fingerprint, type RunLimits, withRecent } from './run-limits.js';
import { settle, toUsageParts } from './settle.js';
import type { Step, StepReport, StepState, StepType } from './step.js';
import { isSameReport } from './step-report.js';
import {
  addUsage,
  NO_USAGE,
  requireCountable,
  requireCountableSavings,
  subtractUsage,
  totalTokens,
  type Usage,
  type UsageParts,
} from './usage.js';

export interface StartRun {
  readonly id: string;
  readonly userId: string;
  readonly metadata: JsonText | null;
  /** Instead of what the workspace has set. */
  readonly leaseSeconds?: number | undefined;
  /** Only tighten those of the workspace. */
  readonly limits?: Partial<RunLimits> | undefined;
}

/** Reports of steps of the same run are applied before the decision, all or none of them. */
export interface WithReports {
  readonly runId: string;
  readonly reports?: readonly ReportStep[] | undefined;
}

export interface EndRun extends WithReports {
  readonly status: EndStatus;
}

export interface StopRun {
  readonly runId: string;
  /** The id of its entry in the audit log. */
  readonly entryId: string;
  readonly origin: Origin;
}

export interface Heartbeat {
  readonly runId: string;
}

export interface CreateStep extends WithReports {
  readonly id: string;
  readonly type: StepType;
  /** null: the next one. */
  readonly sequence: number | null;
  readonly model: string | null;
  readonly toolName: string | null;
  readonly inputData: JsonText | null;
  /** Of a large input, whose canonical form takes long to make, or of one that is not stored. */
  readonly inputHash?: string | undefined;
  /** Held until the step is reported. */
  readonly estimate?: Estimate | undefined;
}

export interface ReportStep {
  readonly runId: string;
  readonly stepId: string;
  readonly report: StepReport;
}

export interface StartRunFacts extends RunGuardrailFacts {
  readonly nextPosition: number;
}

export function decideStartRun(facts: StartRunFacts, input: StartRun): Run {
  const decision = evaluateRunStart(facts);
  const isAllowed = decision.outcome === 'ALLOW';
  const leaseSeconds = input.leaseSeconds ?? facts.workspace.runLeaseSeconds;
  const leaseExpiresAt = isAllowed ? leaseEnd(leaseSeconds, facts.now) : null;
  const limits = effectiveLimits(facts.workspace.runLimits, input.limits ?? {});
  return {
    id: input.id,
    position: facts.nextPosition,
    userId: input.userId,
    status: isAllowed ? 'RUNNING' : 'BLOCKED',
    metadata: input.metadata,
    startedAt: facts.now,
    endedAt: null,
    endReason: null,
    leaseSeconds,
    leaseExpiresAt,
    dueAt: leaseExpiresAt,
    limits,
    recentSteps: limits === null || limits.maxRepeats === null ? null : [],
    stepCount: 0,
    deniedStepCount: 0,
    heldPicoUsd: 0n,
    openHolds: 0,
    totalTokens: 0n,
    totalCostPicoUsd: 0n,
    usageVersion: 0,
    decision,
  };
}

export interface EndRunFacts {
  readonly now: number;
  readonly run: RunState | null;
}

/**
 * The ended run; the same object when the run has already ended with that status. An agent that was slow may still end a run
 * whose lease has expired, once.
 */
export function decideEndRun(facts: EndRunFacts, input: EndRun): RunState {
  const run = requireRun(facts.run);
  if (run.endReason !== 'LEASE_EXPIRED') {
    if (run.status === input.status) return run;
    requireRunning(run);
  }
  return changeRun(run, { ...ENDED, status: input.status, endedAt: facts.now, endReason: null });
}

/** The run as its operator ended it; the same object when it was stopped before. */
export function decideStopRun(facts: EndRunFacts): RunState {
  const run = requireRun(facts.run);
  if (run.endReason === 'STOPPED') return run;
  requireRunning(run);
  return changeRun(run, { ...ENDED, status: 'FAILED', endedAt: facts.now, endReason: 'STOPPED' });
}

const ENDED = { leaseExpiresAt: null, dueAt: null };

function requireRunning({ status }: RunState): void {
  if (status === 'BLOCKED') throw badRequest('The run was blocked at its start and cannot be ended');
  if (status !== 'RUNNING') throw badRequest(`The run has already ended with status ${status}`);
}

export interface HeartbeatRun {
  readonly run: RunState;
  /** What a new step would get now. */
  readonly decision: Decision;
}

export function decideHeartbeat(facts: CreateStepFacts): HeartbeatRun {
  const run = requireRun(facts.run);
  const decision = decideStep(run, facts.guardrails(run.userId, null), NO_STEP);
  const leaseExpiresAt = renewedLease(run, facts.now);
  return { run: leaseExpiresAt === run.leaseExpiresAt ? run : changeRun(run, { leaseExpiresAt }), decision };
}

/** What a rule looks at that only a step has. */
type StepFacts = Pick<StepGuardrailFacts, 'isHoldMissing' | 'isUnpriced'> & { readonly repeats: number };

const NO_STEP: StepFacts = { repeats: 0, isHoldMissing: null, isUnpriced: null };

export interface CreateStepFacts {
  readonly now: number;
  readonly run: RunState | null;
  /** The facts for the run's user. */
  readonly guardrails: (userId: string, holdPicoUsd: PicoUsd | null) => GuardrailFacts;
}

export interface NewStepFacts extends CreateStepFacts {
  /** Computed only if the run counts repeats. */
  readonly fingerprint: () => Fingerprint;
  /** Of the step's model; only for a model call, and for a step with an estimate. */
  readonly price: ModelPrice | null;
  /** As the workspace has set. */
  readonly requireHolds: boolean;
}

export interface CreatedStep {
  readonly step: Step;
  /** What the step holds, or would have held. */
  readonly holdPicoUsd: PicoUsd | null;
  /** Whether that is a bound. */
  readonly isBound: boolean;
  /** The least that a budget or the limit of the run leaves for the next decision; null without one. */
  readonly remainingPicoUsd: PicoUsd | null;
  readonly run: RunState;
}

export function decideCreateStep(facts: NewStepFacts, input: CreateStep): CreatedStep {
  const run = requireRun(facts.run);
  const { recentSteps } = run;
  const fingerprint = recentSteps === null ? null : facts.fingerprint();
  const isBound = isBoundHold(input.estimate, facts.requireHolds);
  const holdPicoUsd = holdOf(input.estimate, facts.price, { isBound });
  const guardrails = facts.guardrails(run.userId, holdPicoUsd);
  const isExempt = input.toolName !== null && guardrails.workspace.repeatExemptTools.includes(input.toolName);
  const repeats = isExempt ? 0 : countRepeats(recentSteps ?? [], fingerprint);
  const isUnpriced = input.type === 'MODEL_CALL' ? !isActivePrice(facts.price) : null;
  const isHoldMissing = isUnpriced === null ? null : holdPicoUsd === null || isUnpriced;
  if (holdPicoUsd !== null) requireHoldable(run, guardrails, holdPicoUsd);
  const decision = decideStep(run, guardrails, { repeats, isHoldMissing, isUnpriced });
  const held = decision.outcome === 'ALLOW' ? holdPicoUsd : null;
  if (held !== null && run.openHolds >= MAX_OPEN_HOLDS)
    throw badRequest(`The run has ${MAX_OPEN_HOLDS} steps with open holds; report some of them first`);
  const step = newStep(run, decision, held, facts.now, input);
  return {
    step,
    holdPicoUsd,
    isBound,
    remainingPicoUsd: remainingAfter(run, guardrails, held),
    run: changeRun(held === null ? run : addHold(run, held), {
      leaseExpiresAt: renewedLease(run, facts.now),
      stepCount: step.position,
      deniedStepCount: run.deniedStepCount + (step.status === 'BLOCKED' ? 1 : 0),
      recentSteps: recentSteps === null ? null : withRecent(recentSteps, fingerprint),
    }),
  };
}

function decideStep(
  run: RunState,
  guardrails: GuardrailFacts,
  { repeats, isHoldMissing, isUnpriced }: StepFacts,
): Decision {
  if (run.status !== 'RUNNING') return evaluateLateStep(guardrails);
  const { limits, startedAt, totalCostPicoUsd: costPicoUsd, heldPicoUsd } = run;
  const allowedSteps = run.stepCount - run.deniedStepCount;
  const progress = { startedAt, costPicoUsd, heldPicoUsd, allowedSteps, repeats };
  return evaluateStep({ limits, run: progress, isHoldMissing, isUnpriced, ...guardrails });
}

/** Refuses a hold that could not be charged. */
function requireHoldable(run: RunState, facts: GuardrailFacts, hold: PicoUsd): void {
  requireAmount(facts.workspaceUsageToday.costPicoUsd + facts.workspaceHeldPicoUsd + hold);
  requireAmount(run.totalCostPicoUsd + run.heldPicoUsd + hold);
}

function remainingAfter(run: RunState, facts: GuardrailFacts, held: PicoUsd | null): PicoUsd | null {
  const left = (limit: PicoUsd | null | undefined, taken: PicoUsd) =>
    limit == null ? null : limit - taken - (held ?? 0n);
  const { workspace, workspaceUsageToday, userUsageToday } = facts;
  return leastRemaining([
    left(workspace.dailyBudgetPicoUsd, workspaceUsageToday.costPicoUsd + facts.workspaceHeldPicoUsd),
    left(workspace.userDailyBudgetPicoUsd, userUsageToday.costPicoUsd + facts.userHeldPicoUsd),
    left(run.limits?.maxCostPicoUsd, run.totalCostPicoUsd + run.heldPicoUsd),
  ]);
}

function newStep(
  run: RunState,
  decision: Decision,
  holdPicoUsd: PicoUsd | null,
  now: number,
  input: CreateStep,
): Step {
  return {
    id: input.id,
    runId: run.id,
    type: input.type,
    status: decision.outcome === 'ALLOW' ? 'ALLOWED' : 'BLOCKED',
    sequence: input.sequence ?? run.stepCount + 1,
    position: run.stepCount + 1,
    model: input.model,
    toolName: input.toolName,
    inputData: input.inputData,
    promptTokens: null,
    completionTokens: null,
    costPicoUsd: null,
    costSource: null,
    priceVersion: null,
    holdPicoUsd,
    heldPicoUsd: holdPicoUsd,
    reportedAt: null,
    usageVersion: null,
    chargedVersion: null,
    reportHash: null,
    durationMs: null,
    decision,
    createdAt: now,
  };
}

export interface ReportStepFacts {
  readonly now: number;
  readonly run: RunState | null;
  readonly step: StepState | null;
  /** The price of the step's model. */
  readonly price: ModelPrice | null;
  /** The current values of all counters that the report adds to, with the other holds that they may be charged with. */
  readonly counted: readonly Usage[];
  /** What the cache of the model has saved on that day. */
  readonly savedPicoUsd: PicoUsd;
}

export interface ReportedStep {
  readonly step: StepState;
  readonly run: RunState;
  /** Added to the counters of the day of `step.reportedAt`; null when nothing was counted, before or now. */
  readonly usage: Usage | null;
  /** Added to the counters of the model; null: nothing. */
  readonly parts: UsageParts | null;
  /** Added to the number of steps that are counted. */
  readonly countedSteps: number;
}

/**
 * The step with its report, or null when it repeats the stored report. A report settles the hold of the step; if that was
 * charged when the run ended, the report replaces the charge, on the day of the charge.
 */
export function decideReportStep(facts: ReportStepFacts, { report }: ReportStep): ReportedStep | null {
  const before = requireRun(facts.run);
  if (facts.step === null) throw notFound('Step not found');
  const step = facts.step;
  if (step.status === 'BLOCKED') throw badRequest('The step was denied and cannot be updated');
  if (step.status !== 'ALLOWED') {
    if (isSameReport(step, report)) return null;
    throw badRequest(`The step was already updated with status ${step.status} and other values`);
  }

  const isCharged = step.costSource === 'estimated';
  const settled = settle(step, report, facts.price);
  const counted = settled.usage;
  const isCounted = counted !== null || isCharged;
  const reported: StepState = {
    id: step.id,
    runId: step.runId,
    status: report.status,
    model: step.model,
    durationMs: report.durationMs,
    promptTokens: report.promptTokens,
    completionTokens: report.completionTokens,
    costPicoUsd: settled.costPicoUsd,
    costSource: settled.costSource,
    priceVersion: settled.priceVersion,
    holdPicoUsd: step.holdPicoUsd,
    heldPicoUsd: null,
    reportedAt: step.reportedAt ?? facts.now,
    usageVersion: isCounted ? before.usageVersion + 1 : step.usageVersion,
    chargedVersion: step.chargedVersion,
    reportHash: report.details === null ? null : report.details.hash,
    details: settled.details,
  };
  const run = releaseHold(before, step);
  const leaseExpiresAt = renewedLease(run, facts.now);
  if (!isCounted)
    return {
      step: reported,
      run: changeRun(run, { leaseExpiresAt }),
      usage: null,
      parts: null,
      countedSteps: 0,
    };

  const usage = isCharged
    ? subtractUsage(counted ?? NO_USAGE, { ...NO_USAGE, costPicoUsd: step.costPicoUsd ?? 0n })
    : (counted ?? NO_USAGE);
  // What is held may be charged later: it has to fit, too.
  const taken = run.totalCostPicoUsd + run.heldPicoUsd;
  const runUsage: Usage = { ...NO_USAGE, costPicoUsd: taken, promptTokens: run.totalTokens };
  for (const counter of [runUsage, ...facts.counted]) requireCountable(addUsage(counter, usage));
  const parts = settled.details === null ? null : toUsageParts(settled.details);
  if (parts !== null) requireCountableSavings(facts.savedPicoUsd + parts.cacheSavedPicoUsd);
  return {
    step: reported,
    run: changeRun(run, {
      leaseExpiresAt,
      totalTokens: run.totalTokens + totalTokens(usage),
      totalCostPicoUsd: run.totalCostPicoUsd + usage.costPicoUsd,
      usageVersion: run.usageVersion + 1,
    }),
    usage,
    parts,
    countedSteps: (counted === null ? 0 : 1) - (isCharged ? 1 : 0),
  };
}

function requireRun(run: RunState | null): RunState {
  if (run === null) throw notFound('Run not found');
  return run;
}
