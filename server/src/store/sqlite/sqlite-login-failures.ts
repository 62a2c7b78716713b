import { readNumber } from '../row.js';
import type { LoginFailureStore } from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';

export class SqliteLoginFailures implements LoginFailureStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
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
    return this.#database
      .all(
        'SELECT failed_at FROM login_failures WHERE subject = ? AND failed_at > ? ORDER BY failed_at DESC LIMIT ?',
        subject,
        since,
        limit,
      )
      .map((row) => readNumber(row, 'failed_at'));
  }

  async record(failure: {
    subjects: readonly string[];
    failedAt: number;
    forgetBefore: number;
  }): Promise<void> {
    this.#database.transaction(() => {
      this.#database.run('DELETE FROM login_failures WHERE failed_at < ?', failure.forgetBefore);
      for (const subject of failure.subjects) {
        this.#database.run(
          'INSERT INTO login_failures (subject, failed_at) VALUES (?, ?)',
          subject,
          failure.failedAt,
        );
      }
    });
  }
}
