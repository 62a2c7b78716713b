/** Statements that write any number of rows: one array per column, so that their text never changes. */

import type { SqlValue, Statement } from '../sql/sql-database.js';

export interface BulkColumn<Item> {
  readonly name: string;
  readonly type: 'uuid' | 'text' | 'bigint' | 'boolean';
  readonly read: (item: Item) => SqlValue;
}

export function uuid<Item>(name: string, read: (item: Item) => string): BulkColumn<Item> {
  return { name, type: 'uuid', read };
}

export function text<Item>(name: string, read: (item: Item) => string | null): BulkColumn<Item> {
  return { name, type: 'text', read };
}

export function bigint<Item>(name: string, read: (item: Item) => bigint | number | null): BulkColumn<Item> {
  return { name, type: 'bigint', read };
}

export function boolean<Item>(name: string, read: (item: Item) => boolean): BulkColumn<Item> {
  return { name, type: 'boolean', read };
}

export type BulkStatement<Item> = (items: readonly Item[]) => Statement;

interface BulkTable<Item> {
  readonly table: string;
  readonly key: readonly BulkColumn<Item>[];
}

export function bulkInsert<Item>(given: {
  table: string;
  columns: readonly BulkColumn<Item>[];
  /** What to do with rows that are there already. */
  onConflict?: string;
}): BulkStatement<Item> {
  const { table, columns, onConflict = '' } = given;
  const names = columns.map(({ name }) => name).join(', ');
  return bulk(columns, (rows) => `INSERT INTO ${table} (${names}) SELECT * FROM ${rows} ${onConflict}`);
}

/** One row with plain parameters: a large text in an array would be escaped character by character. */
export function insertOne<Item>(given: {
  table: string;
  columns: readonly BulkColumn<Item>[];
}): (item: Item) => Statement {
  const { table, columns } = given;
  const names = columns.map(({ name }) => name).join(', ');
  const places = columns.map(({ type }, index) => `$${index + 1}::${type}`).join(', ');
  const sql = `INSERT INTO ${table} (${names}) VALUES (${places})`;
  return (item) => ({ sql, values: columns.map(({ read }) => read(item)) });
}

/** Adds to the counters of rows, and makes those that are missing. No key may be there twice. */
export function bulkAdd<Item>(
  given: BulkTable<Item> & {
    readonly counters: readonly BulkColumn<Item>[];
    /** What else new rows have, and what becomes of it in those that are there. */
    readonly others?: readonly { readonly column: BulkColumn<Item>; readonly becomes: string }[];
  },
): BulkStatement<Item> {
  const { table, key, counters, others = [] } = given;
  const changes = [
    ...counters.map(({ name }) => `${name} = ${table}.${name} + excluded.${name}`),
    ...others.map(({ column, becomes }) => `${column.name} = ${becomes}`),
  ];
  return bulkInsert({
    table,
    columns: [...key, ...counters, ...others.map(({ column }) => column)],
    onConflict: `ON CONFLICT (${key.map(({ name }) => name).join(', ')}) DO UPDATE SET ${changes.join(', ')}`,
  });
}

/** Changes rows that are there. */
export function bulkUpdate<Item>(
  given: BulkTable<Item> & { readonly columns: readonly BulkColumn<Item>[] },
): BulkStatement<Item> {
  const { table, key, columns } = given;
  const changes = columns.map(({ name }) => `${name} = new.${name}`).join(', ');
  const isSame = key.map(({ name }) => `${table}.${name} = new.${name}`).join(' AND ');
  return bulk([...key, ...columns], (rows) => `UPDATE ${table} SET ${changes} FROM ${rows} WHERE ${isSame}`);
}

/**
 * The rows that arrays hold, one array per column, in the order of the parameters. The limit is all of them, but PostgreSQL
 * knows that only when it has them: for a plan that it keeps it takes one row for granted, and so looks rows up by their key.
 * Else it would keep reading whole tables that were small when the plan was made, or plan anew each time.
 */
export function arraysAs(name: string, columns: readonly Pick<BulkColumn<never>, 'name' | 'type'>[]): string {
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  const names = columns.map((column) => column.name).join(', ');
  return `(SELECT * FROM unnest(${arrays.join(', ')}) LIMIT cardinality(${arrays[0]})) AS ${name} (${names})`;
}

/**
 * The row with a key, found for each row on the left of a join and in their order: because of its limit PostgreSQL can look
 * it up only by that key, and cannot join in another way.
 */
export function rowOf(table: string, key: string, { lock }: { lock?: string } = {}): string {
  return `LATERAL (SELECT * FROM ${table} WHERE ${key} LIMIT 1${lock === undefined ? '' : ` ${lock}`})`;
}

function bulk<Item>(
  columns: readonly BulkColumn<Item>[],
  toSql: (rows: string) => string,
): BulkStatement<Item> {
  const sql = toSql(arraysAs('new', columns));
  return (items) => ({ sql, values: columns.map(({ read }) => items.map(read)) });
}
