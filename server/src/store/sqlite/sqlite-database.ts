/**
 * One synchronous connection to the embedded database. WAL with synchronous=FULL: a commit that returned is on disk. Reading
 * never waits for a writer.
 */

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { AppError, unavailable } from '../../domain/app-error.js';
import { makePrivate } from './private-files.js';

// Node 20 has no SQLite of its own; the package has the same API with its binaries inside.
const sqliteModule =
  Number.parseInt(process.versions.node, 10) >= 22 ? 'node:sqlite' : '@photostructure/sqlite';

export type SqliteValue = null | number | bigint | string | Uint8Array;
export type SqliteRow = Record<string, SqliteValue>;

const BUSY_TIMEOUT_MS = 5_000;
/**
 * A commit that finds so many pages of 4 kB in the log copies them into the database itself, which takes long. A checkpoint in
 * another thread has copied most of them before.
 */
const CHECKPOINT_PAGES = 8_000;
/** Of each connection. The pages that every batch touches stay in memory, however large the database is. */
const CACHE_KIBIBYTES = 8_192;
const READING_CACHE_KIBIBYTES = 2_048;

/** Primary result codes that say "not now" rather than "never": busy, locked, read-only, I/O error, full, cannot open. */
const UNAVAILABLE_CODES = new Set([5, 6, 8, 10, 13, 14]);

export class SqliteDatabase {
  readonly file: string;
  readonly #connection: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();

  private constructor(file: string, connection: DatabaseSyncInstance) {
    this.file = file;
    this.#connection = connection;
  }

  static async open(
    file: string,
    { cacheKibibytes = CACHE_KIBIBYTES }: { cacheKibibytes?: number } = {},
  ): Promise<SqliteDatabase> {
    const { DatabaseSync } = (await import(sqliteModule)) as typeof import('@photostructure/sqlite');
    makePrivate(file);
    const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA cache_size = -${cacheKibibytes};`);
    return new SqliteDatabase(file, connection);
  }

  /** For checkpoints only, which need no cache. */
  static openForCheckpoints(file: string): Promise<SqliteDatabase> {
    return SqliteDatabase.open(file, { cacheKibibytes: 0 });
  }

  /** For a file that exists. Nothing is ever written, and nothing is waited for. */
  static async openForReading(file: string): Promise<SqliteDatabase> {
    const { DatabaseSync } = (await import(sqliteModule)) as typeof import('@photostructure/sqlite');
    const connection = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    connection.exec(`PRAGMA cache_size = -${READING_CACHE_KIBIBYTES};`);
    return new SqliteDatabase(file, connection);
  }

  /** Copies what is in the log into the database, without waiting for anyone and without making anyone wait. */
  checkpoint(): void {
    this.script('PRAGMA wal_checkpoint(PASSIVE)');
  }

  get(sql: string, values: readonly SqliteValue[] = []): SqliteRow | undefined {
    return this.#translate(() => this.#prepare(sql).get(...values));
  }

  all(sql: string, values: readonly SqliteValue[] = []): SqliteRow[] {
    return this.#translate(() => this.#prepare(sql).all(...values));
  }

  /** One statement that returns no rows. The number of rows that it changes is not read, which takes a quarter less time. */
  write(sql: string, values: readonly SqliteValue[]): void {
    this.#translate(() => this.#prepare(sql).get(...values));
  }

  /** The number of rows changed. */
  run(sql: string, values: readonly SqliteValue[] = []): number {
    return this.#translate(() => Number(this.#prepare(sql).run(...values).changes));
  }

  /** Runs a script of several statements. */
  script(sql: string): void {
    this.#translate(() => this.#connection.exec(sql));
  }

  /** For statements of this connection, with the same result for the same text. */
  define(name: string, work: (text: string) => string): void {
    this.#connection.function(name, { deterministic: true }, work);
  }

  /** Everything in `work` or nothing; the write lock is taken first, so what it reads cannot change under it. */
  transaction<Result>(work: () => Result): Result {
    this.script('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.script('COMMIT');
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  /** Some errors have already ended the transaction; a second rollback would hide the first error. */
  rollback(): void {
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      // Nothing is open any more.
    }
  }

  #prepare(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      statement.setReadBigInts(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #translate<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw toStoreError(error);
    }
  }
}

/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const UNIQUE_VIOLATIONS = new Set([1_555, 2_067]);

export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_VIOLATIONS.has(Number((error as { errcode?: unknown }).errcode));
}

export function toStoreError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const { errcode: code, code: name } = error as { errcode?: unknown; code?: unknown };
  if (name === 'ERR_INVALID_STATE') return unavailable('The store is closed', error);
  const primaryCode = typeof code === 'number' ? code & 0xff : undefined;
  if (primaryCode !== undefined && UNAVAILABLE_CODES.has(primaryCode)) {
    return unavailable('The store is not available right now', error);
  }
  return error;
}
