/**
 * The first statement of every transaction that decides, or that changes what decisions depend on: one at a time per
 * workspace, on all instances together. Statements sent after it begin after it, and so see all that was committed before
 * the lock was granted.
 */

import { listOf } from '../columns.js';
import type { Statement } from '../sql/sql-database.js';
import { RUN_COUNTS } from '../tables.js';
import { arraysAs, rowOf } from './postgres-bulk.js';
import { NOW } from './postgres-clock.js';

/**
 * In the order of their ids, so that no two transactions wait for each other. Yields the run counts of each workspace that
 * exists, in that order, and the time at which it was locked.
 */
export function lockWorkspaces(workspaceIds: readonly string[]): Statement {
  return lockInOrder(LOCK_WORKSPACES, workspaceIds);
}

/** Those that no other transaction holds; waits for none. */
export function lockFreeWorkspaces(workspaceIds: readonly string[]): Statement {
  return lockInOrder(LOCK_FREE_WORKSPACES, workspaceIds);
}

function lockInOrder(sql: string, workspaceIds: readonly string[]): Statement {
  return { sql, values: [[...workspaceIds].sort()] };
}

/** One after the other as they are asked for, each seen only once it is locked: the time in the last row is later than all locks. */
const selectLocked = (lock: string) => `
  SELECT c.workspace_id, ${listOf(RUN_COUNTS)}, ${NOW} AS now
  FROM ${arraysAs('asked', [{ name: 'workspace_id', type: 'uuid' }])}
  CROSS JOIN ${rowOf('workspace_counters', 'workspace_id = asked.workspace_id', { lock })} AS c`;

const LOCK_WORKSPACES = selectLocked('FOR NO KEY UPDATE');
const LOCK_FREE_WORKSPACES = selectLocked('FOR NO KEY UPDATE SKIP LOCKED');
