/** The database's clock, so that instances cannot disagree about the day. */

import { type Row, readNumber } from '../row.js';
import type { PostgresDatabase } from './postgres-database.js';

/** The time at which it is evaluated, not at which its transaction began: the wait for a lock may lie in between. */
export const NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

export class PostgresClock {
  readonly #database: PostgresDatabase;
  readonly #replacement: (() => number) | undefined;
  /** What the database's clock was ahead of this process's when it was last read. */
  #aheadMs = 0;

  constructor(database: PostgresDatabase, replacement: (() => number) | undefined) {
    this.#database = database;
    this.#replacement = replacement;
  }

  /** By a clock of this process, which needs no round trip. */
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

  /** Good enough to ask for something that is looked at again when the time is known. */
  estimate(): number {
    return this.#replacement === undefined ? Date.now() + this.#aheadMs : this.#replacement();
  }
}
