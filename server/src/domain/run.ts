import type { Decision } from './decision.js';
import type { PicoUsd } from './money.js';
import type { RecentSteps, RunLimits } from './run-limits.js';

/** JSON text that the service stores and returns but never reads (metadata, input_data). */
export type JsonText = string;

export const RUN_STATUSES = ['RUNNING', 'COMPLETED', 'FAILED', 'BLOCKED'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const END_STATUSES = ['COMPLETED', 'FAILED'] as const;
export type EndStatus = (typeof END_STATUSES)[number];

/** Why the service ended a run; null for a run that its agent ended. */
export const END_REASONS = ['LEASE_EXPIRED', 'STOPPED'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** A running run without an accepted write for as long is idle. Without a lease, the last write is not known. */
export const IDLE_AFTER_MS = 5 * 60_000;

export type RunCounts = Readonly<Record<RunStatus, number>>;

export const NO_RUN_COUNTS: RunCounts = { RUNNING: 0, COMPLETED: 0, FAILED: 0, BLOCKED: 0 };

/** The part of a run that later commands read and change. */
export interface RunState {
  readonly id: string;
  readonly userId: string;
  readonly status: RunStatus;
  readonly endedAt: number | null;
  readonly endReason: EndReason | null;
  /** null: the run never expires. */
  readonly leaseSeconds: number | null;
  /** null when the run has no lease, or was ended before its lease did. */
  readonly leaseExpiresAt: number | null;
  /**
   * When to look at the lease again; null unless the run has one and is running. Never later than the end of the lease, and
   * moved on only when it is reached: an index on a column that changes with every step would be expensive.
   */
  readonly dueAt: number | null;
  readonly startedAt: number;
  /** null: none. */
  readonly limits: RunLimits | null;
  /** null unless the run has a limit of repeats. */
  readonly recentSteps: RecentSteps | null;
  readonly stepCount: number;
  readonly deniedStepCount: number;
  /** Open holds of its steps. */
  readonly heldPicoUsd: PicoUsd;
  readonly openHolds: number;
  readonly totalTokens: bigint;
  readonly totalCostPicoUsd: PicoUsd;
  /** Incremented by every report that is counted in the totals; the step stores the version that first includes it. */
  readonly usageVersion: number;
}

/** What a list shows. */
export interface RunSummary extends Omit<RunState, 'limits' | 'recentSteps' | 'heldPicoUsd' | 'openHolds'> {
  /** Why it was not allowed to start. */
  readonly denyReason: Decision['reason'];
}

export interface Run extends RunState {
  /** Creation order within the workspace, starting at 1: the order of lists. */
  readonly position: number;
  readonly metadata: JsonText | null;
  readonly decision: Decision;
}

/**
 * A copy with changes. Every step changes its run, and V8 takes five times as long for a spread of so many properties.
 */
export function changeRun(run: RunState, changes: Partial<RunState>): RunState {
  const copy: RunState = {
    id: run.id,
    userId: run.userId,
    startedAt: run.startedAt,
    leaseSeconds: run.leaseSeconds,
    leaseExpiresAt: run.leaseExpiresAt,
    limits: run.limits,
    recentSteps: run.recentSteps,
    status: run.status,
    endedAt: run.endedAt,
    endReason: run.endReason,
    dueAt: run.dueAt,
    stepCount: run.stepCount,
    deniedStepCount: run.deniedStepCount,
    heldPicoUsd: run.heldPicoUsd,
    openHolds: run.openHolds,
    totalTokens: run.totalTokens,
    totalCostPicoUsd: run.totalCostPicoUsd,
    usageVersion: run.usageVersion,
  };
  return Object.assign(copy, changes);
}

/** When the lease ends after a write. A run that has ended keeps what it has. */
export function renewedLease({ status, leaseSeconds, leaseExpiresAt }: RunState, now: number): number | null {
  if (status !== 'RUNNING' || leaseSeconds === null || leaseExpiresAt === null) return leaseExpiresAt;
  // A clock that was set back does not shorten a lease.
  return Math.max(leaseExpiresAt, now + leaseSeconds * 1000);
}

/** The run as of `now`: ended at the moment its lease ended, or the same object. */
export function expireLease(run: RunState, now: number): RunState {
  const { status, leaseExpiresAt } = run;
  if (status !== 'RUNNING' || leaseExpiresAt === null || leaseExpiresAt > now) return run;
  return changeRun(run, {
    status: 'FAILED',
    endReason: 'LEASE_EXPIRED',
    endedAt: leaseExpiresAt,
    dueAt: null,
  });
}

/** 0 for a run that never started; until now while it runs. */
export function durationOfRun(run: Pick<RunState, 'status' | 'startedAt' | 'endedAt'>, now: number): number {
  if (run.status === 'BLOCKED') return 0;
  return Math.max(0, (run.endedAt ?? now) - run.startedAt);
}

export function addRunCounts(left: RunCounts, right: RunCounts): RunCounts {
  return {
    RUNNING: left.RUNNING + right.RUNNING,
    COMPLETED: left.COMPLETED + right.COMPLETED,
    FAILED: left.FAILED + right.FAILED,
    BLOCKED: left.BLOCKED + right.BLOCKED,
  };
}

export function totalRuns(counts: RunCounts): number {
  return counts.RUNNING + counts.COMPLETED + counts.FAILED + counts.BLOCKED;
}
