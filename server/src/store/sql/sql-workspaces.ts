import { emailKey } from '../../domain/account.js';
import { NO_RUN_COUNTS } from '../../domain/run.js';
import { changeWorkspace, type Workspace, type WorkspaceChange } from '../../domain/workspace.js';
import { listOf, namesOf, writer } from '../columns.js';
import { readText } from '../row.js';
import { toWorkspace } from '../rows.js';
import type { WorkspaceStore } from '../store.js';
import { WORKSPACE_COUNTERS, WORKSPACE_SETTINGS, WORKSPACES } from '../tables.js';
import type { SqlDatabase, SqlTransaction } from './sql-database.js';
import { insertInto } from './sql-insert.js';

const SELECT_WORKSPACE = `SELECT ${listOf(WORKSPACES.columns)} FROM workspaces WHERE id = $1`;
const UPDATE_SETTINGS = `UPDATE workspaces SET ${namesOf(WORKSPACE_SETTINGS)
  .map((name, index) => `${name} = $${index + 2}`)
  .join(', ')} WHERE id = $1`;

const settingsValues = writer(WORKSPACE_SETTINGS);

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
      await transaction.query(UPDATE_SETTINGS, workspaceId, ...settingsValues({ workspaceId }, changed));
      return changed;
    });
  }
}

export async function insertWorkspace(transaction: SqlTransaction, workspace: Workspace): Promise<void> {
  await insertInto(transaction, WORKSPACES, workspace);
  await insertInto(transaction, WORKSPACE_COUNTERS, { workspaceId: workspace.id, ...NO_RUN_COUNTS });
}
