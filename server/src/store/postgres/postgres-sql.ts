/** The port of store/sql over the pool of connections to PostgreSQL. */

import { keyNames, type Table } from '../columns.js';
import type { Row, SqlValue } from '../row.js';
import type { RowLookup, SqlDatabase, SqlReader, SqlTransaction, WorkOptions } from '../sql/sql-database.js';
import { NOW, type PostgresClock } from './postgres-clock.js';
import type { PostgresDatabase, PostgresTransaction } from './postgres-database.js';
import { isUniqueViolation } from './postgres-errors.js';
import { lockMark, lockWorkspace } from './postgres-locks.js';

/** Of work that no request waits for: recomputing everything from a large ledger takes its time. */
const LONG_TIMEOUT_MS = 6 * 60 * 60_000;

export class PostgresSql implements SqlDatabase {
  readonly #database: PostgresDatabase;
  readonly #clock: PostgresClock;

  constructor(database: PostgresDatabase, clock: PostgresClock) {
    this.#database = database;
    this.#clock = clock;
  }

  query(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    return this.#database.query(sql, ...values);
  }

  now(): Promise<number> {
    return this.#clock.now();
  }

  transaction<Result>(
    work: (transaction: SqlTransaction) => Promise<Result>,
    options?: WorkOptions,
  ): Promise<Result> {
    return this.#database.transaction((transaction) => work(this.#adapt(transaction)), toTimed(options));
  }

  snapshot<Result>(work: (reader: SqlReader) => Promise<Result>, options?: WorkOptions): Promise<Result> {
    return this.#database.snapshot((transaction) => work(this.#adapt(transaction)), toTimed(options));
  }

  keyOrder(table: Table): readonly string[] {
    return keyNames(table);
  }

  dayOf(column: string): string {
    return `to_char(to_timestamp(${column} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') COLLATE "C"`;
  }

  /** Because of OFFSET, PostgreSQL cannot join in another way, such as reading all rows once and filtering them. */
  rowsWith(table: string, { column, oneOf, where }: RowLookup): string {
    return `(
      SELECT found.* FROM (SELECT json_array_elements_text(${oneOf}::json) AS value) AS listed
      CROSS JOIN LATERAL (
        SELECT * FROM ${table} WHERE ${table}.${column} = listed.value AND ${where} OFFSET 0
      ) AS found
    )`;
  }

  payload(column: string): string {
    return column;
  }

  oldRows(table: string, { key, time }: { key: string; time: string }): string {
    return `SELECT ${key} FROM ${table} WHERE ${time} < $1 ORDER BY ${time} LIMIT $2 FOR UPDATE SKIP LOCKED`;
  }

  lockMark(row: string): string {
    return lockMark(row);
  }

  isUniqueViolation(error: unknown): boolean {
    return isUniqueViolation(error);
  }

  #adapt(transaction: PostgresTransaction): SqlTransaction {
    return {
      query: (sql, ...values) => transaction.query(sql, ...values),
      now: async () =>
        this.#clock.isReplaced
          ? this.#clock.now()
          : this.#clock.timeIn((await transaction.query(`SELECT ${NOW} AS now`))[0]),
      lockWorkspace: async (workspaceId) => {
        const [[row] = []] = await transaction.send(lockWorkspace(workspaceId));
        return this.#clock.timeIn(row);
      },
    };
  }
}

function toTimed({ isLong = false }: WorkOptions = {}): { timeoutMs?: number } {
  return isLong ? { timeoutMs: LONG_TIMEOUT_MS } : {};
}
