import { type CopyRow, type CopyTable, toCopyRow, writtenColumns } from '../copy-tables.js';
import { readNumber } from '../row.js';
import type { CopyStore } from '../store.js';
import type { SqlDatabase } from './sql-database.js';

export class SqlCopy implements CopyStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async countRows({ name }: CopyTable): Promise<number> {
    const [row] = await this.#database.longSnapshot((reader) =>
      reader.query(`SELECT COUNT(*) AS total FROM ${name}`),
    );
    return row === undefined ? 0 : readNumber(row, 'total');
  }

  async readRows(
    table: CopyTable,
    { after, limit }: { after: CopyRow | null; limit: number },
  ): Promise<CopyRow[]> {
    const { name, key, columns } = table;
    const keyColumns = key.join(', ');
    const keyValues = key.map((_, index) => `$${index + 2}`).join(', ');
    const isAfter = after === null ? '' : `WHERE (${keyColumns}) > (${keyValues})`;
    const values = after === null ? [] : key.map((column) => after[column] ?? null);
    const rows = await this.#database.longSnapshot((reader) =>
      reader.query(
        `SELECT ${Object.keys(columns).join(', ')} FROM ${name} ${isAfter} ORDER BY ${keyColumns} LIMIT $1`,
        limit,
        ...values,
      ),
    );
    return rows.map((row) => toCopyRow(table, row));
  }

  async writeRows(table: CopyTable, rows: readonly CopyRow[]): Promise<void> {
    const columns = writtenColumns(table);
    const places = columns.map((_, index) => `$${index + 1}`).join(', ');
    const sql = `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${places})`;
    await this.#database.longTransaction(async (transaction) => {
      await Promise.all(
        rows.map((row) => transaction.query(sql, ...columns.map((column) => row[column] ?? null))),
      );
    });
  }
}
