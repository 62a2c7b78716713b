import { dayOf } from '../../domain/period.js';
import type { User } from '../../domain/user.js';
import { readNumber } from '../row.js';
import { toUser } from '../rows/user-row.js';
import type { Page, UserQuery, UserStore } from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { fromBoolean } from './sqlite-row.js';

const SELECT_USER = `
  SELECT u.user_id, u.blocked, u.last_seen_at, u.running_runs + u.completed_runs + u.failed_runs AS run_count,
    COALESCE(d.cost_pico_usd, 0) AS spend_today
  FROM users u LEFT JOIN user_days d ON d.workspace_id = u.workspace_id AND d.day = ? AND d.user_id = u.user_id`;

export class SqliteUsers implements UserStore {
  readonly #database: SqliteDatabase;
  readonly #clock: () => number;

  constructor(database: SqliteDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  async list({ workspaceId, blocked, offset, limit }: UserQuery): Promise<Page<User>> {
    // The constant conditions let SQLite use the partial index of blocked users.
    const filter = blocked === null ? '' : blocked ? 'AND u.blocked = 1' : 'AND u.blocked = 0';
    return this.#database.snapshot(() => {
      const count = this.#database.get(
        `SELECT COUNT(*) AS total FROM users u WHERE u.workspace_id = ? ${filter}`,
        workspaceId,
      );
      const rows = this.#database.all(
        `${SELECT_USER} WHERE u.workspace_id = ? ${filter}
         ORDER BY u.last_seen_at DESC, u.user_id LIMIT ? OFFSET ?`,
        dayOf(this.#clock()),
        workspaceId,
        limit,
        offset,
      );
      return { items: rows.map(toUser), total: count === undefined ? 0 : readNumber(count, 'total') };
    });
  }

  async setBlocked(user: { workspaceId: string; userId: string; blocked: boolean }): Promise<User> {
    return this.#database.transaction(() => {
      this.#database.run(
        `INSERT INTO users (workspace_id, user_id, blocked, last_seen_at,
           running_runs, completed_runs, failed_runs, blocked_runs) VALUES (?, ?, ?, NULL, 0, 0, 0, 0)
         ON CONFLICT (workspace_id, user_id) DO UPDATE SET blocked = excluded.blocked`,
        user.workspaceId,
        user.userId,
        fromBoolean(user.blocked),
      );
      const row = this.#database.get(
        `${SELECT_USER} WHERE u.workspace_id = ? AND u.user_id = ?`,
        dayOf(this.#clock()),
        user.workspaceId,
        user.userId,
      );
      if (row === undefined) throw new Error('The user was not written');
      return toUser(row);
    });
  }
}
