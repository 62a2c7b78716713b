import { resolve } from 'node:path';
import type { Store } from '../store.js';
import { SqliteAccounts } from './sqlite-accounts.js';
import { SqliteApiKeys } from './sqlite-api-keys.js';
import { SqliteBatches } from './sqlite-batches.js';
import { SqliteCopy } from './sqlite-copy.js';
import { SqliteDatabase } from './sqlite-database.js';
import { SqliteLoginFailures } from './sqlite-login-failures.js';
import { SqliteMaintenance } from './sqlite-maintenance.js';
import { migrateSqlite } from './sqlite-migrate.js';
import { SqlitePrices } from './sqlite-prices.js';
import { SqliteRuns } from './sqlite-runs.js';
import { SqliteUsage } from './sqlite-usage.js';
import { SqliteUsers } from './sqlite-users.js';
import { SqliteWorkspaces } from './sqlite-workspaces.js';

/** Opens the file, creating and migrating it as needed. */
export async function openSqliteStore({
  file,
  clock,
}: {
  file: string;
  clock: () => number;
}): Promise<Store> {
  const database = await SqliteDatabase.open(file);
  migrateSqlite(database);
  return {
    location: resolve(file),
    batches: new SqliteBatches(database, clock),
    accounts: new SqliteAccounts(database),
    apiKeys: new SqliteApiKeys(database),
    workspaces: new SqliteWorkspaces(database),
    prices: new SqlitePrices(database),
    users: new SqliteUsers(database, clock),
    runs: new SqliteRuns(database),
    usage: new SqliteUsage(database),
    loginFailures: new SqliteLoginFailures(database),
    maintenance: new SqliteMaintenance(database),
    copy: new SqliteCopy(database),
    now: async () => clock(),
    ping: async () => void database.get('SELECT 1 FROM secrets LIMIT 1'),
    close: async () => database.close(),
  };
}
