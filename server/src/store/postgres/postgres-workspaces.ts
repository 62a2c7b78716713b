import { emailKey } from '../../domain/account.js';
import type { Workspace } from '../../domain/workspace.js';
import { readText } from '../row.js';
import { toWorkspace } from '../rows/workspace-row.js';
import type { WorkspaceStore } from '../store.js';
import { arraysAs, rowOf } from './postgres-bulk.js';
import { NOW } from './postgres-clock.js';
import type { PostgresDatabase, Statement } from './postgres-database.js';
import { RUN_COUNT_COLUMNS } from './postgres-runs.js';

export const WORKSPACE_COLUMNS = `id, name, slug, plan, kill_switch, daily_budget_pico_usd,
  user_daily_budget_pico_usd, max_concurrent_runs, created_at`;
const SELECT_WORKSPACE = `SELECT ${WORKSPACE_COLUMNS} FROM workspaces`;

export class PostgresWorkspaces implements WorkspaceStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async find(workspaceId: string): Promise<Workspace | null> {
    const row = await this.#database.queryOne(`${SELECT_WORKSPACE} WHERE id = $1`, workspaceId);
    return row === undefined ? null : toWorkspace(row);
  }

  async findIdByEmailOrSlug(emailOrSlug: string): Promise<string | null> {
    const row = await this.#database.queryOne(
      `SELECT workspace_id AS id FROM accounts WHERE email_key = $1
       UNION ALL SELECT id FROM workspaces WHERE slug = $2 LIMIT 1`,
      emailKey(emailOrSlug),
      emailOrSlug,
    );
    return row === undefined ? null : readText(row, 'id');
  }

  async change(workspaceId: string, change: (workspace: Workspace) => Workspace): Promise<Workspace> {
    return this.#database.transaction(async (transaction) => {
      const [, [row] = []] = await transaction.send(lockWorkspace(workspaceId), {
        sql: `${SELECT_WORKSPACE} WHERE id = $1`,
        values: [workspaceId],
      });
      if (row === undefined) throw new Error(`Workspace ${workspaceId} does not exist`);
      const changed = change(toWorkspace(row));
      await transaction.finish({
        sql: `UPDATE workspaces SET name = $2, plan = $3, kill_switch = $4, daily_budget_pico_usd = $5,
                user_daily_budget_pico_usd = $6, max_concurrent_runs = $7 WHERE id = $1`,
        values: [
          workspaceId,
          changed.name,
          changed.plan,
          changed.killSwitch,
          changed.dailyBudgetPicoUsd,
          changed.userDailyBudgetPicoUsd,
          changed.maxConcurrentRuns,
        ],
      });
      return changed;
    });
  }
}

/**
 * The first statement of every transaction that decides, or that changes what decisions depend on: one at a time per
 * workspace, on all instances together. Statements sent after it begin after it, and so see all that was committed
 * before the lock was granted. Yields the workspace's run counts and the time at which it got the lock.
 */
export function lockWorkspace(workspaceId: string): Statement {
  return lockWorkspaces([workspaceId]);
}

/** In the order of their ids, so that no two transactions wait for each other. Yields a row for each that exists, in that order. */
export function lockWorkspaces(workspaceIds: readonly string[]): Statement {
  return lockInOrder(LOCK_WORKSPACES, workspaceIds);
}

/** Those that nobody holds; waits for none. */
export function lockFreeWorkspaces(workspaceIds: readonly string[]): Statement {
  return lockInOrder(LOCK_FREE_WORKSPACES, workspaceIds);
}

function lockInOrder(sql: string, workspaceIds: readonly string[]): Statement {
  return { sql, values: [[...workspaceIds].sort()] };
}

/** One after the other as they are asked for, each seen only once it is locked: the time in the last row is later than all locks. */
const selectLocked = (lock: string) => `
  SELECT c.workspace_id, ${RUN_COUNT_COLUMNS}, ${NOW} AS now
  FROM ${arraysAs('asked', [{ name: 'workspace_id', type: 'uuid' }])}
  CROSS JOIN ${rowOf('workspace_counters', 'workspace_id = asked.workspace_id', { lock })} AS c`;

const LOCK_WORKSPACES = selectLocked('FOR NO KEY UPDATE');
const LOCK_FREE_WORKSPACES = selectLocked('FOR NO KEY UPDATE SKIP LOCKED');

export function insertWorkspace(workspace: Workspace): Statement[] {
  return [
    {
      sql: `INSERT INTO workspaces (id, name, slug, plan, kill_switch, daily_budget_pico_usd,
              user_daily_budget_pico_usd, max_concurrent_runs, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      values: [
        workspace.id,
        workspace.name,
        workspace.slug,
        workspace.plan,
        workspace.killSwitch,
        workspace.dailyBudgetPicoUsd,
        workspace.userDailyBudgetPicoUsd,
        workspace.maxConcurrentRuns,
        workspace.createdAt,
      ],
    },
    {
      sql: `INSERT INTO workspace_counters (workspace_id, running_runs, completed_runs, failed_runs, blocked_runs)
            VALUES ($1, 0, 0, 0, 0)`,
      values: [workspace.id],
    },
  ];
}
