/** The database's clock, so that instances cannot disagree about the day. */

import type { PostgresDatabase, Statement } from './postgres-database.js';
import { type Row, readNumber } from './postgres-row.js';

/** The time at which the statement runs, not at which its transaction began: the wait for a lock lies in between. */
export const READ_CLOCK: Statement = {
  sql: 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
  values: [],
};

export class PostgresClock {
  readonly #database: PostgresDatabase;
  readonly #replacement: (() => number) | undefined;

  constructor(database: PostgresDatabase, replacement: (() => number) | undefined) {
    this.#database = database;
    this.#replacement = replacement;
  }

  async now(): Promise<number> {
    return this.#replacement === undefined
      ? this.timeIn(await this.#database.query(READ_CLOCK.sql))
      : this.#replacement();
  }

  /** The time in the rows of READ_CLOCK. */
  timeIn(rows: readonly Row[] | undefined): number {
    if (this.#replacement !== undefined) return this.#replacement();
    const row = rows?.[0];
    if (row === undefined) throw new Error('The database did not tell the time');
    return readNumber(row, 'now');
  }
}
