import { readNumber } from '../row.js';
import { type LoginFailureStore, MAX_FAILURES_FORGOTTEN } from '../store.js';
import type { SqlDatabase } from './sql-database.js';

export class SqlLoginFailures implements LoginFailureStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async listRecent(query: { subject: string; since: number; limit: number }): Promise<number[]> {
    const rows = await this.#database.query(
      'SELECT failed_at FROM login_failures WHERE subject = $1 AND failed_at > $2 ORDER BY failed_at DESC LIMIT $3',
      query.subject,
      query.since,
      query.limit,
    );
    return rows.map((row) => readNumber(row, 'failed_at'));
  }

  async record(failure: {
    subjects: readonly string[];
    failedAt: number;
    forgetBefore: number;
  }): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.query(
        `DELETE FROM login_failures WHERE id IN (
           SELECT id FROM login_failures WHERE failed_at < $1 ORDER BY failed_at LIMIT $2 ${this.#database.skipLocked}
         )`,
        failure.forgetBefore,
        MAX_FAILURES_FORGOTTEN,
      );
      for (const subject of failure.subjects) {
        await transaction.query(
          'INSERT INTO login_failures (subject, failed_at) VALUES ($1, $2)',
          subject,
          failure.failedAt,
        );
      }
    });
  }
}
