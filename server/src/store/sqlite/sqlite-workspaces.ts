import { emailKey } from '../../domain/account.js';
import type { Workspace } from '../../domain/workspace.js';
import { readText } from '../row.js';
import { toWorkspace } from '../rows/workspace-row.js';
import type { WorkspaceStore } from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { fromBoolean } from './sqlite-row.js';

export class SqliteWorkspaces implements WorkspaceStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async find(workspaceId: string): Promise<Workspace | null> {
    return findWorkspace(this.#database, workspaceId);
  }

  async findIdByEmailOrSlug(emailOrSlug: string): Promise<string | null> {
    const row = this.#database.get(
      `SELECT workspace_id AS id FROM accounts WHERE email_key = ?
       UNION ALL SELECT id FROM workspaces WHERE slug = ? LIMIT 1`,
      emailKey(emailOrSlug),
      emailOrSlug,
    );
    return row === undefined ? null : readText(row, 'id');
  }

  async change(workspaceId: string, change: (workspace: Workspace) => Workspace): Promise<Workspace> {
    return this.#database.transaction(() => {
      const changed = change(requireWorkspace(this.#database, workspaceId));
      this.#database.run(
        `UPDATE workspaces SET name = ?, plan = ?, kill_switch = ?, daily_budget_pico_usd = ?,
           user_daily_budget_pico_usd = ?, max_concurrent_runs = ? WHERE id = ?`,
        changed.name,
        changed.plan,
        fromBoolean(changed.killSwitch),
        changed.dailyBudgetPicoUsd,
        changed.userDailyBudgetPicoUsd,
        changed.maxConcurrentRuns,
        workspaceId,
      );
      return changed;
    });
  }
}

function requireWorkspace(database: SqliteDatabase, workspaceId: string): Workspace {
  const workspace = findWorkspace(database, workspaceId);
  if (workspace === null) throw new Error(`Workspace ${workspaceId} does not exist`);
  return workspace;
}

export function insertWorkspace(database: SqliteDatabase, workspace: Workspace): void {
  database.run(
    `INSERT INTO workspaces (id, name, slug, plan, kill_switch, daily_budget_pico_usd, user_daily_budget_pico_usd,
       max_concurrent_runs, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    workspace.id,
    workspace.name,
    workspace.slug,
    workspace.plan,
    fromBoolean(workspace.killSwitch),
    workspace.dailyBudgetPicoUsd,
    workspace.userDailyBudgetPicoUsd,
    workspace.maxConcurrentRuns,
    workspace.createdAt,
  );
  database.run('INSERT INTO workspace_counters VALUES (?, 0, 0, 0, 0)', workspace.id);
}

function findWorkspace(database: SqliteDatabase, workspaceId: string): Workspace | null {
  const row = database.get('SELECT * FROM workspaces WHERE id = ?', workspaceId);
  return row === undefined ? null : toWorkspace(row);
}
