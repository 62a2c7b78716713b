import { OpenStoreError } from '../open-store-error.js';
import { readNumber } from '../row.js';
import type { Store } from '../store.js';
import { PostgresAccounts } from './postgres-accounts.js';
import { PostgresApiKeys } from './postgres-api-keys.js';
import { PostgresBatches } from './postgres-batches.js';
import { PostgresClock } from './postgres-clock.js';
import { PostgresCopy } from './postgres-copy.js';
import { PostgresDatabase, type PostgresOptions } from './postgres-database.js';
import { sqlStateOf } from './postgres-errors.js';
import { PostgresLoginFailures } from './postgres-login-failures.js';
import { PostgresMaintenance } from './postgres-maintenance.js';
import { migratePostgres } from './postgres-migrate.js';
import { PostgresPrices } from './postgres-prices.js';
import { PostgresRuns } from './postgres-runs.js';
import { PostgresUsage } from './postgres-usage.js';
import { PostgresUsers } from './postgres-users.js';
import { PostgresWorkspaces } from './postgres-workspaces.js';

const MIN_SERVER_VERSION = 130_000;

/** Connects to the database and migrates it as needed. */
export async function openPostgresStore({
  clock: replacement,
  ...options
}: PostgresOptions & { clock: (() => number) | undefined }): Promise<Store> {
  const database = new PostgresDatabase(options);
  const clock = new PostgresClock(database, replacement);
  try {
    await requireServerVersion(database);
    await migratePostgres(database);
  } catch (error) {
    await database.close();
    throw toOpenStoreError(error, database.location);
  }
  return {
    location: database.location,
    batches: new PostgresBatches({ ...options, database, clock }),
    accounts: new PostgresAccounts(database),
    apiKeys: new PostgresApiKeys(database),
    workspaces: new PostgresWorkspaces(database),
    prices: new PostgresPrices(database),
    users: new PostgresUsers(database, clock),
    runs: new PostgresRuns(database),
    usage: new PostgresUsage(database),
    loginFailures: new PostgresLoginFailures(database),
    maintenance: new PostgresMaintenance(database),
    copy: new PostgresCopy(database),
    now: () => clock.now(),
    ping: async () => void (await database.query('SELECT 1 FROM secrets LIMIT 1')),
    close: () => database.close(),
  };
}

async function requireServerVersion(database: PostgresDatabase): Promise<void> {
  const row = await database.queryOne(`SELECT current_setting('server_version_num') AS version`);
  if (row !== undefined && readNumber(row, 'version') < MIN_SERVER_VERSION) {
    throw new OpenStoreError(`The database at ${database.location} must be PostgreSQL 13 or newer`);
  }
}

/** What the operator can mend, in one line. */
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
