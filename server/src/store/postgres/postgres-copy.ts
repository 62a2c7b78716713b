import {
  type ColumnKind,
  type CopyRow,
  type CopyTable,
  type CopyValue,
  writtenColumns,
} from '../copy-tables.js';
import { type Row, readNumber } from '../row.js';
import type { CopyStore } from '../store.js';
import type { PostgresDatabase } from './postgres-database.js';

/** No request waits for a copy; counting a large table takes its time. */
const COPY_TIMEOUT_MS = 60 * 60_000;

const SQL_TYPES: Readonly<Record<ColumnKind, string>> = {
  uuid: 'uuid',
  text: 'text',
  integer: 'bigint',
  boolean: 'boolean',
};

export class PostgresCopy implements CopyStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async countRows({ name }: CopyTable): Promise<number> {
    return this.#database.longSnapshot(COPY_TIMEOUT_MS, async (transaction) => {
      const [row] = await transaction.query(`SELECT COUNT(*) AS total FROM ${name}`);
      return row === undefined ? 0 : readNumber(row, 'total');
    });
  }

  async readRows(
    table: CopyTable,
    { after, limit }: { after: CopyRow | null; limit: number },
  ): Promise<CopyRow[]> {
    const { name, key, columns } = table;
    const keyColumns = key.join(', ');
    const keyValues = key.map((column, index) => `$${index + 2}::${sqlType(table, column)}`);
    const isAfter = after === null ? '' : `WHERE (${keyColumns}) > (${keyValues.join(', ')})`;
    const values = after === null ? [] : key.map((column) => after[column] ?? null);
    return this.#database.longSnapshot(COPY_TIMEOUT_MS, async (transaction) => {
      const rows = await transaction.query(
        `SELECT ${Object.keys(columns).join(', ')} FROM ${name} ${isAfter} ORDER BY ${keyColumns} LIMIT $1`,
        limit,
        ...values,
      );
      return rows.map((row) => toCopyRow(table, row));
    });
  }

  async writeRows(table: CopyTable, rows: readonly CopyRow[]): Promise<void> {
    const columns = writtenColumns(table);
    const arrays = columns.map((column, index) => `$${index + 1}::${sqlType(table, column)}[]`);
    await this.#database.longTransaction(COPY_TIMEOUT_MS, (transaction) =>
      transaction.finish({
        sql: `INSERT INTO ${table.name} (${columns.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`,
        values: columns.map((column) => rows.map((row) => row[column] ?? null)),
      }),
    );
  }
}

function sqlType({ columns }: CopyTable, column: string): string {
  return SQL_TYPES[columns[column] ?? 'text'];
}

function toCopyRow({ columns }: CopyTable, row: Row): CopyRow {
  return Object.fromEntries(
    Object.entries(columns).map(([column, kind]): [string, CopyValue] => {
      const value = row[column] as string | boolean | null;
      return [column, kind === 'integer' && typeof value === 'string' ? BigInt(value) : value];
    }),
  );
}
