/**
 * What the SQL of the control plane and of the reports is written against, once for all stores. Parameters are `$1`, `$2`
 * and so on; booleans are booleans. Each store adapts them to its driver.
 */

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

export interface SqlDatabase extends SqlReader {
  /** Everything in `work` or nothing. It runs again from its start when the database asks for a retry. */
  transaction<Result>(work: (transaction: SqlTransaction) => Promise<Result>): Promise<Result>;
  /** All reads of `work` see the same state. */
  snapshot<Result>(work: (reader: SqlReader) => Promise<Result>): Promise<Result>;
  /** Work that no request waits for and that may take long. */
  longSnapshot<Result>(work: (reader: SqlReader) => Promise<Result>): Promise<Result>;
  longTransaction<Result>(work: (transaction: SqlTransaction) => Promise<Result>): Promise<Result>;
  /** The SQL expression for the UTC day of a column of milliseconds. */
  dayOf(column: string): string;
  /** The SQL expression that reads a text as bytes where that saves work; as text elsewhere. */
  payload(column: string): string;
  /** Ends a SELECT whose rows are about to be deleted: rows that another instance is deleting are left to it. */
  readonly skipLocked: string;
  isUniqueViolation(error: unknown): boolean;
}
