/**
 * A bounded pool of connections. Every piece of work has one deadline, from waiting for a connection to the commit, so
 * nothing hangs when the database does. Statements given together are sent together and cost one round trip. Nothing
 * depends on a session, so a pooler may hand each transaction to another server connection.
 */

import { createHash } from 'node:crypto';
import pg from 'pg';
import { AppError, unavailable } from '../../domain/app-error.js';
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
  /** Within this time whoever waits for the database has an answer, be it that there is none. */
  readonly timeoutMs: number;
}

/** What the database gets of that time; the rest is for saying that it did not answer. */
const DATABASE_SHARE = 0.9;
const MAX_ATTEMPTS = 5;
/** Callers waiting for a connection; past that they are refused at once. */
const MAX_WAITING = 10_000;
/** With less time left than this nothing is begun. */
const MIN_WORK_MS = 20;
/** The server gives up this much earlier than we do: a slow statement is cancelled and its connection kept. */
const SERVER_TIMEOUT_MARGIN_MS = 100;
const IDLE_CONNECTION_MS = 30_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

export class PostgresDatabase {
  /** For people to read, without credentials. */
  readonly location: string;
  readonly #pool: pg.Pool;
  readonly #poolMax: number;
  readonly #timeoutMs: number;
  readonly #gate = new PostgresOutageGate();
  /** By text. The name says what the statement is, so behind a pooler it can never mean another one. */
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
    // A connection that breaks is discarded by the pool, and whoever was using it gets the error as its answer.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
    const { host, port, database } = new pg.Client({ connectionString });
    this.location = `postgres://${host}:${port}/${database ?? ''}`;
  }

  /**
   * One statement in a transaction of its own, in one round trip. The server has its timeout, too: it cancels what is no
   * longer waited for, and its connection can be used again.
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

  /** Everything in `work` or nothing. It is run again from its start when the server asks for that. */
  transaction<Result>(work: (transaction: PostgresTransaction) => Promise<Result>): Promise<Result> {
    return this.#within({ begin: BEGIN, timeoutMs: this.#timeoutMs }, work);
  }

  /** All reads of `work` see the same state. */
  snapshot<Result>(work: (transaction: PostgresTransaction) => Promise<Result>): Promise<Result> {
    return this.#within({ begin: BEGIN_SNAPSHOT, timeoutMs: this.#timeoutMs }, work);
  }

  /** For work that no request waits for and that may take long. */
  longTransaction<Result>(
    timeoutMs: number,
    work: (transaction: PostgresTransaction) => Promise<Result>,
  ): Promise<Result> {
    return this.#within({ begin: BEGIN, timeoutMs }, work);
  }

  longSnapshot<Result>(
    timeoutMs: number,
    work: (transaction: PostgresTransaction) => Promise<Result>,
  ): Promise<Result> {
    return this.#within({ begin: BEGIN_SNAPSHOT, timeoutMs }, work);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  #within<Result>(
    { begin, timeoutMs }: { begin: string; timeoutMs: number },
    work: (transaction: PostgresTransaction) => Promise<Result>,
  ): Promise<Result> {
    return this.#work(timeoutMs, async (connection) => {
      const transaction = new PostgresTransaction(connection, begin);
      const result = await work(transaction);
      if (!transaction.isFinished) await transaction.finish();
      return result;
    });
  }

  async #work<Result>(timeoutMs: number, work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + timeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(deadline, work);
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !this.#mayRetry(error)) throw error;
      }
    }
  }

  /** Only what the server itself undid is done again: after a lost connection nobody knows whether it was committed. */
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
    if (this.#pool.waitingCount >= MAX_WAITING) throw unavailable('The service is overloaded, try again');
    const hasRoom = this.#pool.idleCount > 0 || this.#pool.totalCount < this.#poolMax;
    const client = await this.#pool.connect().catch((error: unknown) => {
      // Neither waiting in vain for a connection that others use nor a server that has no more of them means an outage.
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

/** Whatever the server's default is: what is read after a lock must be current (docs/adr/0003). */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** A transaction whose first statements travel with its BEGIN, and whose last ones may travel with its COMMIT. */
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

/** The driver has a timeout per query; its types do not know yet. */
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

  /** It did not even cancel what had taken too long. */
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
    // Answers come in order: when the last one is not late, none is. A late one ends the connection and so fails all.
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
   * What was sent after a statement that failed is refused, also the preparing of new statements. A pooler may then take them
   * for prepared, and end the connection when they are prepared again.
   */
  async #query(query: TimedQuery): Promise<pg.QueryResult<Row>> {
    try {
      return await this.#client.query<Row>(query);
    } catch (error) {
      if (isRefusedAfterFailure(error)) this.#hasRefusedStatement = true;
      throw error;
    }
  }

  /** Leaves no transaction behind; false when the connection must not be used again. */
  async recover(): Promise<boolean> {
    const status = this.#client.getTransactionStatus();
    if (this.#missedDeadline || status === null) return false;
    if (status === 'I') return true;
    const rollback: TimedQuery = { text: 'ROLLBACK', query_timeout: this.remainingMs };
    // The answers to everything that was sent come before this one's.
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

/** `?prepare=false` is ours: it keeps to unnamed statements, for poolers that cannot follow named ones. */
function parseDatabaseUrl(databaseUrl: string): { connectionString: string; prepare: boolean } {
  const url = new URL(databaseUrl);
  const prepare = url.searchParams.get('prepare') !== 'false';
  url.searchParams.delete('prepare');
  return { connectionString: url.href, prepare };
}
