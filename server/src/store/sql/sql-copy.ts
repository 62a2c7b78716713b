import { type ColumnType, listOf, nameOf, namesOf, omit, placesOf, type Table } from '../columns.js';
import { type Row, readBigint, readBoolean, readNumber, readText } from '../row.js';
import type { CopyRow, CopyStore } from '../store.js';
import { TABLES } from '../tables.js';
import type { SqlDatabase } from './sql-database.js';

export class SqlCopy implements CopyStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async countRows(table: string): Promise<number> {
    const [row] = await this.#database.longSnapshot((reader) =>
      reader.query(`SELECT COUNT(*) AS total FROM ${tableNamed(table).name}`),
    );
    return row === undefined ? 0 : readNumber(row, 'total');
  }

  async readRows(
    table: string,
    { after, limit }: { after: CopyRow | null; limit: number },
  ): Promise<CopyRow[]> {
    const { name, key, columns } = tableNamed(table);
    const keyColumns = key.map((property) => nameOf(columns, property));
    const places = key.map((_, index) => `$${index + 2}`).join(', ');
    const isAfter = after === null ? '' : `WHERE (${keyColumns.join(', ')}) > (${places})`;
    const values = after === null ? [] : keyColumns.map((column) => after[column] ?? null);
    const rows = await this.#database.longSnapshot((reader) =>
      reader.query(
        `SELECT ${listOf(columns)} FROM ${name} ${isAfter} ORDER BY ${keyColumns.join(', ')} LIMIT $1`,
        limit,
        ...values,
      ),
    );
    const types = Object.values(columns).map(({ type }) => type);
    return rows.map((row) =>
      Object.fromEntries(
        namesOf(columns).map((column, index) => [column, toCopyValue(row, column, types[index])]),
      ),
    );
  }

  async writeRows(table: string, rows: readonly CopyRow[]): Promise<void> {
    const { name, columns, generated = '' } = tableNamed(table);
    const written = omit(columns, generated);
    const names = namesOf(written);
    const sql = `INSERT INTO ${name} (${listOf(written)}) VALUES (${placesOf(written)})`;
    await this.#database.longTransaction(async (transaction) => {
      await Promise.all(
        rows.map((row) => transaction.query(sql, ...names.map((column) => row[column] ?? null))),
      );
    });
  }
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
