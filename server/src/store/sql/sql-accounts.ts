import { type Account, emailKey } from '../../domain/account.js';
import type { ApiKey } from '../../domain/api-key.js';
import { parseUuid } from '../../domain/uuid.js';
import type { Workspace } from '../../domain/workspace.js';
import { listOf } from '../columns.js';
import { toAccount } from '../rows.js';
import type { AccountStore } from '../store.js';
import { ACCOUNT, ACCOUNTS, API_KEYS } from '../tables.js';
import type { SqlDatabase } from './sql-database.js';
import { insertInto } from './sql-insert.js';
import { insertWorkspace } from './sql-workspaces.js';

const ACCOUNT_COLUMNS = listOf(ACCOUNT);

export class SqlAccounts implements AccountStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async register(account: Account, workspace: Workspace, apiKey: ApiKey): Promise<boolean> {
    try {
      await this.#database.transaction(async (transaction) => {
        await insertWorkspace(transaction, workspace);
        await insertInto(transaction, ACCOUNTS, { ...account, emailKey: emailKey(account.email) });
        await insertInto(transaction, API_KEYS, apiKey);
      });
      return true;
    } catch (error) {
      // Of two simultaneous registrations the constraint lets one through; anything else that collided is a bug.
      if (this.#database.isUniqueViolation(error) && (await this.findByEmail(account.email)) !== null)
        return false;
      throw error;
    }
  }

  async findByEmail(email: string): Promise<Account | null> {
    const [row] = await this.#database.query(
      `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE email_key = $1`,
      emailKey(email),
    );
    return row === undefined ? null : toAccount(row);
  }

  async find(accountId: string): Promise<Account | null> {
    // The id comes from a token; text that is not an id belongs to no account.
    if (parseUuid(accountId) === null) return null;
    const [row] = await this.#database.query(
      `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE id = $1`,
      accountId,
    );
    return row === undefined ? null : toAccount(row);
  }

  async changePassword(change: {
    accountId: string;
    passwordHash: string;
    expectedTokenVersion: number;
  }): Promise<Account | null> {
    const [row] = await this.#database.transaction((transaction) =>
      transaction.query(
        `UPDATE accounts SET password_hash = $1, token_version = token_version + 1
         WHERE id = $2 AND token_version = $3 RETURNING ${ACCOUNT_COLUMNS}`,
        change.passwordHash,
        change.accountId,
        change.expectedTokenVersion,
      ),
    );
    return row === undefined ? null : toAccount(row);
  }
}
