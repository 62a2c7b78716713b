import type { Decision } from './decision.js';
import type { PicoUsd } from './money.js';
import type { EndStatus, JsonText } from './run.js';

export const STEP_TYPES = ['INPUT', 'MODEL_CALL', 'TOOL_CALL', 'OUTPUT', 'REASONING', 'SYSTEM'] as const;
export type StepType = (typeof STEP_TYPES)[number];

export const STEP_STATUSES = ['ALLOWED', 'COMPLETED', 'FAILED', 'BLOCKED'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** What the client reports when a step is done; both counts are null when none was given. */
export interface StepReport {
  readonly status: EndStatus;
  readonly durationMs: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

/** The part of a step that a report reads and changes. */
export interface StepState {
  readonly id: string;
  readonly runId: string;
  readonly status: StepStatus;
  readonly model: string | null;
  readonly durationMs: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

export interface Step extends StepState {
  readonly type: StepType;
  readonly sequence: number;
  /** Creation order within the run, starting at 1: decides between equal sequences. */
  readonly position: number;
  readonly toolName: string | null;
  readonly inputData: JsonText | null;
  readonly costPicoUsd: PicoUsd | null;
  readonly decision: Decision;
  readonly createdAt: number;
}
