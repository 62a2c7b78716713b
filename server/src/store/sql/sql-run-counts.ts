import { NO_RUN_COUNTS, totalRuns } from '../../domain/run.js';
import { listOf } from '../columns.js';
import { firstOf } from '../row.js';
import { toRunCounts } from '../rows.js';
import type { RunQuery } from '../store.js';
import { RUN_COUNTS } from '../tables.js';
import type { SqlReader } from './sql-database.js';

/** Read from counters: a page costs the same with a million runs. */
export async function countRuns(
  reader: SqlReader,
  { workspaceId, userId, status }: Pick<RunQuery, 'workspaceId' | 'userId' | 'status'>,
): Promise<number> {
  const select = `SELECT ${listOf(RUN_COUNTS)} FROM`;
  const rows = await (userId === null
    ? reader.query(`${select} workspace_counters WHERE workspace_id = $1`, workspaceId)
    : reader.query(`${select} users WHERE workspace_id = $1 AND user_id = $2`, workspaceId, userId));
  const counts = firstOf(rows, toRunCounts) ?? NO_RUN_COUNTS;
  return status === null ? totalRuns(counts) : counts[status];
}
