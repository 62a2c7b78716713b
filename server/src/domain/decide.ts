/**
 * What each command does, given the facts. Pure and synchronous: the result depends only on the facts and the order of the
 * commands. The caller stores the new state that is returned.
 */

import { badRequest, notFound } from './app-error.js';
import { type Decision, evaluateLateStep, evaluateRunStart, evaluateStep } from './decision.js';
import { leaseEnd } from './lease.js';
import { costOf, type ModelPrice } from './price.js';
import type { GuardrailFacts, RunGuardrailFacts } from './rules.js';
import { type EndStatus, type JsonText, type Run, type RunState, renewLease } from './run.js';
import { countRepeats, effectiveLimits, type Fingerprint, type RunLimits, withRecent } from './run-limits.js';
import type { Step, StepReport, StepState, StepType } from './step.js';
import { addUsage, NO_USAGE, requireCountable, type Usage } from './usage.js';

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
}

export interface Heartbeat {
  readonly runId: string;
}

export interface CreateStep extends WithReports {
  readonly id: string;
  readonly type: StepType;
  readonly sequence: number;
  readonly model: string | null;
  readonly toolName: string | null;
  readonly inputData: JsonText | null;
  /** Of a large input, whose canonical form takes long to make. */
  readonly inputHash?: string | undefined;
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
  return { ...run, ...ENDED, status: input.status, endedAt: facts.now, endReason: null };
}

/** The run as its operator ended it; the same object when it was stopped before. */
export function decideStopRun(facts: EndRunFacts): RunState {
  const run = requireRun(facts.run);
  if (run.endReason === 'STOPPED') return run;
  requireRunning(run);
  return { ...run, ...ENDED, status: 'FAILED', endedAt: facts.now, endReason: 'STOPPED' };
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
  return { run: renewLease(run, facts.now), decision: decideStep(run, facts.guardrails(run.userId), 0) };
}

export interface CreateStepFacts {
  readonly now: number;
  readonly run: RunState | null;
  /** The facts for the run's user. */
  readonly guardrails: (userId: string) => GuardrailFacts;
}

export interface NewStepFacts extends CreateStepFacts {
  /** Computed only if the run counts repeats. */
  readonly fingerprint: () => Fingerprint;
}

export interface CreatedStep {
  readonly step: Step;
  readonly run: RunState;
}

export function decideCreateStep(facts: NewStepFacts, input: CreateStep): CreatedStep {
  const run = requireRun(facts.run);
  const { recentSteps } = run;
  const fingerprint = recentSteps === null ? null : facts.fingerprint();
  const guardrails = facts.guardrails(run.userId);
  const isExempt = input.toolName !== null && guardrails.workspace.repeatExemptTools.includes(input.toolName);
  const repeats = isExempt ? 0 : countRepeats(recentSteps ?? [], fingerprint);
  const step = newStep(run, decideStep(run, guardrails, repeats), facts, input);
  return {
    step,
    run: {
      ...renewLease(run, facts.now),
      stepCount: step.position,
      deniedStepCount: run.deniedStepCount + (step.status === 'BLOCKED' ? 1 : 0),
      recentSteps: recentSteps === null ? null : withRecent(recentSteps, fingerprint),
    },
  };
}

function decideStep(run: RunState, guardrails: GuardrailFacts, repeats: number): Decision {
  if (run.status !== 'RUNNING') return evaluateLateStep(guardrails);
  const { limits, startedAt, totalCostPicoUsd: costPicoUsd } = run;
  const allowedSteps = run.stepCount - run.deniedStepCount;
  return evaluateStep({ ...guardrails, limits, run: { startedAt, costPicoUsd, allowedSteps, repeats } });
}

function newStep(run: RunState, decision: Decision, { now }: NewStepFacts, input: CreateStep): Step {
  return {
    id: input.id,
    runId: run.id,
    type: input.type,
    status: decision.outcome === 'ALLOW' ? 'ALLOWED' : 'BLOCKED',
    sequence: input.sequence,
    position: run.stepCount + 1,
    model: input.model,
    toolName: input.toolName,
    inputData: input.inputData,
    promptTokens: null,
    completionTokens: null,
    costPicoUsd: null,
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
  /** The current values of all counters that the report adds to. */
  readonly counted: readonly Usage[];
}

export interface ReportedStep {
  readonly step: StepState;
  readonly run: RunState;
  readonly costPicoUsd: bigint | null;
  /** Added to the counters; null when no tokens were reported. */
  readonly usage: Usage | null;
}

/** The step with its report, or null when it repeats the stored report. */
export function decideReportStep(facts: ReportStepFacts, { report }: ReportStep): ReportedStep | null {
  const run = renewLease(requireRun(facts.run), facts.now);
  if (facts.step === null) throw notFound('Step not found');
  const step = facts.step;
  if (step.status === 'BLOCKED') throw badRequest('The step was denied and cannot be updated');
  if (step.status !== 'ALLOWED') {
    if (isSameReport(step, report)) return null;
    throw badRequest(`The step was already updated with status ${step.status} and other values`);
  }

  const reported: StepState = { ...step, ...report };
  const { promptTokens, completionTokens } = report;
  if (promptTokens === null || completionTokens === null) {
    return { step: reported, run, costPicoUsd: null, usage: null };
  }
  const costPicoUsd = costOf({ promptTokens, completionTokens }, facts.price);
  const tokens = BigInt(promptTokens) + BigInt(completionTokens);
  const usage: Usage = {
    costPicoUsd: costPicoUsd ?? 0n,
    promptTokens: BigInt(promptTokens),
    completionTokens: BigInt(completionTokens),
    unpricedTokens: costPicoUsd === null ? tokens : 0n,
  };
  const runUsage: Usage = { ...NO_USAGE, costPicoUsd: run.totalCostPicoUsd, promptTokens: run.totalTokens };
  for (const counter of [runUsage, ...facts.counted]) requireCountable(addUsage(counter, usage));
  return {
    step: reported,
    run: {
      ...run,
      totalTokens: run.totalTokens + tokens,
      totalCostPicoUsd: run.totalCostPicoUsd + usage.costPicoUsd,
      usageVersion: run.usageVersion + 1,
    },
    costPicoUsd,
    usage,
  };
}

/** When only one of the two counts is given, the other is 0. */
export function newStepReport(given: {
  status: EndStatus;
  durationMs: number | null;
  promptTokens: number | null;
  completionTokens: number | null;
}): StepReport {
  const anyTokens = given.promptTokens !== null || given.completionTokens !== null;
  return {
    status: given.status,
    durationMs: given.durationMs,
    promptTokens: anyTokens ? (given.promptTokens ?? 0) : null,
    completionTokens: anyTokens ? (given.completionTokens ?? 0) : null,
  };
}

function requireRun(run: RunState | null): RunState {
  if (run === null) throw notFound('Run not found');
  return run;
}

function isSameReport(step: StepState, report: StepReport): boolean {
  return (
    step.status === report.status &&
    step.durationMs === report.durationMs &&
    step.promptTokens === report.promptTokens &&
    step.completionTokens === report.completionTokens
  );
}
