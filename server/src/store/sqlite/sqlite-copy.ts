import { type CopyRow, type CopyTable, type CopyValue, writtenColumns } from '../copy-tables.js';
import { type Row, readNumber } from '../row.js';
import type { CopyStore } from '../store.js';
import type { SqliteDatabase, SqlValue } from './sqlite-database.js';
import { fromBoolean } from './sqlite-row.js';

export class SqliteCopy implements CopyStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async countRows({ name }: CopyTable): Promise<number> {
    const row = this.#database.get(`SELECT COUNT(*) AS total FROM ${name}`);
    return row === undefined ? 0 : readNumber(row, 'total');
  }

  async readRows(
    table: CopyTable,
    { after, limit }: { after: CopyRow | null; limit: number },
  ): Promise<CopyRow[]> {
    const { name, key, columns } = table;
    const keyColumns = key.join(', ');
    const isAfter = after === null ? '' : `WHERE (${keyColumns}) > (${key.map(() => '?').join(', ')})`;
    const values = after === null ? [] : key.map((column) => toSqlValue(after[column]));
    const sql = `SELECT ${Object.keys(columns).join(', ')} FROM ${name} ${isAfter} ORDER BY ${keyColumns} LIMIT ?`;
    return this.#database.all(sql, ...values, limit).map((row) => toCopyRow(table, row));
  }

  async writeRows(table: CopyTable, rows: readonly CopyRow[]): Promise<void> {
    const columns = writtenColumns(table);
    const sql = `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    this.#database.transaction(() => {
      for (const row of rows) this.#database.run(sql, ...columns.map((column) => toSqlValue(row[column])));
    });
  }
}

function toSqlValue(value: CopyValue | undefined): SqlValue {
  if (typeof value === 'boolean') return fromBoolean(value);
  return value ?? null;
}

function toCopyRow({ columns }: CopyTable, row: Row): CopyRow {
  return Object.fromEntries(
    Object.entries(columns).map(([column, kind]): [string, CopyValue] => {
      const value = row[column] as string | bigint | null;
      return [column, kind === 'boolean' ? value === 1n : value];
    }),
  );
}
