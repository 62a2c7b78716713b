import { readNumber } from '../row.js';
import type { LoginFailureStore } from '../store.js';
import type { PostgresDatabase } from './postgres-database.js';

export class PostgresLoginFailures implements LoginFailureStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async listRecent({
    subject,
    since,
    limit,
  }: {
    subject: string;
    since: number;
    limit: number;
  }): Promise<number[]> {
    const rows = await this.#database.query(
      `SELECT failed_at FROM login_failures WHERE subject = $1 AND failed_at > $2
       ORDER BY failed_at DESC LIMIT $3`,
      subject,
      since,
      limit,
    );
    return rows.map((row) => readNumber(row, 'failed_at'));
  }

  async record(failure: {
    subjects: readonly string[];
    failedAt: number;
    forgetBefore: number;
  }): Promise<void> {
    await this.#database.transaction((transaction) =>
      transaction.finish(
        {
          // Two instances that forget at the same time must not wait for each other's rows.
          sql: `DELETE FROM login_failures WHERE id IN (
                  SELECT id FROM login_failures WHERE failed_at < $1 FOR UPDATE SKIP LOCKED)`,
          values: [failure.forgetBefore],
        },
        {
          sql: 'INSERT INTO login_failures (subject, failed_at) SELECT subject, $2 FROM unnest($1::text[]) AS subject',
          values: [failure.subjects, failure.failedAt],
        },
      ),
    );
  }
}
