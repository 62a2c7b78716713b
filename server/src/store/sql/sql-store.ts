/** The part of a store that is the same SQL everywhere. */

import type { Store } from '../store.js';
import { SqlAccounts } from './sql-accounts.js';
import { SqlApiKeys } from './sql-api-keys.js';
import { SqlCopy } from './sql-copy.js';
import type { SqlDatabase } from './sql-database.js';
import { SqlLoginFailures } from './sql-login-failures.js';
import { SqlMaintenance } from './sql-maintenance.js';
import { SqlPrices } from './sql-prices.js';
import { SqlRuns } from './sql-runs.js';
import { SqlUsage } from './sql-usage.js';
import { SqlUsers } from './sql-users.js';
import { SqlWorkspaces } from './sql-workspaces.js';

export function sqlStore(
  database: SqlDatabase,
  { backup }: { backup: (file: string) => Promise<void> },
): Omit<Store, 'location' | 'batches' | 'close'> {
  return {
    accounts: new SqlAccounts(database),
    apiKeys: new SqlApiKeys(database),
    workspaces: new SqlWorkspaces(database),
    prices: new SqlPrices(database),
    users: new SqlUsers(database),
    runs: new SqlRuns(database),
    usage: new SqlUsage(database),
    loginFailures: new SqlLoginFailures(database),
    maintenance: Object.assign(new SqlMaintenance(database), { backup }),
    copy: new SqlCopy(database),
    now: () => database.now(),
    ping: async () => void (await database.query('SELECT 1 FROM secrets LIMIT 1')),
  };
}
