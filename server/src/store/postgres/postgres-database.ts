/**
 * A bounded pool of connections. Every transaction has one deadline, from the wait for a connection to the commit, so that
 * nothing hangs when the database does. Statements passed together are pipelined in one round trip. No state is kept in a
 * session, so that a pooler may assign each transaction to another server connection.
 */

import { createHash } from 'node:crypto';
import pg from 'pg';
import { AppError, overloaded, unavailable } from '../../domain/app-error.js';
import type { Row, SqlValue } from '../row.js';
import type { Statement } from '../sql/sql-database.js';
import {
  isLostPreparedStatement,
  isRefusedAfterFailure,
  isServerAnswering,
  isWorthRetrying,
  sqlStateOf,
  toStoreError,
} from './postgres-errors.js';
import { PostgresOutageGate } from './postgres-outage-gate.js';

export interface PostgresOptions {
  readonly databaseUrl: string;
  readonly poolMax: number;
  /** Every call is answered within this time, if only with an error. */
  readonly timeoutMs: number;
}

/** The part of the timeout that is left to the database. */
const DATABASE_SHARE = 0.9;
const MAX_ATTEMPTS = 5;
/** Callers waiting for a connection; more are refused. */
const MAX_WAITING = 10_000;
/** No work is started with less time left. */
const MIN_WORK_MS = 20;
/** The server cancels a statement this much before the deadline, so that the connection can be kept. */
const SERVER_TIMEOUT_MARGIN_MS = 100;
const IDLE_CONNECTION_MS = 30_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

type Work<Result> = (transaction: PostgresTransaction) => Promise<Result>;

export class PostgresDatabase {
  /** The server and database, without credentials, for messages. */
  readonly location: string;
  readonly #pool: pg.Pool;
  readonly #poolMax: number;
  readonly #timeoutMs: number;
  readonly #gate = new PostgresOutageGate();
  /** By text. A name is a hash of the text, so that behind a pooler it never refers to another statement. */
  readonly #statementNames = new Map<string, string>();
  #usesPreparedStatements: boolean;

  constructor(options: PostgresOptions) {
    const { connectionString, prepare } = parseDatabaseUrl(options.databaseUrl);
    this.#poolMax = options.poolMax;
    this.#timeoutMs = Math.floor(options.timeoutMs * DATABASE_SHARE);
    this.#usesPreparedStatements = prepare;
    this.#pool = new pg.Pool({
      connectionString,
      max: options.poolMax,
      connectionTimeoutMillis: this.#timeoutMs,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      application_name: 'guarded-runs',
      pipeline: true,
    });
    // The pool discards a broken connection, and its current query is rejected.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
    const { host, port, database } = new pg.Client({ connectionString });
    this.location = `postgres://${host}:${port}/${database ?? ''}`;
  }

  /**
   * One statement in a transaction of its own, in one round trip. The timeout also applies on the server: it cancels the
   * statement, and the connection can be used again.
   */
  async query(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    return this.transaction(async (transaction) => {
      const [rows = []] = await transaction.finish({ sql, values });
      return rows;
    });
  }

  async queryOne(sql: string, ...values: SqlValue[]): Promise<Row | undefined> {
    return (await this.query(sql, ...values))[0];
  }

  /** Runs `work` in a transaction. It runs again from its start when the server demands a retry. */
  transaction<Result>(work: Work<Result>, options?: { timeoutMs?: number }): Promise<Result> {
    return this.#within(BEGIN, work, options);
  }

  /** As above, for statements that look rows up by their keys. */
  lookups<Result>(work: Work<Result>): Promise<Result> {
    return this.#within(BEGIN_LOOKUPS, work);
  }

  /** All reads of `work` see the same state. */
  snapshot<Result>(work: Work<Result>, options?: { timeoutMs?: number }): Promise<Result> {
    return this.#within(BEGIN_SNAPSHOT, work, options);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #within<Result>(
    begin: string,
    work: Work<Result>,
    { timeoutMs = this.#timeoutMs }: { timeoutMs?: number } = {},
  ): Promise<Result> {
    const deadline = performance.now() + timeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(deadline, async (connection) => {
          const transaction = new PostgresTransaction(connection, begin);
          const result = await work(transaction);
          if (!transaction.isFinished) await transaction.finish();
          return result;
        });
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !this.#mayRetry(error)) throw error;
      }
    }
  }

  /** Only what the server rolled back is retried: after a lost connection it is unknown whether the commit succeeded. */
  #mayRetry(error: unknown): boolean {
    const cause = error instanceof AppError ? error.cause : error;
    if (isLostPreparedStatement(cause)) {
      this.#usesPreparedStatements = false;
      return true;
    }
    return isWorthRetrying(cause);
  }

  async #attempt<Result>(
    deadline: number,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.#connect(deadline);
    const connection = new Connection({
      client,
      deadline,
      nameOf: (sql) => (this.#usesPreparedStatements ? this.#nameOf(sql) : undefined),
    });
    try {
      const result = await work(connection);
      client.release();
      this.#gate.answered();
      return result;
    } catch (error) {
      client.release(!(await connection.recover()));
      if (connection.serverIsSilent) this.#gate.failed();
      throw error;
    }
  }

  async #connect(deadline: number): Promise<pg.PoolClient> {
    this.#gate.enter();
    if (this.#pool.waitingCount >= MAX_WAITING) throw overloaded('The service is overloaded, try again');
    const hasRoom = this.#pool.idleCount > 0 || this.#pool.totalCount < this.#poolMax;
    const client = await this.#pool.connect().catch((error: unknown) => {
      // A timeout while all connections are in use, or a server at its connection limit, is not an outage.
      if (hasRoom && !isServerAnswering(error)) this.#gate.failed();
      throw unavailable('The store is not available right now', error);
    });
    if (deadline - performance.now() < MIN_WORK_MS) {
      client.release();
      throw unavailable('The store is too slow right now');
    }
    return client;
  }

  #nameOf(sql: string): string {
    let name = this.#statementNames.get(sql);
    if (name === undefined) {
      name = `guarded_runs_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`;
      this.#statementNames.set(sql, name);
    }
    return name;
  }
}

/** Explicit, whatever the server's default is: reads after a lock must be current (docs/adr/0003). */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';
/**
 * The plan of a prepared statement is kept. One that is made while a table is small would read all of it, and go on doing so
 * while it grows, until its statistics are made again: four times slower decisions for the first minutes of a new service.
 */
const BEGIN_LOOKUPS = `${BEGIN}; SET LOCAL enable_seqscan = off`;
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** The first statements are sent together with BEGIN, the last ones together with COMMIT. */
export class PostgresTransaction {
  readonly #connection: Connection;
  #begin: string | null;
  #finished = false;

  constructor(connection: Connection, begin: string) {
    this.#connection = connection;
    this.#begin = begin;
  }

  get isFinished(): boolean {
    return this.#finished;
  }

  /** One round trip; the rows of each statement. In an open transaction each sees what was committed before it began. */
  async send(...statements: Statement[]): Promise<Row[][]> {
    return this.#connection.send(statements, { before: this.#takeBegin() });
  }

  async query(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    const [rows = []] = await this.send({ sql, values });
    return rows;
  }

  /** The last statements and the commit in one round trip. */
  async finish(...statements: Statement[]): Promise<Row[][]> {
    this.#finished = true;
    return this.#connection.send(statements, { before: this.#takeBegin(), after: 'COMMIT' });
  }

  /** Runs a script of several statements. */
  async script(sql: string): Promise<void> {
    await this.#connection.send([], { before: this.#takeBegin(), after: sql });
  }

  #takeBegin(): string | undefined {
    if (this.#begin === null) return undefined;
    const timeoutMs = Math.max(1, this.#connection.remainingMs - SERVER_TIMEOUT_MARGIN_MS);
    const begin =
      `${this.#begin}; SET LOCAL statement_timeout = ${timeoutMs}; ` +
      `SET LOCAL idle_in_transaction_session_timeout = ${timeoutMs}`;
    this.#begin = null;
    return begin;
  }
}

/** The driver supports a timeout per query; its types do not have it yet. */
interface TimedQuery extends pg.QueryConfig {
  query_timeout?: number;
}

class Connection {
  readonly #client: pg.PoolClient;
  readonly #deadline: number;
  readonly #nameOf: (sql: string) => string | undefined;
  #hasServerTimeout = false;
  #missedDeadline = false;
  #hasRefusedStatement = false;

  constructor(given: {
    client: pg.PoolClient;
    deadline: number;
    nameOf: (sql: string) => string | undefined;
  }) {
    this.#client = given.client;
    this.#deadline = given.deadline;
    this.#nameOf = given.nameOf;
  }

  /** The server did not cancel the statement at its timeout. */
  get serverIsSilent(): boolean {
    return this.#missedDeadline && this.#hasServerTimeout;
  }

  get remainingMs(): number {
    return Math.max(1, Math.floor(this.#deadline - performance.now()));
  }

  /** Sends everything before waiting for anything, and throws the first error. */
  async send(
    statements: readonly Statement[],
    { before, after }: { before?: string | undefined; after?: string } = {},
  ): Promise<Row[][]> {
    const queries: TimedQuery[] = statements.map(({ sql, values }) => ({
      text: sql,
      values: [...values],
      name: this.#nameOf(sql),
    }));
    if (before !== undefined) {
      this.#hasServerTimeout = true;
      queries.unshift({ text: before });
    }
    if (after !== undefined) queries.push({ text: after });
    // Results arrive in order: a timeout for the last query covers all. It closes the connection, which rejects all.
    const last = queries.at(-1);
    if (last !== undefined) last.query_timeout = this.remainingMs;
    const outcomes = await Promise.allSettled(queries.map((query) => this.#query(query)));
    const rows: Row[][] = [];
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw this.#toError(outcome.reason);
      rows.push(outcome.value.rows);
    }
    return rows.slice(before === undefined ? 0 : 1, rows.length - (after === undefined ? 0 : 1));
  }

  /**
   * Statements sent after a failed one are refused, and so is their preparation. A pooler may then assume that they are
   * prepared, and close the connection when they are prepared again.
   */
  async #query(query: TimedQuery): Promise<pg.QueryResult<Row>> {
    try {
      return await this.#client.query<Row>(query);
    } catch (error) {
      if (isRefusedAfterFailure(error)) this.#hasRefusedStatement = true;
      throw error;
    }
  }

  /** Rolls back an open transaction; false when the connection must not be used again. */
  async recover(): Promise<boolean> {
    const status = this.#client.getTransactionStatus();
    if (this.#missedDeadline || status === null) return false;
    if (status === 'I') return true;
    const rollback: TimedQuery = { text: 'ROLLBACK', query_timeout: this.remainingMs };
    // Its result arrives after those of all statements sent before.
    return this.#client.query(rollback).then(
      () => !this.#hasRefusedStatement,
      () => false,
    );
  }

  #toError(reason: unknown): unknown {
    if (sqlStateOf(reason) === undefined && this.remainingMs <= 1) this.#missedDeadline = true;
    return toStoreError(reason);
  }
}

/** `?prepare=false` is our own parameter: no named statements, for poolers that do not support them. */
function parseDatabaseUrl(databaseUrl: string): { connectionString: string; prepare: boolean } {
  const url = new URL(databaseUrl);
  const prepare = url.searchParams.get('prepare') !== 'false';
  url.searchParams.delete('prepare');
  return { connectionString: url.href, prepare };
}
