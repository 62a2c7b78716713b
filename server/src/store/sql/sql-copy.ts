import { type ColumnType, listOf, namesOf, omit, placesOf, type Table } from '../columns.js';
import { firstOf, type Row, readBigint, readBoolean, readNumber, readText } from '../row.js';
import type { CopyRow, CopyStore } from '../store.js';
import { TABLES } from '../tables.js';
import type { SqlDatabase } from './sql-database.js';

export function sqlCopy(database: SqlDatabase): CopyStore {
  return {
    async countRows(table) {
      const sql = `SELECT COUNT(*) AS total FROM ${tableNamed(table).name}`;
      const rows = await database.snapshot((reader) => reader.query(sql), { isLong: true });
      return firstOf(rows, (row) => readNumber(row, 'total')) ?? 0;
    },

    async readRows(table, { after, limit }) {
      const found = tableNamed(table);
      const { name, columns } = found;
      const keyColumns = database.keyOrder(found);
      const places = keyColumns.map((_, index) => `$${index + 2}`).join(', ');
      const isAfter = after === null ? '' : `WHERE (${keyColumns.join(', ')}) > (${places})`;
      const values = after === null ? [] : keyColumns.map((column) => after[column] ?? null);
      const sql = `SELECT ${listOf(columns)} FROM ${name} ${isAfter} ORDER BY ${keyColumns.join(', ')} LIMIT $1`;
      const rows = await database.snapshot((reader) => reader.query(sql, limit, ...values), { isLong: true });
      const types = Object.values(columns).map(({ type }) => type);
      return rows.map((row) =>
        Object.fromEntries(
          namesOf(columns).map((column, index) => [column, toCopyValue(row, column, types[index])]),
        ),
      );
    },

    async writeRows(table, rows) {
      const { name, columns, generated = '' } = tableNamed(table);
      const written = omit(columns, generated);
      const names = namesOf(written);
      const sql = `INSERT INTO ${name} (${listOf(written)}) VALUES (${placesOf(written)})`;
      await database.transaction(
        (transaction) =>
          Promise.all(
            rows.map((row) => transaction.query(sql, ...names.map((column) => row[column] ?? null))),
          ),
        { isLong: true },
      );
    },
  };
}

function tableNamed(name: string): Table {
  const table = TABLES.find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`There is no table ${name}`);
  return table;
}

function toCopyValue(row: Row, column: string, type: ColumnType | undefined): CopyRow[string] {
  if (row[column] === null) return null;
  if (type === 'bigint') return readBigint(row, column);
  return type === 'boolean' ? readBoolean(row, column) : readText(row, column);
}
