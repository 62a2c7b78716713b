import { firstOf, readNumber } from '../row.js';
import type { PositionRange, RunQuery } from '../store.js';
import type { SqlReader } from './sql-database.js';
import { countRuns } from './sql-run-counts.js';

/**
 * The runs that started in a time, as a range of positions; without one, all runs. Runs start in the order of their
 * positions and positions have no gaps, so both ends are found by bisection, with 20 lookups by key among a million runs, and
 * without an index that every start would have to write. If the clock of the store was set back, runs of that moment may be
 * missing at the ends.
 */
export async function findPositions(
  reader: SqlReader,
  { workspaceId, from, to }: Pick<RunQuery, 'workspaceId' | 'from' | 'to'>,
): Promise<PositionRange> {
  const runCount = await countRuns(reader, { workspaceId, userId: null, status: null });
  const firstSince = async (moment: number) => {
    const rows = await reader.query(FIRST_POSITION_SINCE, workspaceId, runCount + 1, moment);
    return firstOf(rows, (row) => readNumber(row, 'position')) ?? 1;
  };
  const oldest = from === undefined ? 1 : await firstSince(from);
  const newest = (to === undefined ? runCount + 1 : await firstSince(to)) - 1;
  return { oldest, newest };
}

/** Whether the run in the middle started before $3. A subquery: its lookup is by key, whatever the planner makes of the rest. */
const IS_BEFORE =
  '(SELECT started_at FROM runs WHERE workspace_id = $1 AND position = (low + high) / 2) < $3';

/** The first position between 1 and $2 whose run did not start before $3; $2 if there is none. */
const FIRST_POSITION_SINCE = `
  WITH RECURSIVE bisection (low, high) AS (
    SELECT CAST(1 AS BIGINT), CAST($2 AS BIGINT)
    UNION ALL
    SELECT CASE WHEN ${IS_BEFORE} THEN (low + high) / 2 + 1 ELSE low END,
      CASE WHEN ${IS_BEFORE} THEN high ELSE (low + high) / 2 END
    FROM bisection WHERE low < high
  )
  SELECT low AS position FROM bisection WHERE low = high`;
