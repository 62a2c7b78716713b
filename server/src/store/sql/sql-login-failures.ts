import { readNumber } from '../row.js';
import { type LoginFailureStore, MAX_FAILURES_FORGOTTEN } from '../store.js';
import type { SqlDatabase } from './sql-database.js';

export function sqlLoginFailures(database: SqlDatabase): LoginFailureStore {
  return {
    async listRecent({ subject, since, limit }) {
      const rows = await database.query(
        'SELECT failed_at FROM login_failures WHERE subject = $1 AND failed_at > $2 ORDER BY failed_at DESC LIMIT $3',
        subject,
        since,
        limit,
      );
      return rows.map((row) => readNumber(row, 'failed_at'));
    },

    record: ({ subjects, failedAt, forgetBefore }) =>
      database.transaction(async (transaction) => {
        await transaction.query(
          `DELETE FROM login_failures WHERE id IN (
             ${database.oldRows('login_failures', { key: 'id', time: 'failed_at' })}
           )`,
          forgetBefore,
          MAX_FAILURES_FORGOTTEN,
        );
        const insert = 'INSERT INTO login_failures (subject, failed_at) VALUES ($1, $2)';
        for (const subject of subjects) await transaction.query(insert, subject, failedAt);
      }),
  };
}
