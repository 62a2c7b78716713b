/**
 * The port of store/sql over one SQLite connection. The connection is synchronous; work that arrives during a transaction
 * starts after it.
 */

import { keyNames, type Table } from '../columns.js';
import type { Row, SqlValue } from '../row.js';
import type { RowLookup, SqlDatabase, SqlReader, SqlTransaction } from '../sql/sql-database.js';
import { isUniqueViolation, type SqliteDatabase, type SqliteValue } from './sqlite-database.js';

/** Not by workspace, but by what is new: a batch of many workspaces changes few pages of the index (migration 13). */
const KEY_ORDERS: Readonly<Record<string, readonly string[]>> = {
  steps: ['run_id', 'workspace_id', 'id'],
  audit_log: ['position'],
};

export class SqliteSql implements SqlDatabase {
  readonly #database: SqliteDatabase;
  readonly #clock: () => number;
  readonly #texts = new Map<string, string>();
  readonly #transaction: SqlTransaction;
  /** Settles when all work so far is done. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: SqliteDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
    const query = async (sql: string, ...values: SqlValue[]) => this.#all(sql, values);
    const now = async () => this.#clock();
    // A write transaction has the lock of the whole database, and so of every workspace.
    this.#transaction = { query, now, lockWorkspace: now };
  }

  query(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    return this.exclusive(async () => this.#all(sql, values));
  }

  async now(): Promise<number> {
    return this.#clock();
  }

  transaction<Result>(work: (transaction: SqlTransaction) => Promise<Result>): Promise<Result> {
    return this.exclusive(() => this.#within('BEGIN IMMEDIATE', work));
  }

  snapshot<Result>(work: (reader: SqlReader) => Promise<Result>): Promise<Result> {
    return this.exclusive(() => this.#within('BEGIN DEFERRED', work));
  }

  keyOrder(table: Table): readonly string[] {
    return KEY_ORDERS[table.name] ?? keyNames(table);
  }

  dayOf(column: string): string {
    return `strftime('%Y-%m-%d', ${column} / 1000, 'unixepoch')`;
  }

  /** SQLite does not change the order of a CROSS JOIN. */
  rowsWith(table: string, { column, oneOf, where }: RowLookup): string {
    return `(
      SELECT ${table}.* FROM json_each(${oneOf}) AS listed CROSS JOIN ${table}
      WHERE ${table}.${column} = listed.value AND ${where}
    )`;
  }

  /** Bytes pass between threads and to the socket unchanged; text would be decoded and encoded again. */
  payload(column: string): string {
    return `CAST(${column} AS BLOB) AS ${column}`;
  }

  /** Rows are numbered as they are inserted, which needs no index by time: only the first ones are looked at. */
  oldRows(table: string, { key, time }: { key: string; time: string }): string {
    return `SELECT ${key} FROM (
      SELECT ${key}, ${time} FROM ${table} WHERE rowid > 0 ORDER BY rowid LIMIT $2
    ) WHERE ${time} < $1`;
  }

  lockMark(): null {
    return null;
  }

  isUniqueViolation(error: unknown): boolean {
    return isUniqueViolation(error);
  }

  /** Runs when nothing else uses the connection. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  async #within<Result>(
    begin: string,
    work: (transaction: SqlTransaction) => Promise<Result>,
  ): Promise<Result> {
    this.#database.script(begin);
    try {
      const result = await work(this.#transaction);
      this.#database.script('COMMIT');
      return result;
    } catch (error) {
      this.#database.rollback();
      throw error;
    }
  }

  #all(sql: string, values: readonly SqlValue[]): Row[] {
    let text = this.#texts.get(sql);
    if (text === undefined) {
      text = sql.replace(/\$(\d+)/g, '?$1');
      this.#texts.set(sql, text);
    }
    const bound = values.map(toSqliteValue);
    if (!WRITE.test(text)) return this.#database.all(text, bound);
    // The driver's `all` loses the error code of a failed write.
    const row = this.#database.get(text, bound);
    return row === undefined ? [] : [row];
  }
}

/** Such a statement returns one row at most. */
const WRITE = /^\s*(INSERT|UPDATE|DELETE)\b/;

/** SQLite stores booleans as 0 and 1. */
export function toSqliteValue(value: SqlValue): SqliteValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Array.isArray(value)) throw new Error('SQLite takes no arrays');
  return value as SqliteValue;
}
