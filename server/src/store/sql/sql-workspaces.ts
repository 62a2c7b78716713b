import { emailKey } from '../../domain/account.js';
import { changeWorkspace, type Workspace, type WorkspaceChange } from '../../domain/workspace.js';
import { readText } from '../row.js';
import { toWorkspace } from '../rows/workspace-row.js';
import type { WorkspaceStore } from '../store.js';
import type { SqlDatabase, SqlTransaction } from './sql-database.js';

export const WORKSPACE_COLUMNS = `id, name, slug, plan, kill_switch, daily_budget_pico_usd,
  user_daily_budget_pico_usd, max_concurrent_runs, created_at`;
const SELECT_WORKSPACE = `SELECT ${WORKSPACE_COLUMNS} FROM workspaces WHERE id = $1`;

export class SqlWorkspaces implements WorkspaceStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async find(workspaceId: string): Promise<Workspace | null> {
    const [row] = await this.#database.query(SELECT_WORKSPACE, workspaceId);
    return row === undefined ? null : toWorkspace(row);
  }

  async findIdByEmailOrSlug(emailOrSlug: string): Promise<string | null> {
    const [row] = await this.#database.query(
      `SELECT workspace_id AS id FROM accounts WHERE email_key = $1
       UNION ALL SELECT id FROM workspaces WHERE slug = $2 LIMIT 1`,
      emailKey(emailOrSlug),
      emailOrSlug,
    );
    return row === undefined ? null : readText(row, 'id');
  }

  async change(workspaceId: string, change: WorkspaceChange): Promise<Workspace> {
    return this.#database.transaction(async (transaction) => {
      await transaction.lockWorkspace(workspaceId);
      const [row] = await transaction.query(SELECT_WORKSPACE, workspaceId);
      if (row === undefined) throw new Error(`Workspace ${workspaceId} does not exist`);
      const changed = changeWorkspace(toWorkspace(row), change);
      await transaction.query(
        `UPDATE workspaces SET name = $2, plan = $3, kill_switch = $4, daily_budget_pico_usd = $5,
           user_daily_budget_pico_usd = $6, max_concurrent_runs = $7 WHERE id = $1`,
        workspaceId,
        changed.name,
        changed.plan,
        changed.killSwitch,
        changed.dailyBudgetPicoUsd,
        changed.userDailyBudgetPicoUsd,
        changed.maxConcurrentRuns,
      );
      return changed;
    });
  }
}

export async function insertWorkspace(transaction: SqlTransaction, workspace: Workspace): Promise<void> {
  await transaction.query(
    `INSERT INTO workspaces (${WORKSPACE_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    workspace.id,
    workspace.name,
    workspace.slug,
    workspace.plan,
    workspace.killSwitch,
    workspace.dailyBudgetPicoUsd,
    workspace.userDailyBudgetPicoUsd,
    workspace.maxConcurrentRuns,
    workspace.createdAt,
  );
  await transaction.query(
    `INSERT INTO workspace_counters (workspace_id, running_runs, completed_runs, failed_runs, blocked_runs)
     VALUES ($1, 0, 0, 0, 0)`,
    workspace.id,
  );
}
