import {
  type Columns,
  listOf,
  type Owner,
  once,
  placesOf,
  type RecordOf,
  type Table,
  writer,
} from '../columns.js';
import type { SqlTransaction } from './sql-database.js';

const insertOf = once(({ name, columns }: Table) => ({
  sql: `INSERT INTO ${name} (${listOf(columns)}) VALUES (${placesOf(columns)})`,
  valuesOf: writer(columns),
}));

export async function insertInto<Of extends Columns>(
  transaction: SqlTransaction,
  table: Table<Of>,
  record: RecordOf<Of>,
): Promise<void> {
  const { sql, valuesOf } = insertOf(table);
  await transaction.query(sql, ...valuesOf(record as unknown as Owner, record));
}
