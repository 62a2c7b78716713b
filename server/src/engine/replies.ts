/** The replies of the data plane, as plain data: they are stored as JSON for retries. */

import type { CreatedStep, CreateStep, HeartbeatRun } from '../domain/decide.js';
import type { Decision, RuleEvaluation } from '../domain/decision.js';
import { nullablePicoUsdToNumber } from '../domain/money.js';
import type { EndReason, EndStatus, Run, RunState, RunStatus } from '../domain/run.js';
import type { StepState, StepStatus } from '../domain/step.js';

export type Reply = RunReply | EndReply | StopReply | StepReply | ReportReply | HeartbeatReply | ExpiryReply;

/** The rule that denied, with what it compared. Absent for an ALLOW, and if the run has ended. */
export type DeniedBy = Pick<RuleEvaluation, 'rule' | 'limit' | 'value' | 'resetsAt'>;

export interface RunReply {
  readonly id: string;
  readonly status: 'RUNNING' | 'BLOCKED';
  readonly decision: Pick<Decision, 'outcome' | 'reason'>;
  readonly leaseExpiresAt: number | null;
  readonly deniedBy?: DeniedBy;
}

export interface EndReply {
  readonly id: string;
  readonly status: EndStatus;
  readonly endedAt: number;
  readonly reported?: readonly ReportReply[];
}

export interface StopReply extends EndReply {
  readonly endReason: EndReason | null;
}

export interface HeartbeatReply {
  readonly id: string;
  readonly status: RunStatus;
  readonly leaseExpiresAt: number | null;
  readonly decision: Pick<Decision, 'outcome' | 'reason'>;
}

export interface ExpiryReply {
  /** Whether more runs are due. */
  readonly hasMore: boolean;
}

export interface StepReply {
  readonly id: string;
  readonly status: 'ALLOWED' | 'BLOCKED';
  readonly decision: Pick<Decision, 'outcome' | 'reason'>;
  /** Of a request with an estimate, in USD: what the step holds, or would have held, and what is left after it. */
  readonly hold?: {
    readonly usd: number | null;
    readonly remainingUsd: number | null;
    readonly isBound?: true;
  };
  readonly deniedBy?: DeniedBy;
  /** What was reported with the request. */
  readonly reported?: readonly ReportReply[];
}

export interface ReportReply {
  readonly id: string;
  readonly status: StepStatus;
}

export function toRunReply({ id, decision, leaseExpiresAt }: Run): RunReply {
  const { outcome, reason } = decision;
  const status = outcome === 'ALLOW' ? 'RUNNING' : 'BLOCKED';
  return { id, status, decision: { outcome, reason }, leaseExpiresAt, ...deniedBy(decision) };
}

/** The last evaluation of a denial is the one that denied. */
function deniedBy({ outcome, evaluations }: Decision): { deniedBy?: DeniedBy } {
  const last = outcome === 'DENY' ? evaluations.at(-1) : undefined;
  if (last === undefined) return {};
  const { rule, limit, value, resetsAt } = last;
  return { deniedBy: { rule, limit, value, resetsAt } };
}

export function toEndReply(reported: readonly StepState[], { id, status, endedAt }: RunState): EndReply {
  if (endedAt === null || (status !== 'COMPLETED' && status !== 'FAILED'))
    throw new Error('The run has not ended');
  return { id, status, endedAt, ...toReported(reported) };
}

export function toStopReply(run: RunState): StopReply {
  return { ...toEndReply([], run), endReason: run.endReason };
}

export function toHeartbeatReply({
  run: { id, status, leaseExpiresAt },
  decision: { outcome, reason },
}: HeartbeatRun): HeartbeatReply {
  return { id, status, leaseExpiresAt, decision: { outcome, reason } };
}

export function toStepReply(
  reported: readonly StepState[],
  { step, holdPicoUsd, isBound, remainingPicoUsd }: CreatedStep,
  { estimate }: CreateStep,
): StepReply {
  const { id, decision } = step;
  const { outcome, reason } = decision;
  const status = outcome === 'ALLOW' ? 'ALLOWED' : 'BLOCKED';
  const explained = { decision: { outcome, reason }, ...deniedBy(decision) };
  const reply = { id, status, ...explained, ...toReported(reported) } as const;
  if (estimate === undefined) return reply;
  return {
    ...reply,
    hold: {
      usd: nullablePicoUsdToNumber(holdPicoUsd),
      remainingUsd: nullablePicoUsdToNumber(remainingPicoUsd),
      ...(isBound ? { isBound } : {}),
    },
  };
}

/** Most requests report nothing: their replies stay small. */
function toReported(steps: readonly StepState[]): { reported?: ReportReply[] } {
  return steps.length === 0 ? {} : { reported: steps.map(toReportReply) };
}

export function toReportReply({ id, status }: StepState): ReportReply {
  return { id, status };
}
