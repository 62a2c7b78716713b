import type { Run, RunState, RunStatus, RunSummary } from '../../domain/run.js';
import type { Step, StepState, StepStatus, StepType } from '../../domain/step.js';
import { toDecision } from '../decision-text.js';
import { findRunPage, type RunPage } from '../run-page.js';
import type { Page, RunCounts, RunQuery, RunStore } from '../store.js';
import type { Row, SqliteDatabase } from './sqlite-database.js';
import {
  readBigint,
  readNullableBigint,
  readNullableNumber,
  readNullableText,
  readNumber,
  readText,
} from './sqlite-row.js';

export class SqliteRuns implements RunStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async list(query: RunQuery): Promise<Page<RunSummary>> {
    return this.#database.snapshot(() => {
      const total = this.#count(query);
      return { items: this.#listPage(query, findRunPage(query, total)), total };
    });
  }

  async find({ workspaceId, runId }: { workspaceId: string; runId: string }): Promise<Run | null> {
    const row = this.#database.get(
      'SELECT * FROM runs WHERE workspace_id = ? AND id = ?',
      workspaceId,
      runId,
    );
    return row === undefined ? null : toRun(row);
  }

  async listSteps({ workspaceId, runId }: { workspaceId: string; runId: string }): Promise<Step[]> {
    return this.#database
      .all(
        'SELECT * FROM steps WHERE workspace_id = ? AND run_id = ? ORDER BY sequence, position',
        workspaceId,
        runId,
      )
      .map(toStep);
  }

  async countActive(): Promise<number> {
    const row = this.#database.get('SELECT COALESCE(SUM(running_runs), 0) AS active FROM workspace_counters');
    return row === undefined ? 0 : readNumber(row, 'active');
  }

  /** Counters, not a count of rows: a page costs the same with a million runs. */
  #count({ workspaceId, status, userId }: RunQuery): number {
    const row =
      userId === null
        ? this.#database.get('SELECT * FROM workspace_counters WHERE workspace_id = ?', workspaceId)
        : this.#database.get(
            'SELECT * FROM users WHERE workspace_id = ? AND user_id = ?',
            workspaceId,
            userId,
          );
    if (row === undefined) return 0;
    const counts = toRunCounts(row);
    return status === null ? totalRuns(counts) : counts[status];
  }

  #listPage({ workspaceId, status, userId }: RunQuery, page: RunPage): RunSummary[] {
    if (page.kind === 'empty') return [];
    if (page.kind === 'positions') {
      return this.#database
        .all(
          'SELECT * FROM runs WHERE workspace_id = ? AND position BETWEEN ? AND ? ORDER BY position DESC',
          workspaceId,
          page.oldest,
          page.newest,
        )
        .map(toRunSummary);
    }
    const values = [workspaceId];
    let filter = '';
    if (userId !== null) {
      filter += ' AND user_id = ?';
      values.push(userId);
    }
    if (status !== null) {
      filter += ' AND status = ?';
      values.push(status);
    }
    // The offset is skipped on the index alone; only the rows of the page are read.
    return this.#database
      .all(
        `SELECT * FROM runs WHERE rowid IN (
           SELECT rowid FROM runs WHERE workspace_id = ?${filter} ORDER BY position ${page.order} LIMIT ? OFFSET ?
         ) ORDER BY position DESC`,
        ...values,
        page.limit,
        page.offset,
      )
      .map(toRunSummary);
  }
}

export function toRunCounts(row: Row): RunCounts {
  return {
    RUNNING: readNumber(row, 'running_runs'),
    COMPLETED: readNumber(row, 'completed_runs'),
    FAILED: readNumber(row, 'failed_runs'),
    BLOCKED: readNumber(row, 'blocked_runs'),
  };
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
  };
}

export function toStepState(row: Row): StepState {
  return {
    id: readText(row, 'id'),
    runId: readText(row, 'run_id'),
    status: readText(row, 'status') as StepStatus,
    model: readNullableText(row, 'model'),
    durationMs: readNullableNumber(row, 'duration_ms'),
    promptTokens: readNullableNumber(row, 'prompt_tokens'),
    completionTokens: readNullableNumber(row, 'completion_tokens'),
  };
}

function totalRuns(counts: RunCounts): number {
  return counts.RUNNING + counts.COMPLETED + counts.FAILED + counts.BLOCKED;
}

function toRunSummary(row: Row): RunSummary {
  return { ...toRunState(row), startedAt: readNumber(row, 'started_at') };
}

function toRun(row: Row): Run {
  return {
    ...toRunSummary(row),
    position: readNumber(row, 'position'),
    metadata: readNullableText(row, 'metadata'),
    decision: toDecision(readNullableText(row, 'decision_reason'), readText(row, 'decision_rules')),
  };
}

function toStep(row: Row): Step {
  return {
    ...toStepState(row),
    type: readText(row, 'type') as StepType,
    sequence: readNumber(row, 'sequence'),
    position: readNumber(row, 'position'),
    toolName: readNullableText(row, 'tool_name'),
    inputData: readNullableText(row, 'input_data'),
    costPicoUsd: readNullableBigint(row, 'cost_pico_usd'),
    decision: toDecision(readNullableText(row, 'decision_reason'), readText(row, 'decision_rules')),
    createdAt: readNumber(row, 'created_at'),
  };
}
