import { blockChange } from '../../domain/audit-changes.js';
import { dayOf } from '../../domain/period.js';
import { type User, unknownUser } from '../../domain/user.js';
import { bigint, integer, named, pick, reader } from '../columns.js';
import { firstOf, type Row, readNumber } from '../row.js';
import type { UserStore } from '../store.js';
import { USERS } from '../tables.js';
import { audited } from './sql-audit.js';
import type { SqlDatabase } from './sql-database.js';

/** A user with the usage of the day $2; `users` is the table, or a part of it. */
function selectUsers(users: string): string {
  return `
    SELECT u.user_id, u.blocked, u.last_seen_at, u.held_pico_usd, u.running_runs + u.completed_runs + u.failed_runs AS run_count,
      COALESCE(d.cost_pico_usd, 0) AS spend_today, COALESCE(d.unpriced_tokens, 0) AS unpriced_today
    FROM ${users} u LEFT JOIN user_days d ON d.workspace_id = u.workspace_id AND d.day = $2 AND d.user_id = u.user_id`;
}

const toUser: (row: Row) => User = reader({
  ...pick(USERS.columns, 'userId', 'blocked', 'lastSeenAt', 'heldPicoUsd'),
  runCount: integer,
  spendTodayPicoUsd: named('spend_today', bigint),
  unpricedTokensToday: named('unpriced_today', bigint),
});

const NEWEST_FIRST = 'u.last_seen_at DESC NULLS LAST, u.user_id';
const OLDEST_FIRST = 'u.last_seen_at ASC NULLS FIRST, u.user_id DESC';

export function sqlUsers(database: SqlDatabase): UserStore {
  return {
    list({ workspaceId, blocked, offset, limit }) {
      // Constant conditions let the planner use the partial index of blocked users.
      const filter = blocked === null ? '' : blocked ? 'AND u.blocked' : 'AND NOT u.blocked';
      return database.snapshot(async (reader) => {
        const now = await reader.now();
        const count = `SELECT COUNT(*) AS total FROM users u WHERE u.workspace_id = $1 ${filter}`;
        const total = firstOf(await reader.query(count, workspaceId), (row) => readNumber(row, 'total')) ?? 0;
        const size = Math.min(limit, total - offset);
        if (size <= 0) return { items: [], total };
        // Rows are skipped from the nearer end.
        const isNearEnd = offset > total / 2;
        const rows = await reader.query(
          // The page is selected before the join, so that the spend is not looked up for skipped users.
          `${selectUsers(`(
             SELECT * FROM users u WHERE u.workspace_id = $1 ${filter}
             ORDER BY ${isNearEnd ? OLDEST_FIRST : NEWEST_FIRST} LIMIT $3 OFFSET $4
           )`)} ORDER BY ${NEWEST_FIRST}`,
          workspaceId,
          dayOf(now),
          size,
          isNearEnd ? total - offset - size : offset,
        );
        return { items: rows.map(toUser), total };
      });
    },

    setBlocked: ({ workspaceId, userId, blocked }, origin) =>
      audited(database, { workspaceId, origin }, async (transaction, now) => {
        const select = `${selectUsers('users')} WHERE u.workspace_id = $1 AND u.user_id = $3`;
        const find = async () =>
          firstOf(await transaction.query(select, workspaceId, dayOf(now), userId), toUser) ??
          unknownUser(userId);
        const before = await find();
        // An unknown user is not blocked: there is nothing to write.
        await transaction.query(
          blocked
            ? `INSERT INTO users (workspace_id, user_id, blocked, last_seen_at,
                 running_runs, completed_runs, failed_runs, blocked_runs) VALUES ($1, $2, true, NULL, 0, 0, 0, 0)
               ON CONFLICT (workspace_id, user_id) DO UPDATE SET blocked = true`
            : 'UPDATE users SET blocked = false WHERE workspace_id = $1 AND user_id = $2',
          workspaceId,
          userId,
        );
        const after = await find();
        return { result: after, change: blockChange(before, after) };
      }),
  };
}
