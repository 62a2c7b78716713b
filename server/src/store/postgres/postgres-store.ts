import { badRequest } from '../../domain/app-error.js';
import { FairLimiter } from '../../runtime/fair-limiter.js';
import { pauseWhileBusy } from '../../runtime/load-share.js';
import { readNumber } from '../row.js';
import { sqlStore } from '../sql/sql-store.js';
import { OpenStoreError, type Store, type StoreGroups } from '../store.js';
import { callMethod, type MethodCall, routeMethods } from '../store-methods.js';
import { PostgresBatches } from './postgres-batches.js';
import { PostgresClock } from './postgres-clock.js';
import { PostgresDatabase, type PostgresOptions } from './postgres-database.js';
import { sqlStateOf } from './postgres-errors.js';
import { migratePostgres } from './postgres-migrate.js';
import { PostgresSql } from './postgres-sql.js';

const MIN_SERVER_VERSION = 130_000;
/** A run is read page by page: a page that waits longer would cut the response. */
const MAX_REPORT_WAIT_MS = 10_000;

export interface PostgresStoreOptions extends PostgresOptions {
  readonly clock: (() => number) | undefined;
  /** For the service: reports and writes of workspaces are limited. A command that runs alone has all connections. */
  readonly isServed: boolean;
}

/** Connects to the database and migrates it as needed. */
export async function openPostgresStore({
  clock: replacement,
  isServed,
  ...options
}: PostgresStoreOptions): Promise<Store> {
  const database = new PostgresDatabase(options);
  const clock = new PostgresClock(database, replacement);
  try {
    await requireServerVersion(database);
    await migratePostgres(database);
  } catch (error) {
    await database.close();
    throw toOpenStoreError(error, database.location);
  }
  const sql = new PostgresSql(database, clock);
  const direct = sqlStore(sql, { backup: refuseBackup });
  return {
    ...direct,
    ...(isServed ? limitMethods(direct, options) : {}),
    location: database.location,
    batches: new PostgresBatches({ ...options, database, clock }),
    close: () => database.close(),
  };
}

function limitMethods(direct: StoreGroups, options: PostgresOptions): StoreGroups {
  const reports = new FairLimiter({ ...limitsOf(options, 0.4), maxWaitMs: MAX_REPORT_WAIT_MS });
  const writes = new FairLimiter(limitsOf(options, 0.2));
  return routeMethods(direct, {
    report: (call: MethodCall, owner) => reports.run(owner, () => callMethod(direct, call)),
    write: (call: MethodCall, owner) => writes.run(owner, () => callMethod(direct, call)),
  });
}

/** A share of the connections: the others are left to the data plane. One workspace has one at a time. */
function limitsOf({ poolMax, timeoutMs }: PostgresOptions, share: number) {
  const maxRunning = Math.max(1, Math.floor(poolMax * share));
  return {
    maxRunning,
    maxRunningPerOwner: 1,
    maxWaiting: 2_000,
    maxWaitingPerOwner: 200,
    maxWaitMs: timeoutMs,
    pauseMs: pauseWhileBusy(),
  };
}

async function refuseBackup(): Promise<void> {
  throw badRequest('Back up PostgreSQL with its own tools, for example pg_dump --format=custom');
}

async function requireServerVersion(database: PostgresDatabase): Promise<void> {
  const row = await database.queryOne(`SELECT current_setting('server_version_num') AS version`);
  if (row !== undefined && readNumber(row, 'version') < MIN_SERVER_VERSION) {
    throw new OpenStoreError(`The database at ${database.location} must be PostgreSQL 13 or newer`);
  }
}

/** What the operator can fix, in one line. */
function toOpenStoreError(error: unknown, location: string): unknown {
  if (error instanceof OpenStoreError) return error;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const state = sqlStateOf(cause);
  const { code, message } = cause as NodeJS.ErrnoException;
  if (state === '3D000')
    return new OpenStoreError(`There is no database at ${location}. Create it first.`, error);
  if (state?.startsWith('28') === true) {
    return new OpenStoreError(`${location} refused the user name or password in DATABASE_URL`, error);
  }
  if (state === '42501') {
    return new OpenStoreError(`The user in DATABASE_URL may not create tables at ${location}`, error);
  }
  if (state === undefined) {
    return new OpenStoreError(`Cannot reach the database at ${location}: ${code ?? message}`, error);
  }
  return error;
}
