import { type Run, type RunSummary, totalRuns } from '../../domain/run.js';
import type { Step } from '../../domain/step.js';
import { readNumber } from '../row.js';
import { toRun, toRunCounts, toRunSummary } from '../rows/run-row.js';
import { toStep } from '../rows/step-row.js';
import { findRunPage, type RunPage } from '../run-page.js';
import type { Page, RunQuery, RunStore } from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';

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
