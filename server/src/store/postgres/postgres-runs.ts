import { type Run, type RunStatus, type RunSummary, totalRuns } from '../../domain/run.js';
import type { Step } from '../../domain/step.js';
import { type Row, readNumber } from '../row.js';
import { toRun, toRunCounts, toRunSummary } from '../rows/run-row.js';
import { toStep } from '../rows/step-row.js';
import { findRunPage, type RunPage } from '../run-page.js';
import type { Page, RunQuery, RunStore } from '../store.js';
import type { PostgresDatabase, Statement } from './postgres-database.js';

export const RUN_COUNT_COLUMNS = 'running_runs, completed_runs, failed_runs, blocked_runs';
export const RUN_STATE_COLUMN_NAMES = [
  'id',
  'user_id',
  'status',
  'ended_at',
  'step_count',
  'total_tokens',
  'total_cost_pico_usd',
] as const;
const RUN_STATE_COLUMNS = RUN_STATE_COLUMN_NAMES.join(', ');
const RUN_COLUMNS = `${RUN_STATE_COLUMNS}, started_at, position, metadata, decision_reason, decision_rules`;
const STEP_COLUMNS = `id, run_id, status, model, duration_ms, prompt_tokens, completion_tokens, type, sequence, position,
  tool_name, input_data, cost_pico_usd, decision_reason, decision_rules, created_at`;

export class PostgresRuns implements RunStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async list(query: RunQuery): Promise<Page<RunSummary>> {
    return this.#database.snapshot(async (transaction) => {
      const [counts] = await transaction.send(countRuns(query));
      const total = toTotal(counts?.[0], query.status);
      const [rows = []] = await transaction.finish(...listPage(query, findRunPage(query, total)));
      return { items: rows.map(toRunSummary), total };
    });
  }

  async find({ workspaceId, runId }: { workspaceId: string; runId: string }): Promise<Run | null> {
    const row = await this.#database.queryOne(
      `SELECT ${RUN_COLUMNS} FROM runs WHERE workspace_id = $1 AND id = $2`,
      workspaceId,
      runId,
    );
    return row === undefined ? null : toRun(row);
  }

  async listSteps({ workspaceId, runId }: { workspaceId: string; runId: string }): Promise<Step[]> {
    const rows = await this.#database.query(
      `SELECT ${STEP_COLUMNS} FROM steps WHERE workspace_id = $1 AND run_id = $2 ORDER BY sequence, position`,
      workspaceId,
      runId,
    );
    return rows.map(toStep);
  }

  async countActive(): Promise<number> {
    const row = await this.#database.queryOne(
      'SELECT COALESCE(SUM(running_runs), 0) AS active FROM workspace_counters',
    );
    return row === undefined ? 0 : readNumber(row, 'active');
  }
}

/** Counters, not a count of rows: a page costs the same with a million runs. */
function countRuns({ workspaceId, userId }: RunQuery): Statement {
  return userId === null
    ? {
        sql: `SELECT ${RUN_COUNT_COLUMNS} FROM workspace_counters WHERE workspace_id = $1`,
        values: [workspaceId],
      }
    : {
        sql: `SELECT ${RUN_COUNT_COLUMNS} FROM users WHERE workspace_id = $1 AND user_id = $2`,
        values: [workspaceId, userId],
      };
}

/** The offset is skipped on the index alone; only the rows of the page are read. */
function listPage({ workspaceId, status, userId }: RunQuery, page: RunPage): Statement[] {
  if (page.kind === 'empty') return [];
  if (page.kind === 'positions') {
    const sql = `SELECT ${RUN_STATE_COLUMNS}, started_at FROM runs
                 WHERE workspace_id = $1 AND position BETWEEN $2 AND $3 ORDER BY position DESC`;
    return [{ sql, values: [workspaceId, page.oldest, page.newest] }];
  }
  const values = [
    workspaceId,
    page.limit,
    page.offset,
    ...[userId, status].filter((value) => value !== null),
  ];
  let filter = '';
  if (userId !== null) filter += ' AND user_id = $4';
  if (status !== null) filter += ` AND status = $${values.length}`;
  const sql = `SELECT ${RUN_STATE_COLUMNS}, started_at FROM runs WHERE workspace_id = $1 AND position IN (
                 SELECT position FROM runs WHERE workspace_id = $1${filter}
                 ORDER BY position ${page.order} LIMIT $2 OFFSET $3
               ) ORDER BY position DESC`;
  return [{ sql, values }];
}

function toTotal(row: Row | undefined, status: RunStatus | null): number {
  if (row === undefined) return 0;
  const counts = toRunCounts(row);
  return status === null ? totalRuns(counts) : counts[status];
}
