/** Applies the numbered migrations that are missing, each in a transaction of its own together with its record. */

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { MigrationProgress } from '../migration-progress.js';
import { readNumber } from '../row.js';
import type { SqliteDatabase } from './sqlite-database.js';

const MIGRATIONS = new URL('../../../src/store/migrations/sqlite/', import.meta.url);

/** The names of the migrations that were applied. */
export function migrateSqlite(database: SqliteDatabase): string[] {
  // For 0008: SQLite has no function for hashes.
  database.define('short_hash', (text) => hash('sha256', text, 'base64url').slice(0, 22));
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
    runScript(database, readFileSync(new URL(name, MIGRATIONS), 'utf8'), new MigrationProgress(name));
    database.script(`PRAGMA user_version = ${version}`);
    return true;
  });
}

/** Marks a statement that copies a whole table, `INSERT … SELECT … FROM table ORDER BY rowid`: it is executed in parts. */
const COPY = /-- In parts: (\w+)\n([^;]+) ORDER BY rowid;/;
const ROWS_PER_PART = 20_000;

function runScript(database: SqliteDatabase, script: string, progress: MigrationProgress): void {
  const copy = COPY.exec(script);
  if (copy === null) {
    database.script(script);
    return;
  }
  const [marked, table = '', insert = ''] = copy;
  database.script(script.slice(0, copy.index));
  const found = database.get(`SELECT COALESCE(MAX(rowid), 0) AS total FROM ${table}`);
  const total = found === undefined ? 0 : readNumber(found, 'total');
  for (let last = 0; last < total; last += ROWS_PER_PART) {
    database.run(`${insert} WHERE rowid > ? AND rowid <= ? ORDER BY rowid`, [last, last + ROWS_PER_PART]);
    progress.copied(table, Math.min(last + ROWS_PER_PART, total), total);
  }
  runScript(database, script.slice(copy.index + marked.length), progress);
}
