/** The database's clock, so that instances cannot disagree about the day. */

import { type Row, readNumber } from '../row.js';
import type { PostgresDatabase } from './postgres-database.js';

/** The time at which it is evaluated, not at which its transaction began: the wait for a lock may lie in between. */
export const NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

export class PostgresClock {
  readonly #database: PostgresDatabase;
  readonly #replacement: (() => number) | undefined;

  constructor(database: PostgresDatabase, replacement: (() => number) | undefined) {
    this.#database = database;
    this.#replacement = replacement;
  }

  async now(): Promise<number> {
    return this.#replacement === undefined
      ? this.timeIn(await this.#database.queryOne(`SELECT ${NOW} AS now`))
      : this.#replacement();
  }

  /** The time in a row that has NOW as its `now`. */
  timeIn(row: Row | undefined): number {
    if (this.#replacement !== undefined) return this.#replacement();
    if (row === undefined) throw new Error('The database did not tell the time');
    return readNumber(row, 'now');
  }
}
