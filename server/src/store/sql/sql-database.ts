/**
 * The port for the SQL of the control plane and the reports, which is written once for all stores. Parameters are `$1`, `$2`,
 * …; booleans are booleans. Each store adapts them to its driver.
 */

import type { Table } from '../columns.js';
import type { Row, SqlValue } from '../row.js';

export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export interface SqlReader {
  /** The rows of a SELECT; of a statement that writes, the one row that it returns, if any. */
  query(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  /** The time by the store's clock. */
  now(): Promise<number>;
}

export interface SqlTransaction extends SqlReader {
  /**
   * The first statement of every transaction that changes what decisions depend on: one at a time per workspace, on all
   * instances together. Returns the time at which the lock was granted.
   */
  lockWorkspace(workspaceId: string): Promise<number>;
}

export interface RowLookup {
  readonly column: string;
  /** The parameter with the texts: a JSON array. */
  readonly oneOf: string;
  /** Further conditions of the rows. */
  readonly where: string;
}

export interface WorkOptions {
  /** No request waits for it, and it may take hours. */
  readonly isLong?: boolean;
}

export interface SqlDatabase extends SqlReader {
  /** Runs `work` in a transaction. It runs again from its start when the database demands a retry. */
  transaction<Result>(
    work: (transaction: SqlTransaction) => Promise<Result>,
    options?: WorkOptions,
  ): Promise<Result>;
  /** All reads of `work` see the same state. */
  snapshot<Result>(work: (reader: SqlReader) => Promise<Result>, options?: WorkOptions): Promise<Result>;
  /** The columns of a table's key in the order of its index, in which rows can be read page by page. */
  keyOrder(table: Table): readonly string[];
  /** The SQL expression for the UTC day of a column of milliseconds. */
  dayOf(column: string): string;
  /** The rows of a table, as a subquery, that have one of some texts in a column. Each text is looked up on its own, by an index. */
  rowsWith(table: string, lookup: RowLookup): string;
  /** The SQL expression that reads a text column, as bytes where that saves conversions. */
  payload(column: string): string;
  /** A SELECT of at most $2 rows to delete, whose `time` is before $1. Rows that another instance is deleting are left out. */
  oldRows(table: string, columns: { key: string; time: string }): string;
  /**
   * The SQL expression of a text that is another one after each transaction that locked the given row of workspace_counters; null:
   * all transactions on runs are of this process, and no text tells them apart.
   */
  lockMark(row: string): string | null;
  isUniqueViolation(error: unknown): boolean;
}
