/** The clock of the database, so that all instances agree on the day. */

import { type Row, readNumber } from '../row.js';
import type { PostgresDatabase } from './postgres-database.js';

/** The time of evaluation, not of the start of the transaction: a wait for a lock may lie in between. */
export const NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

export class PostgresClock {
  readonly #database: PostgresDatabase;
  readonly #replacement: (() => number) | undefined;
  /** Difference between the database's clock and this process's clock when it was last read. */
  #aheadMs = 0;

  constructor(database: PostgresDatabase, replacement: (() => number) | undefined) {
    this.#database = database;
    this.#replacement = replacement;
  }

  /** Whether a clock of this process is used instead. */
  get isReplaced(): boolean {
    return this.#replacement !== undefined;
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
    const now = readNumber(row, 'now');
    this.#aheadMs = now - Date.now();
    return now;
  }

  /** Needs no round trip; for reads that are checked when the exact time is known. */
  estimate(): number {
    return this.#replacement === undefined ? Date.now() + this.#aheadMs : this.#replacement();
  }
}
