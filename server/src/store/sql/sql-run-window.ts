import type { SqlValue } from '../row.js';
import { MAX_RUNS_EXAMINED, type RunQuery } from '../store.js';
import type { Statement } from './sql-database.js';

/**
 * Selects the positions of the runs that match a filter without a counter. An index finds the runs that the filter is applied to,
 * and no more than MAX_RUNS_EXAMINED of them. Null: no run can match.
 */
export function runWindow(query: RunQuery, now: number): Statement | null {
  const { workspaceId, status, userId, endReason = null, idleMs = null } = query;
  const onlyStatus = endReason === null ? 'RUNNING' : 'FAILED';
  if (status !== null && status !== onlyStatus) return null;
  if (endReason !== null && idleMs !== null) return null;
  const values: SqlValue[] = [workspaceId, MAX_RUNS_EXAMINED];
  const add = (value: SqlValue) => `$${values.push(value)}`;
  const filter =
    endReason !== null
      ? { columns: 'end_reason', order: 'DESC', condition: `end_reason = ${add(endReason)}` }
      : {
          columns: 'lease_expires_at, lease_seconds',
          // A run that started long ago is more likely to be idle.
          order: 'ASC',
          condition: `lease_expires_at - lease_seconds * 1000 <= ${add(now - (idleMs ?? 0))}`,
        };
  const ofUser = userId === null ? '' : ` AND user_id = ${add(userId)}`;
  const found =
    endReason !== null && userId === null ? filter.condition : `status = ${add(onlyStatus)}${ofUser}`;
  const sql = `SELECT position FROM (
                 SELECT position, ${filter.columns} FROM runs WHERE workspace_id = $1 AND ${found}
                 ORDER BY position ${filter.order} LIMIT $2
               ) AS examined WHERE ${filter.condition}`;
  return { sql, values };
}
