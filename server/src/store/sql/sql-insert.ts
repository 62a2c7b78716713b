import { type Columns, namesOf, type Owner, type RecordOf, type Table, writer } from '../columns.js';
import type { SqlTransaction } from './sql-database.js';

export async function insertInto<Of extends Columns>(
  transaction: SqlTransaction,
  { name, columns }: Table<Of>,
  record: RecordOf<Of>,
): Promise<void> {
  const names = namesOf(columns);
  const places = names.map((_, index) => `$${index + 1}`).join(', ');
  await transaction.query(
    `INSERT INTO ${name} (${names.join(', ')}) VALUES (${places})`,
    ...writer(columns)(record as unknown as Owner, record),
  );
}
