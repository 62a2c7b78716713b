/** Writes what a batch changes, row by row with prepared statements. */

import { conflictClause, narrowed, toTableWrites, type Write } from '../batch-writes.js';
import { type Columns, namesOf, omit, once, pick, writer } from '../columns.js';
import type { BatchChanges } from '../store.js';
import type { SqliteDatabase, SqliteValue } from './sqlite-database.js';

export function writeChanges(database: SqliteDatabase, changes: readonly BatchChanges[]): void {
  for (const { write, groups } of toTableWrites(changes)) {
    for (const { owner, rows } of groups) {
      for (const row of rows) {
        const { sql, valuesOf } = statementOf(withoutKept(write, row));
        database.write(sql, valuesOf(owner, row) as SqliteValue[]);
      }
    }
  }
}

function withoutKept(write: Write, row: object): Write {
  return write.kept?.isKept(row) === true ? narrowed(write) : write;
}

interface RowStatement {
  readonly sql: string;
  readonly valuesOf: ReturnType<typeof writer>;
}

const statementOf = once(
  (write: Write): RowStatement => (write.kind === 'update' ? updateStatement(write) : insertStatement(write)),
);

function insertStatement(write: Write): RowStatement {
  const names = namesOf(write.columns);
  const isReplacing = write.kind === 'replace';
  // A row that replaces another is inserted as the newest: old rows are deleted in the order of their insertion.
  const insert = isReplacing ? 'INSERT OR REPLACE' : 'INSERT';
  const conflict = isReplacing ? '' : conflictClause(write);
  return {
    sql: `${insert} INTO ${write.table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})${conflict}`,
    valuesOf: writer(withoutBooleans(write.columns)),
  };
}

function updateStatement({ table, columns }: Write): RowStatement {
  const key = pick(columns, ...table.key);
  const changed = omit(columns, ...table.key);
  const equal = (names: readonly string[]) => names.map((name) => `${name} = ?`);
  return {
    sql: `UPDATE ${table.name} SET ${equal(namesOf(changed)).join(', ')} WHERE ${equal(namesOf(key)).join(' AND ')}`,
    valuesOf: writer(withoutBooleans({ ...changed, ...key })),
  };
}

/** SQLite has 0 and 1 for them. */
function withoutBooleans(columns: Columns): Columns {
  return Object.fromEntries(
    Object.entries(columns).map(([property, column]) => [
      property,
      column.type === 'boolean' ? { ...column, write: Number } : column,
    ]),
  );
}
