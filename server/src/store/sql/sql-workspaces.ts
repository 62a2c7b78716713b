import { emailKey } from '../../domain/account.js';
import { workspaceChange } from '../../domain/audit-changes.js';
import { NO_RUN_COUNTS } from '../../domain/run.js';
import { changeWorkspace, type Workspace } from '../../domain/workspace.js';
import { listOf, namesOf, writer } from '../columns.js';
import { firstOf, readText } from '../row.js';
import { toWorkspace } from '../rows.js';
import type { WorkspaceStore } from '../store.js';
import { WORKSPACE_COUNTERS, WORKSPACE_SETTINGS, WORKSPACES } from '../tables.js';
import { audited } from './sql-audit.js';
import type { SqlDatabase, SqlTransaction } from './sql-database.js';
import { insertInto } from './sql-insert.js';

const SELECT_WORKSPACE = `SELECT ${listOf(WORKSPACES.columns)} FROM workspaces WHERE id = $1`;
const UPDATE_SETTINGS = `UPDATE workspaces SET ${namesOf(WORKSPACE_SETTINGS)
  .map((name, index) => `${name} = $${index + 2}`)
  .join(', ')} WHERE id = $1`;

const settingsValues = writer(WORKSPACE_SETTINGS);

export function sqlWorkspaces(database: SqlDatabase): WorkspaceStore {
  return {
    find: async (workspaceId) => firstOf(await database.query(SELECT_WORKSPACE, workspaceId), toWorkspace),

    async findIdByEmailOrSlug(emailOrSlug) {
      const rows = await database.query(
        `SELECT workspace_id AS id FROM accounts WHERE email_key = $1
         UNION ALL SELECT id FROM workspaces WHERE slug = $2 LIMIT 1`,
        emailKey(emailOrSlug),
        emailOrSlug,
      );
      return firstOf(rows, (row) => readText(row, 'id'));
    },

    change: (workspaceId, change, origin) =>
      audited(database, { workspaceId, origin }, async (transaction) => {
        const workspace = firstOf(await transaction.query(SELECT_WORKSPACE, workspaceId), toWorkspace);
        if (workspace === null) throw new Error(`Workspace ${workspaceId} does not exist`);
        const changed = changeWorkspace(workspace, change);
        await transaction.query(UPDATE_SETTINGS, workspaceId, ...settingsValues({ workspaceId }, changed));
        return { result: changed, change: workspaceChange(workspace, changed) };
      }),
  };
}

export async function insertWorkspace(transaction: SqlTransaction, workspace: Workspace): Promise<void> {
  await insertInto(transaction, WORKSPACES, workspace);
  await insertInto(transaction, WORKSPACE_COUNTERS, {
    workspaceId: workspace.id,
    ...NO_RUN_COUNTS,
    nextDueAt: null,
    heldPicoUsd: 0n,
  });
}
