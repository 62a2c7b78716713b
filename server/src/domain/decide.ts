/**
 * What each command does, given the facts: pure functions without waiting, so the order of commands is the only thing
 * that matters. They return the new state; who keeps it and how is not their business.
 */

import { badRequest, notFound } from './app-error.js';
import { evaluateLateStep, evaluateRunStart, evaluateStep } from './decision.js';
import type { JsonText } from './json.js';
import { costOf, type ModelPrice } from './price.js';
import type { RunGuardrailFacts, StepGuardrailFacts } from './rules.js';
import type { EndStatus, Run, RunState } from './run.js';
import type { Step, StepReport, StepState, StepType } from './step.js';
import { addUsage, NO_USAGE, requireCountable, type Usage } from './usage.js';

export interface StartRun {
  readonly id: string;
  readonly userId: string;
  readonly metadata: JsonText | null;
}

export interface EndRun {
  readonly runId: string;
  readonly status: EndStatus;
}

export interface CreateStep {
  readonly id: string;
  readonly runId: string;
  readonly type: StepType;
  readonly sequence: number;
  readonly model: string | null;
  readonly toolName: string | null;
  readonly inputData: JsonText | null;
}

export interface UpdateStep {
  readonly runId: string;
  readonly stepId: string;
  readonly report: StepReport;
}

export interface StartRunFacts extends RunGuardrailFacts {
  readonly nextPosition: number;
}

export function decideStartRun(facts: StartRunFacts, command: StartRun): Run {
  const decision = evaluateRunStart(facts);
  return {
    id: command.id,
    position: facts.nextPosition,
    userId: command.userId,
    status: decision.outcome === 'ALLOW' ? 'RUNNING' : 'BLOCKED',
    metadata: command.metadata,
    startedAt: facts.now,
    endedAt: null,
    stepCount: 0,
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

/** The ended run; the very run that was given when the command only repeats an earlier one. */
export function decideEndRun(facts: EndRunFacts, command: EndRun): RunState {
  const run = requireRun(facts.run);
  if (run.status === command.status) return run;
  if (run.status === 'BLOCKED') throw badRequest('The run was blocked at its start and cannot be ended');
  if (run.status !== 'RUNNING') throw badRequest(`The run has already ended with status ${run.status}`);
  return { ...run, status: command.status, endedAt: facts.now };
}

export interface CreateStepFacts {
  readonly now: number;
  readonly run: RunState | null;
  /** The facts for the run's user. */
  readonly guardrails: (userId: string) => StepGuardrailFacts;
}

export function decideCreateStep(facts: CreateStepFacts, command: CreateStep): Step {
  const run = requireRun(facts.run);
  const guardrails = facts.guardrails(run.userId);
  const decision = run.status === 'RUNNING' ? evaluateStep(guardrails) : evaluateLateStep(guardrails);
  return {
    id: command.id,
    runId: run.id,
    type: command.type,
    status: decision.outcome === 'ALLOW' ? 'ALLOWED' : 'BLOCKED',
    sequence: command.sequence,
    position: run.stepCount + 1,
    model: command.model,
    toolName: command.toolName,
    inputData: command.inputData,
    promptTokens: null,
    completionTokens: null,
    costPicoUsd: null,
    durationMs: null,
    decision,
    createdAt: facts.now,
  };
}

export interface UpdateStepFacts {
  readonly run: RunState | null;
  readonly step: StepState | null;
  /** The price of the step's model. */
  readonly price: ModelPrice | null;
  /** What is counted so far in every counter the report will be added to. */
  readonly counted: readonly Usage[];
}

export interface ReportedStep {
  readonly step: StepState;
  readonly run: RunState;
  readonly costPicoUsd: bigint | null;
  /** What the counters grow by; null when no tokens were reported. */
  readonly usage: Usage | null;
}

/** The step with its report, or null when the command only repeats the report that is there. */
export function decideUpdateStep(facts: UpdateStepFacts, { report }: UpdateStep): ReportedStep | null {
  const run = requireRun(facts.run);
  if (facts.step === null) throw notFound('Step not found');
  const step = facts.step;
  if (step.status === 'BLOCKED') throw badRequest('The step was denied and cannot be updated');
  if (step.status !== 'ALLOWED') {
    if (isSameReport(step, report)) return null;
    throw badRequest(`The step was already updated with status ${step.status} and other values`);
  }

  const updated: StepState = { ...step, ...report };
  const { promptTokens, completionTokens } = report;
  if (promptTokens === null || completionTokens === null) {
    return { step: updated, run, costPicoUsd: null, usage: null };
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
    step: updated,
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

/** One count given: the other is 0. */
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
