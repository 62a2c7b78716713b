import { emailKey } from '../../domain/account.js';
import { accountEvent } from '../../domain/audit-changes.js';
import { parseUuid } from '../../domain/uuid.js';
import { listOf } from '../columns.js';
import { firstOf } from '../row.js';
import { toAccount } from '../rows.js';
import type { AccountStore } from '../store.js';
import { ACCOUNT, ACCOUNTS, API_KEYS } from '../tables.js';
import { audited, recordChange, unchanged } from './sql-audit.js';
import type { SqlDatabase } from './sql-database.js';
import { insertInto } from './sql-insert.js';
import { insertWorkspace } from './sql-workspaces.js';

const ACCOUNT_COLUMNS = listOf(ACCOUNT);

export function sqlAccounts(database: SqlDatabase): AccountStore {
  const findBy = async (column: 'email_key' | 'id', value: string) =>
    firstOf(
      await database.query(`SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE ${column} = $1`, value),
      toAccount,
    );
  return {
    findByEmail: (email) => findBy('email_key', emailKey(email)),

    // The id comes from a token; text that is not an id belongs to no account.
    find: async (accountId) => (parseUuid(accountId) === null ? null : findBy('id', accountId)),

    async register({ account, workspace, apiKey }, origin) {
      const key = emailKey(account.email);
      try {
        await database.transaction(async (transaction) => {
          await insertWorkspace(transaction, workspace);
          await insertInto(transaction, ACCOUNTS, { ...account, emailKey: key });
          await insertInto(transaction, API_KEYS, apiKey);
          const { id: workspaceId, createdAt: now } = workspace;
          const change = accountEvent('account.registered', account);
          await recordChange(transaction, { workspaceId, now, origin, change });
        });
        return true;
      } catch (error) {
        // Of two simultaneous registrations the constraint lets one through; any other violation is a bug.
        if (database.isUniqueViolation(error) && (await findBy('email_key', key)) !== null) return false;
        throw error;
      }
    },

    changePassword: ({ account, passwordHash, action }, origin) =>
      audited(database, { workspaceId: account.workspaceId, origin }, async (transaction) => {
        const rows = await transaction.query(
          `UPDATE accounts SET password_hash = $1, token_version = token_version + 1
           WHERE id = $2 AND token_version = $3 RETURNING ${ACCOUNT_COLUMNS}`,
          passwordHash,
          account.id,
          account.tokenVersion,
        );
        const after = firstOf(rows, toAccount);
        return { result: after, change: after && accountEvent(action, account) };
      }),

    endSessions: (account, origin) =>
      audited(database, { workspaceId: account.workspaceId, origin }, async (transaction) => {
        const end = 'UPDATE accounts SET token_version = token_version + 1 WHERE id = $1 RETURNING id';
        const { length } = await transaction.query(end, account.id);
        const change = length === 0 ? null : accountEvent('account.sessions_ended', account);
        return { result: undefined, change };
      }),

    recordSignIn: (account, origin) =>
      audited(database, { workspaceId: account.workspaceId, origin }, async (transaction) => {
        // Removed, or with another password since it was verified.
        const find = 'SELECT id FROM accounts WHERE id = $1 AND token_version = $2';
        const { length } = await transaction.query(find, account.id, account.tokenVersion);
        if (length === 0) return unchanged(false);
        return { result: true, change: accountEvent('account.signed_in', account) };
      }),
  };
}
