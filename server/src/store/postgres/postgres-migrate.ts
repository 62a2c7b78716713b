/** Applies the numbered migrations that are missing, in one transaction under a lock: of many instances one migrates. */

import { readdirSync, readFileSync } from 'node:fs';
import { readBoolean, readNumber } from '../row.js';
import type { PostgresDatabase, PostgresTransaction } from './postgres-database.js';

const MIGRATIONS = new URL('../../../src/store/migrations/postgres/', import.meta.url);
/** Any number will do as long as no one else uses it for a lock in this database. */
const MIGRATION_LOCK = 7_310_271_105;
/** Others wait for the one that migrates. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;

const CREATE_SCHEMA_MIGRATIONS = `
  CREATE TABLE schema_migrations (
    version    bigint PRIMARY KEY,
    name       text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;

/** The names of the migrations that were applied. */
export async function migratePostgres(database: PostgresDatabase): Promise<string[]> {
  const names = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const migrate = async (transaction: PostgresTransaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock($1)', MIGRATION_LOCK);
    const current = await currentVersion(transaction);
    const missing = names.slice(current);
    for (const [index, name] of missing.entries()) {
      await transaction.script(readFileSync(new URL(name, MIGRATIONS), 'utf8'));
      const record = 'INSERT INTO schema_migrations (version, name) VALUES ($1, $2)';
      await transaction.query(record, current + index + 1, name);
    }
    return missing;
  };
  return database.transaction(migrate, { timeoutMs: MIGRATION_TIMEOUT_MS });
}

async function currentVersion(transaction: PostgresTransaction): Promise<number> {
  const [found] = await transaction.query(`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`);
  if (found === undefined || !readBoolean(found, 'exists'))
    await transaction.script(CREATE_SCHEMA_MIGRATIONS);
  const [row] = await transaction.query('SELECT COALESCE(MAX(version), 0) AS version FROM schema_migrations');
  return row === undefined ? 0 : readNumber(row, 'version');
}
