/**
 * The first statement of every transaction that decides or changes what decisions depend on: across all instances, one at a
 * time per workspace. Later statements see everything that was committed before the lock was granted.
 */

import { listOf } from '../columns.js';
import type { Statement } from '../sql/sql-database.js';
import { RUN_COUNTS } from '../tables.js';
import { arrayOf } from './postgres-arrays.js';
import { arraysAs, rowOf } from './postgres-bulk.js';
import { NOW } from './postgres-clock.js';

/**
 * In the order of their ids, so that transactions do not deadlock. Returns the counters of each existing workspace, in that
 * order, and the time at which it was locked.
 */
export function lockWorkspaces(workspaceIds: readonly string[]): Statement {
  return lockInOrder(LOCK_WORKSPACES, workspaceIds);
}

/** Locks only workspaces that no other transaction has locked; does not wait. */
export function lockFreeWorkspaces(workspaceIds: readonly string[]): Statement {
  return lockInOrder(LOCK_FREE_WORKSPACES, workspaceIds);
}

/** For a change of settings. Its plan is not that of the others, which are made where no table is read as a whole. */
export function lockWorkspace(workspaceId: string): Statement {
  return { sql: LOCK_WORKSPACE, values: [workspaceId] };
}

function lockInOrder(sql: string, workspaceIds: readonly string[]): Statement {
  return { sql, values: [arrayOf('uuid', [...workspaceIds].sort())] };
}

/** Locked one by one in the given order: the time in the last row is later than all locks. */
const selectLocked = (lock: string) => `
  SELECT c.workspace_id, ${listOf(RUN_COUNTS)}, c.next_due_at, c.held_pico_usd, ${NOW} AS now
  FROM ${arraysAs('asked', [{ name: 'workspace_id', type: 'uuid' }])}
  CROSS JOIN ${rowOf('workspace_counters', 'workspace_id = asked.workspace_id', { lock })} AS c`;

const LOCK_WORKSPACE = `SELECT ${NOW} AS now FROM ${rowOf('workspace_counters', 'workspace_id = $1', { lock: 'FOR NO KEY UPDATE' })} AS c`;
const LOCK_WORKSPACES = selectLocked('FOR NO KEY UPDATE');
const LOCK_FREE_WORKSPACES = selectLocked('FOR NO KEY UPDATE SKIP LOCKED');

/**
 * The ids of the transactions that wrote and that last locked a row, which PostgreSQL keeps in it, and whether the latter has ended.
 * A lock is seen before its transaction commits: when it has ended, the text changes again. Ids have 32 bits here; `nearest` is the
 * one of 64 bits that is nearest to the next id.
 */
export function lockMark(row: string): string {
  const next = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';
  const nearest = `${next} + ${HALF} - ((${next} + ${HALF} - ${row}.xmax::text::bigint) & ${2 * HALF - 1})`;
  const hasEnded = `pg_visible_in_snapshot((${nearest})::text::xid8, pg_current_snapshot())`;
  return `${row}.xmin::text || ' ' || ${row}.xmax::text || CASE
    WHEN ${row}.xmax::text = '0' OR ${hasEnded} THEN '' ELSE ' open' END`;
}

/** Half of the ids that 32 bits have. */
const HALF = 2 ** 31;
