import { blockChange } from '../../domain/audit-changes.js';
import { dayOf, lastDays } from '../../domain/period.js';
import { RECENT_DAYS, type User, unknownUser } from '../../domain/user.js';
import { bigint, integer, listOf, named, pick, reader } from '../columns.js';
import { firstOf, type Row, readNumber, readText } from '../row.js';
import { MAX_USERS_EXAMINED, type Page, type UserQuery, type UserStore } from '../store.js';
import { USERS } from '../tables.js';
import { audited } from './sql-audit.js';
import type { SqlDatabase, SqlReader } from './sql-database.js';
import { LAST_CHARACTER } from './sql-search.js';
import { readSumText, sumTextOf } from './sql-sums.js';

const STORED = pick(
  USERS.columns,
  'userId',
  'blocked',
  'lastSeenAt',
  'heldPicoUsd',
  'blockNote',
  'blockedAt',
  'blockedBy',
);

const toStored = reader({
  ...STORED,
  runCount: integer,
  spendTodayPicoUsd: named('spend_today', bigint),
  unpricedTokensToday: named('unpriced_today', bigint),
});

const toUser = (row: Row): User => ({
  ...toStored(row),
  recentSpendPicoUsd: readSumText(row, 'recent_spend'),
});

const NEWEST_FIRST = 'u.last_seen_at DESC NULLS LAST, u.user_id';
const OLDEST_FIRST = 'u.last_seen_at ASC NULLS FIRST, u.user_id DESC';

export function sqlUsers(database: SqlDatabase): UserStore {
  /** Users of the workspace $1 with the usage of the day $2 and of the days $3; `users` is the table, or a part of it. */
  const selectUsers = (users: string) => `
    SELECT ${listOf(STORED, 'u')}, u.running_runs + u.completed_runs + u.failed_runs AS run_count,
      COALESCE(d.cost_pico_usd, 0) AS spend_today, COALESCE(d.unpriced_tokens, 0) AS unpriced_today,
      (
        SELECT ${sumTextOf('cost_pico_usd')} FROM ${database.rowsWith('user_days', {
          column: 'day',
          oneOf: '$3',
          where: 'workspace_id = $1 AND user_id = u.user_id',
        })} AS recent
      ) AS recent_spend
    FROM ${users} u LEFT JOIN user_days d ON d.workspace_id = u.workspace_id AND d.day = $2 AND d.user_id = u.user_id`;
  const valuesAt = (workspaceId: string, now: number) =>
    [workspaceId, dayOf(now), JSON.stringify(lastDays(RECENT_DAYS, now))] as const;
  const usersNamed = (oneOf: string) =>
    database.rowsWith('users', { column: 'user_id', oneOf, where: 'workspace_id = $1' });
  const selectOne = `${selectUsers('users')} WHERE u.workspace_id = $1 AND u.user_id = $4`;
  const findUser = async (sql: SqlReader, user: { workspaceId: string; userId: string }, now: number) =>
    firstOf(await sql.query(selectOne, ...valuesAt(user.workspaceId, now), user.userId), toUser);

  return {
    list: (query) =>
      database.snapshot(async (reader) => {
        const now = await reader.now();
        return query.prefix === undefined ? listRecent(reader, query, now) : search(reader, query, now);
      }),

    async listNamed({ workspaceId, userIds }) {
      const sql = selectUsers(usersNamed('$4'));
      const values = valuesAt(workspaceId, await database.now());
      return (await database.query(sql, ...values, JSON.stringify(userIds))).map(toUser);
    },

    async findBlocked({ workspaceId, userIds }) {
      const rows = await database.query(
        `SELECT user_id FROM ${usersNamed('$2')} AS named WHERE blocked`,
        workspaceId,
        JSON.stringify(userIds),
      );
      return rows.map((row) => readText(row, 'user_id'));
    },

    find: async (user) => findUser(database, user, await database.now()),

    setBlocked: ({ workspaceId, userId, blocked, note }, origin) =>
      audited(database, { workspaceId, origin }, async (transaction, now) => {
        const find = async () =>
          (await findUser(transaction, { workspaceId, userId }, now)) ?? unknownUser(userId);
        const before = await find();
        const newNote = note === undefined ? before.blockNote : note;
        const isSame = blocked === before.blocked && (!blocked || newNote === before.blockNote);
        if (isSame) return { result: before, change: null };
        if (blocked) {
          await transaction.query(
            `INSERT INTO users (workspace_id, user_id, blocked, block_note, blocked_at, blocked_by, last_seen_at,
               running_runs, completed_runs, failed_runs, blocked_runs) VALUES ($1, $2, true, $3, $4, $5, NULL, 0, 0, 0, 0)
             ON CONFLICT (workspace_id, user_id) DO UPDATE SET blocked = true, block_note = excluded.block_note,
               blocked_at = excluded.blocked_at, blocked_by = excluded.blocked_by`,
            workspaceId,
            userId,
            newNote,
            now,
            origin.actor.label,
          );
        } else {
          await transaction.query(
            `UPDATE users SET blocked = false, block_note = NULL, blocked_at = NULL, blocked_by = NULL
             WHERE workspace_id = $1 AND user_id = $2`,
            workspaceId,
            userId,
          );
        }
        const after = await find();
        return { result: after, change: blockChange(before, after) };
      }),
  };

  async function listRecent(
    reader: SqlReader,
    { workspaceId, blocked, offset, limit }: UserQuery,
    now: number,
  ): Promise<Page<User>> {
    const filter = filterOf(blocked);
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
         ORDER BY ${isNearEnd ? OLDEST_FIRST : NEWEST_FIRST} LIMIT $4 OFFSET $5
       )`)} ORDER BY ${NEWEST_FIRST}`,
      ...valuesAt(workspaceId, now),
      size,
      isNearEnd ? total - offset - size : offset,
    );
    return { items: rows.map(toUser), total };
  }

  async function search(
    reader: SqlReader,
    { workspaceId, blocked, prefix = '', offset, limit }: UserQuery,
    now: number,
  ): Promise<Page<User>> {
    const found = (from: number) => `(
      SELECT * FROM users u WHERE u.workspace_id = $1 AND u.user_id >= $${from} AND u.user_id < $${from + 1}
      ORDER BY u.user_id LIMIT ${MAX_USERS_EXAMINED}
    )`;
    const range = [prefix, prefix + LAST_CHARACTER];
    const count = `SELECT COUNT(*) AS total FROM ${found(2)} u WHERE true ${filterOf(blocked)}`;
    const counted = await reader.query(count, workspaceId, ...range);
    const total = firstOf(counted, (row) => readNumber(row, 'total')) ?? 0;
    if (offset >= total) return { items: [], total };
    const page = `(
      SELECT * FROM ${found(4)} u WHERE true ${filterOf(blocked)} ORDER BY u.user_id LIMIT $6 OFFSET $7
    )`;
    const values = [...valuesAt(workspaceId, now), ...range, limit, offset];
    const rows = await reader.query(`${selectUsers(page)} ORDER BY u.user_id`, ...values);
    return { items: rows.map(toUser), total };
  }
}

/** Constant conditions let the planner use the partial index of blocked users. */
function filterOf(blocked: boolean | null): string {
  if (blocked === null) return '';
  return blocked ? 'AND u.blocked' : 'AND NOT u.blocked';
}
