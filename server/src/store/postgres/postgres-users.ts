import { dayOf } from '../../domain/period.js';
import type { User } from '../../domain/user.js';
import { readNumber } from '../row.js';
import { toUser } from '../rows/user-row.js';
import type { Page, UserQuery, UserStore } from '../store.js';
import { NOW, type PostgresClock } from './postgres-clock.js';
import type { PostgresDatabase } from './postgres-database.js';
import { lockWorkspace } from './postgres-workspaces.js';

/** A user with today's spend; `users` is the table, or a part of it. */
function selectUsers(users: string): string {
  return `
    SELECT u.user_id, u.blocked, u.last_seen_at, u.running_runs + u.completed_runs + u.failed_runs AS run_count,
      COALESCE(d.cost_pico_usd, 0) AS spend_today
    FROM ${users} u LEFT JOIN user_days d ON d.workspace_id = u.workspace_id AND d.day = $2 AND d.user_id = u.user_id`;
}

const NEWEST_FIRST = 'ORDER BY u.last_seen_at DESC NULLS LAST, u.user_id';

export class PostgresUsers implements UserStore {
  readonly #database: PostgresDatabase;
  readonly #clock: PostgresClock;

  constructor(database: PostgresDatabase, clock: PostgresClock) {
    this.#database = database;
    this.#clock = clock;
  }

  async list({ workspaceId, blocked, offset, limit }: UserQuery): Promise<Page<User>> {
    // The constant conditions let PostgreSQL use the partial index of blocked users.
    const filter = blocked === null ? '' : blocked ? 'AND u.blocked' : 'AND NOT u.blocked';
    return this.#database.snapshot(async (transaction) => {
      const [count] = await transaction.query(
        `SELECT COUNT(*) AS total, ${NOW} AS now FROM users u WHERE u.workspace_id = $1 ${filter}`,
        workspaceId,
      );
      const rows = await transaction.query(
        // The page first and then the spend, so that it is looked up for nobody on the pages before.
        `${selectUsers(`(
           SELECT * FROM users u WHERE u.workspace_id = $1 ${filter} ${NEWEST_FIRST} LIMIT $3 OFFSET $4
         )`)} ${NEWEST_FIRST}`,
        workspaceId,
        dayOf(this.#clock.timeIn(count)),
        limit,
        offset,
      );
      return { items: rows.map(toUser), total: count === undefined ? 0 : readNumber(count, 'total') };
    });
  }

  async setBlocked(user: { workspaceId: string; userId: string; blocked: boolean }): Promise<User> {
    return this.#database.transaction(async (transaction) => {
      const [[locked] = []] = await transaction.send(lockWorkspace(user.workspaceId), {
        sql: `INSERT INTO users (workspace_id, user_id, blocked, last_seen_at,
                running_runs, completed_runs, failed_runs, blocked_runs) VALUES ($1, $2, $3, NULL, 0, 0, 0, 0)
              ON CONFLICT (workspace_id, user_id) DO UPDATE SET blocked = excluded.blocked`,
        values: [user.workspaceId, user.userId, user.blocked],
      });
      const [[row] = []] = await transaction.finish({
        sql: `${selectUsers('users')} WHERE u.workspace_id = $1 AND u.user_id = $3`,
        values: [user.workspaceId, dayOf(this.#clock.timeIn(locked)), user.userId],
      });
      if (row === undefined) throw new Error('The user was not written');
      return toUser(row);
    });
  }
}
