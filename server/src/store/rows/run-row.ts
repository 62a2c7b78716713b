import type { Run, RunCounts, RunState, RunStatus, RunSummary } from '../../domain/run.js';
import { toDecision } from '../decision-text.js';
import { type Row, readBigint, readNullableNumber, readNullableText, readNumber, readText } from '../row.js';

export function toRun(row: Row): Run {
  return {
    ...toRunSummary(row),
    position: readNumber(row, 'position'),
    metadata: readNullableText(row, 'metadata'),
    decision: toDecision(readNullableText(row, 'decision_reason'), readText(row, 'decision_rules')),
  };
}

export function toRunSummary(row: Row): RunSummary {
  return { ...toRunState(row), startedAt: readNumber(row, 'started_at') };
}

export function toRunState(row: Row): RunState {
  return {
    id: readText(row, 'id'),
    userId: readText(row, 'user_id'),
    status: readText(row, 'status') as RunStatus,
    endedAt: readNullableNumber(row, 'ended_at'),
    stepCount: readNumber(row, 'step_count'),
    totalTokens: readBigint(row, 'total_tokens'),
    totalCostPicoUsd: readBigint(row, 'total_cost_pico_usd'),
    usageVersion: readNumber(row, 'usage_version'),
  };
}

export function toRunCounts(row: Row): RunCounts {
  return {
    RUNNING: readNumber(row, 'running_runs'),
    COMPLETED: readNumber(row, 'completed_runs'),
    FAILED: readNumber(row, 'failed_runs'),
    BLOCKED: readNumber(row, 'blocked_runs'),
  };
}
