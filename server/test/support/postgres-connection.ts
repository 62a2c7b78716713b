/** A store on PostgreSQL, and one connection to its database as the service has it. */

import { PostgresDatabase } from '../../src/store/postgres/postgres-database.js';
import { openStoreFixture, type StoreFixture } from './store-fixture.js';

export interface PostgresConnection {
  readonly fixture: StoreFixture;
  readonly database: PostgresDatabase;
  close(): Promise<void>;
}

export async function openPostgresConnection(): Promise<PostgresConnection> {
  const fixture = await openStoreFixture('postgres');
  const database = new PostgresDatabase({ databaseUrl: fixture.url, poolMax: 1, timeoutMs: 10_000 });
  return {
    fixture,
    database,
    close: async () => {
      await database.close();
      await fixture.close();
    },
  };
}
