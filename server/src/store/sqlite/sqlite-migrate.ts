/** Applies the numbered migrations that are missing, each in a transaction of its own together with its record. */

import { readdirSync, readFileSync } from 'node:fs';
import { readNumber } from '../row.js';
import type { SqliteDatabase } from './sqlite-database.js';

const MIGRATIONS = new URL('../../../src/store/migrations/sqlite/', import.meta.url);

/** The names of the migrations that were applied. */
export function migrateSqlite(database: SqliteDatabase): string[] {
  const names = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.filter((name, index) => applyMigration(database, { name, version: index + 1 }));
}

/** `user_version` is read inside the transaction: of two processes that start at once, one migrates. */
function applyMigration(
  database: SqliteDatabase,
  { name, version }: { name: string; version: number },
): boolean {
  return database.transaction(() => {
    const current = database.get('PRAGMA user_version');
    if (current !== undefined && readNumber(current, 'user_version') >= version) return false;
    database.script(readFileSync(new URL(name, MIGRATIONS), 'utf8'));
    database.script(`PRAGMA user_version = ${version}`);
    return true;
  });
}
