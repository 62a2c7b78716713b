import { timeOfUuid } from '../../domain/uuid.js';
import { listOf } from '../columns.js';
import { firstOf, readText } from '../row.js';
import { toRunSummary } from '../rows.js';
import { MAX_RUNS_EXAMINED, type RunStore, type SearchStore } from '../store.js';
import { RUN_SUMMARY } from '../tables.js';
import type { SqlDatabase } from './sql-database.js';
import { isFound } from './sql-run-window.js';

/** How far the clock of an instance, which makes the ids, may be ahead of the clock of the store. */
const CLOCK_DIFFERENCE_MS = 60_000;
/** Follows every character. */
export const LAST_CHARACTER = '\u{10FFFF}';

export function sqlSearch(database: SqlDatabase, runs: RunStore): SearchStore {
  return {
    async findRuns({ workspaceId, ids, limit }) {
      const rows = await database.query(
        `SELECT ${listOf(RUN_SUMMARY)} FROM runs WHERE workspace_id = $1 AND id BETWEEN $2 AND $3 ORDER BY id LIMIT $4`,
        workspaceId,
        ids.first,
        ids.last,
        limit,
      );
      return rows.map(toRunSummary);
    },

    /**
     * Steps have no index by their id alone, which every step would have to write. The id tells when the step was made, so its
     * run is one of those that had started by then.
     */
    async findRunOfStep({ workspaceId, stepId }) {
      const to = timeOfUuid(stepId) + CLOCK_DIFFERENCE_MS;
      const { newest } = await runs.findPositions({ workspaceId, to });
      const rows = await database.query(
        `SELECT id FROM runs WHERE workspace_id = $1 AND position BETWEEN $3 AND $4
         AND ${isFound('steps WHERE steps.workspace_id = $1 AND steps.run_id = runs.id AND steps.id = $2')} LIMIT 1`,
        workspaceId,
        stepId,
        newest - MAX_RUNS_EXAMINED + 1,
        newest,
      );
      return firstOf(rows, (row) => readText(row, 'id'));
    },

    async findUsers({ workspaceId, prefix, limit }) {
      const rows = await database.query(
        `SELECT user_id FROM users WHERE workspace_id = $1 AND user_id >= $2 AND user_id < $3 ORDER BY user_id LIMIT $4`,
        workspaceId,
        prefix,
        prefix + LAST_CHARACTER,
        limit,
      );
      return rows.map((row) => readText(row, 'user_id'));
    },
  };
}
