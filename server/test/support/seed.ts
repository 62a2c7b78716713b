/** Runs and steps for tests: the one place that lists their fields. */

import { type CreateStep, newStepReport, type StartRun } from '../../src/domain/decide.js';
import type { Run, RunState } from '../../src/domain/run.js';
import type { Step, StepReport, StepState } from '../../src/domain/step.js';

const ALLOWED = { outcome: 'ALLOW', reason: null, evaluations: [] } as const;

/** What starts a run, of the user ada unless another is given. */
export function newStartRun(given: Pick<StartRun, 'id'> & Partial<StartRun>): StartRun {
  return { userId: 'ada', metadata: null, ...given };
}

/** What creates a step, a call of the model gpt unless another is given. */
export function newCreateStep(given: Pick<CreateStep, 'id' | 'runId'> & Partial<CreateStep>): CreateStep {
  return { type: 'MODEL_CALL', sequence: 1, model: 'gpt', toolName: null, inputData: null, ...given };
}

/** What reports a step as completed, without a duration and tokens unless they are given. */
export function newReport(given: Partial<StepReport> = {}): StepReport {
  return newStepReport({
    status: 'COMPLETED',
    durationMs: null,
    promptTokens: null,
    completionTokens: null,
    ...given,
  });
}

/** A run that has just started and has no steps. */
export function newRunState(given: Pick<RunState, 'id'> & Partial<RunState>): RunState {
  return {
    userId: 'ada',
    status: 'RUNNING',
    endedAt: null,
    stepCount: 0,
    totalTokens: 0n,
    totalCostPicoUsd: 0n,
    usageVersion: 0,
    ...given,
  };
}

/** The same with what is only written once. */
export function newRun(given: Pick<Run, 'id' | 'startedAt'> & Partial<Run>): Run {
  return { ...newRunState(given), position: 1, metadata: null, decision: ALLOWED, ...given };
}

/** A step that was allowed and is not reported. */
export function newStepState(given: Pick<StepState, 'id' | 'runId'> & Partial<StepState>): StepState {
  return {
    status: 'ALLOWED',
    model: 'gpt',
    durationMs: null,
    promptTokens: null,
    completionTokens: null,
    ...given,
  };
}

/** The same with what is only written once. */
export function newStep(given: Pick<Step, 'id' | 'runId' | 'createdAt'> & Partial<Step>): Step {
  return {
    ...newStepState(given),
    type: 'MODEL_CALL',
    sequence: 1,
    position: 1,
    toolName: null,
    inputData: null,
    costPicoUsd: null,
    decision: ALLOWED,
    ...given,
  };
}
