import { emailKey } from '../../domain/account.js';
import { parseUuid } from '../../domain/uuid.js';
import { listOf } from '../columns.js';
import { firstOf } from '../row.js';
import { toAccount } from '../rows.js';
import type { AccountStore } from '../store.js';
import { ACCOUNT, ACCOUNTS, API_KEYS } from '../tables.js';
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

    async register(account, workspace, apiKey) {
      const key = emailKey(account.email);
      try {
        await database.transaction(async (transaction) => {
          await insertWorkspace(transaction, workspace);
          await insertInto(transaction, ACCOUNTS, { ...account, emailKey: key });
          await insertInto(transaction, API_KEYS, apiKey);
        });
        return true;
      } catch (error) {
        // Of two simultaneous registrations the constraint lets one through; any other violation is a bug.
        if (database.isUniqueViolation(error) && (await findBy('email_key', key)) !== null) return false;
        throw error;
      }
    },

    async changePassword({ accountId, passwordHash, expectedTokenVersion }) {
      const rows = await database.transaction((transaction) =>
        transaction.query(
          `UPDATE accounts SET password_hash = $1, token_version = token_version + 1
           WHERE id = $2 AND token_version = $3 RETURNING ${ACCOUNT_COLUMNS}`,
          passwordHash,
          accountId,
          expectedTokenVersion,
        ),
      );
      return firstOf(rows, toAccount);
    },

    async endSessions(accountId) {
      await database.transaction((transaction) =>
        transaction.query('UPDATE accounts SET token_version = token_version + 1 WHERE id = $1', accountId),
      );
    },
  };
}
