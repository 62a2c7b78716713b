/** The part of a store that is the same SQL everywhere. */

import type { Store } from '../store.js';
import { sqlAccounts } from './sql-accounts.js';
import { sqlApiKeys } from './sql-api-keys.js';
import { sqlAudit } from './sql-audit.js';
import { sqlChanges } from './sql-changes.js';
import { sqlCopy } from './sql-copy.js';
import type { SqlDatabase } from './sql-database.js';
import { sqlLoginFailures } from './sql-login-failures.js';
import { sqlMaintenance } from './sql-maintenance.js';
import { sqlMembers } from './sql-members.js';
import { sqlPrices } from './sql-prices.js';
import { sqlRuns } from './sql-runs.js';
import { sqlSearch } from './sql-search.js';
import { sqlUsage } from './sql-usage.js';
import { sqlUsers } from './sql-users.js';
import { sqlWorkspaces } from './sql-workspaces.js';

export function sqlStore(
  database: SqlDatabase,
  { backup }: { backup: (file: string) => Promise<void> },
): Omit<Store, 'location' | 'batches' | 'close'> {
  const runs = sqlRuns(database);
  return {
    accounts: sqlAccounts(database),
    audit: sqlAudit(database),
    members: sqlMembers(database),
    apiKeys: sqlApiKeys(database),
    workspaces: sqlWorkspaces(database),
    prices: sqlPrices(database),
    users: sqlUsers(database),
    changes: sqlChanges(database),
    runs,
    search: sqlSearch(database, runs),
    usage: sqlUsage(database),
    loginFailures: sqlLoginFailures(database),
    maintenance: { ...sqlMaintenance(database), backup },
    copy: sqlCopy(database),
    now: () => database.now(),
    ping: async () => void (await database.query('SELECT 1 FROM secrets LIMIT 1')),
  };
}
