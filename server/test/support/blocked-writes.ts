/** Another session that blocks writes of failed sign-ins and runs, while they can be read. */

import pg from 'pg';
import { sqliteFile } from '../../src/store/open-store.js';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.js';

export interface BlockedWrites {
  stop(): Promise<void>;
}

export async function blockWrites(databaseUrl: string): Promise<BlockedWrites> {
  const file = sqliteFile(databaseUrl);
  if (file !== null) {
    const database = await SqliteDatabase.open(file);
    database.script('BEGIN IMMEDIATE');
    return { stop: async () => database.close() };
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE login_failures, runs IN EXCLUSIVE MODE');
  return { stop: () => client.end() };
}
