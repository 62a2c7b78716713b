/** The replies of the data plane, as plain data: they are stored as JSON for retries. */

import type { Decision } from '../domain/decision.js';
import type { EndStatus, Run, RunState } from '../domain/run.js';
import type { Step, StepState, StepStatus } from '../domain/step.js';

export type Reply = RunReply | EndReply | StepReply | ReportReply;

export interface RunReply {
  readonly id: string;
  readonly status: 'RUNNING' | 'BLOCKED';
  readonly decision: Pick<Decision, 'outcome' | 'reason'>;
}

export interface EndReply {
  readonly id: string;
  readonly status: EndStatus;
  readonly endedAt: number;
}

export interface StepReply {
  readonly id: string;
  readonly status: 'ALLOWED' | 'BLOCKED';
  readonly decision: Pick<Decision, 'outcome' | 'reason'>;
}

export interface ReportReply {
  readonly id: string;
  readonly status: StepStatus;
}

export function toRunReply({ id, decision: { outcome, reason } }: Run): RunReply {
  return { id, status: outcome === 'ALLOW' ? 'RUNNING' : 'BLOCKED', decision: { outcome, reason } };
}

export function toEndReply({ id, status, endedAt }: RunState): EndReply {
  if (endedAt === null || (status !== 'COMPLETED' && status !== 'FAILED'))
    throw new Error('The run has not ended');
  return { id, status, endedAt };
}

export function toStepReply({ id, decision: { outcome, reason } }: Step): StepReply {
  return { id, status: outcome === 'ALLOW' ? 'ALLOWED' : 'BLOCKED', decision: { outcome, reason } };
}

export function toReportReply({ id, status }: StepState): ReportReply {
  return { id, status };
}
