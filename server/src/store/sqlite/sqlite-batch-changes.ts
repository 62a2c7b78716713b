/** Writes what a batch changes, row by row with prepared statements. */

import { conflictClause, toTableWrites, type Write, type WrittenRow } from '../batch-writes.js';
import { namesOf, omit, pick, writer } from '../columns.js';
import type { SqlValue } from '../row.js';
import type { BatchChanges } from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { toSqliteValue } from './sqlite-sql.js';

export function writeChanges(database: SqliteDatabase, changes: readonly BatchChanges[]): void {
  for (const { write, rows } of toTableWrites(changes)) {
    const { sql, valuesOf } = statementOf(write);
    for (const row of rows) database.run(sql, ...valuesOf(row).map(toSqliteValue));
  }
}

interface RowStatement {
  readonly sql: string;
  readonly valuesOf: (row: WrittenRow) => SqlValue[];
}

const statements = new Map<Write, RowStatement>();

function statementOf(write: Write): RowStatement {
  let statement = statements.get(write);
  if (statement === undefined) {
    statement = write.kind === 'update' ? updateStatement(write) : insertStatement(write);
    statements.set(write, statement);
  }
  return statement;
}

function insertStatement(write: Write): RowStatement {
  const names = namesOf(write.columns);
  return {
    sql: `INSERT INTO ${write.table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})${conflictClause(write)}`,
    valuesOf: writer(write.columns),
  };
}

function updateStatement({ table, columns }: Write): RowStatement {
  const key = pick(columns, ...table.key);
  const changed = omit(columns, ...table.key);
  const equal = (names: readonly string[]) => names.map((name) => `${name} = ?`);
  return {
    sql: `UPDATE ${table.name} SET ${equal(namesOf(changed)).join(', ')} WHERE ${equal(namesOf(key)).join(' AND ')}`,
    valuesOf: writer({ ...changed, ...key }),
  };
}
