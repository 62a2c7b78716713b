import { type Account, emailKey } from '../../domain/account.js';
import type { ApiKey } from '../../domain/api-key.js';
import type { Workspace } from '../../domain/workspace.js';
import { toAccount } from '../rows/account-row.js';
import type { AccountStore } from '../store.js';
import { insertApiKey } from './sqlite-api-keys.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { insertWorkspace } from './sqlite-workspaces.js';

export class SqliteAccounts implements AccountStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async register(account: Account, workspace: Workspace, apiKey: ApiKey): Promise<boolean> {
    return this.#database.transaction(() => {
      if (this.#findByEmail(account.email) !== null) return false;
      insertWorkspace(this.#database, workspace);
      insertAccount(this.#database, account);
      insertApiKey(this.#database, apiKey);
      return true;
    });
  }

  async findByEmail(email: string): Promise<Account | null> {
    return this.#findByEmail(email);
  }

  async find(accountId: string): Promise<Account | null> {
    const row = this.#database.get('SELECT * FROM accounts WHERE id = ?', accountId);
    return row === undefined ? null : toAccount(row);
  }

  async changePassword(change: {
    accountId: string;
    passwordHash: string;
    expectedTokenVersion: number;
  }): Promise<Account | null> {
    const row = this.#database.get(
      `UPDATE accounts SET password_hash = ?, token_version = token_version + 1
       WHERE id = ? AND token_version = ? RETURNING *`,
      change.passwordHash,
      change.accountId,
      change.expectedTokenVersion,
    );
    return row === undefined ? null : toAccount(row);
  }

  #findByEmail(email: string): Account | null {
    const row = this.#database.get('SELECT * FROM accounts WHERE email_key = ?', emailKey(email));
    return row === undefined ? null : toAccount(row);
  }
}

function insertAccount(database: SqliteDatabase, account: Account): void {
  database.run(
    `INSERT INTO accounts (id, workspace_id, email, email_key, name, password_hash, token_version, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    account.id,
    account.workspaceId,
    account.email,
    emailKey(account.email),
    account.name,
    account.passwordHash,
    account.tokenVersion,
    account.createdAt,
  );
}
