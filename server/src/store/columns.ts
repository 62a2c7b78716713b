/**
 * Columns as data: the type in the database, and how a stored value becomes a value of the domain with either driver (see
 * row.ts). SELECT, INSERT, bulk writes, row mapping, copies and checks derive from the columns of a table.
 */

import { attoUsdFromText, attoUsdToText } from '../domain/money.js';
import type { Row, SqlValue } from './row.js';

export type ColumnType = 'uuid' | 'text' | 'bigint' | 'boolean';

export interface Column<Value> {
  readonly type: ColumnType;
  /** The name in the database; by default the property in snake case. */
  readonly name?: string;
  /** The property it is written from; by default its own. */
  readonly from?: string;
  read(stored: unknown): Value;
  write(value: unknown): SqlValue;
}

/** By property. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row as an object of the domain. */
export type RecordOf<Of extends Columns> = {
  readonly [Property in keyof Of]: Of[Property] extends Column<infer Value> ? Value : never;
};

export interface Table<Of extends Columns = Columns> {
  readonly name: string;
  /** Properties, as below. */
  readonly key: readonly string[];
  readonly columns: Of;
  /** Assigned by the database; never written. */
  readonly generated?: string;
  /** The columns with client data of any size; the last ones of the row. */
  readonly payloads?: readonly string[];
}

export const uuid: Column<string> = { type: 'uuid', read: same<string>, write: same };
export const text: Column<string> = { type: 'text', read: same<string>, write: same };
export const boolean: Column<boolean> = {
  type: 'boolean',
  read: (stored) => stored === true || stored === 1n,
  write: same,
};
export const bigint: Column<bigint> = {
  type: 'bigint',
  read: (stored) => BigInt(stored as bigint | string),
  write: same,
};
/** An integer within 2^53. */
export const integer: Column<number> = { type: 'bigint', read: Number, write: same };
/** A price per token, as a decimal. */
export const price: Column<bigint> = {
  type: 'text',
  read: (stored) => attoUsdFromText(stored as string),
  write: (value) => attoUsdToText(value as bigint),
};

/** One of several columns that a property is stored in. */
export function partOf<Whole, Value>(
  from: string,
  column: Column<Value>,
  write: (whole: Whole) => SqlValue,
): Column<Value> {
  return { ...column, from, write: (whole) => write(whole as Whole) };
}

/** By property: how its value is read. */
export type JsonOptions = Readonly<Record<string, (value: unknown) => unknown>>;

/**
 * A bigint is written as decimal text; `revive` reads it. The same text as the last one is the same value, which nobody changes:
 * most workspaces have the same limits, and every batch reads them.
 */
export function json<Value>(revive: JsonOptions = {}): Column<Value> {
  const reviver = (name: string, value: unknown) => revive[name]?.(value) ?? value;
  const isPlain = Object.keys(revive).length === 0;
  let last: { readonly text: string; readonly value: Value } | undefined;
  return {
    type: 'text',
    read: (stored) => {
      const text = stored as string;
      if (last?.text !== text)
        last = { text, value: JSON.parse(text, isPlain ? undefined : reviver) as Value };
      return last.value;
    },
    write: isPlain ? JSON.stringify : (value) => JSON.stringify(value, toJsonValue),
  };
}

function toJsonValue(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

export function oneOf<Value extends string>(): Column<Value> {
  return text as Column<Value>;
}

export function nullable<Value>(column: Column<Value>): Column<Value | null> {
  return {
    ...column,
    read: column.read === same ? column.read : (stored) => (stored === null ? null : column.read(stored)),
    write: column.write === same ? same : (value) => (value === null ? null : column.write(value)),
  };
}

export function named<Value>(name: string, column: Column<Value>): Column<Value> {
  return { ...column, name };
}

/** Stored unchanged. */
function same<Value>(value: unknown): Value {
  return value as Value;
}

/** Names in the database, in the order of the columns. */
export function namesOf(columns: Columns): string[] {
  return Object.keys(columns).map((property) => nameOf(columns, property));
}

export function nameOf(columns: Columns, property: string): string {
  return columns[property]?.name ?? property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Names in the database of the key, in its order. */
export function keyNames({ key, columns }: Table): string[] {
  return key.map((property) => nameOf(columns, property));
}

/** For a SELECT. */
export function listOf(columns: Columns, alias?: string): string {
  return namesOf(columns)
    .map((name) => (alias === undefined ? name : `${alias}.${name}`))
    .join(', ');
}

export function pick<Of extends Columns, Property extends keyof Of>(
  columns: Of,
  ...properties: Property[]
): Pick<Of, Property> {
  return Object.fromEntries(properties.map((property) => [property, columns[property]])) as Pick<
    Of,
    Property
  >;
}

export function omit<Of extends Columns, Property extends keyof Of>(
  columns: Of,
  ...properties: Property[]
): Omit<Of, Property> {
  return Object.fromEntries(
    Object.entries(columns).filter(([property]) => !properties.includes(property as Property)),
  ) as Omit<Of, Property>;
}

/** For the values of a statement: `$1, $2` and so on. */
export function placesOf(columns: Columns): string {
  return Object.keys(columns)
    .map((_, index) => `$${index + 1}`)
    .join(', ');
}

/** Memoizes a function of one object. */
export function once<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new Map<Key, Made>();
  return (key) => {
    const kept = made.get(key);
    if (kept !== undefined) return kept;
    const added = make(key);
    made.set(key, added);
    return added;
  };
}

/** Reads these columns of a row; other columns are ignored. */
export function reader<Of extends Columns>(columns: Of): (row: Row) => RecordOf<Of> {
  const cells = cellsOf(columns).map(({ property, name, column }, index) =>
    column.read === same ? `${property}: row.${name}` : `${property}: column${index}.read(row.${name})`,
  );
  return compile(columns, '(row)', `({ ${cells.join(', ')} })`);
}

/** The values of a row in the order of the columns; workspace and day come from its owner. Compiled: create it once. */
export function writer(columns: Columns): (owner: Owner, row: object) => SqlValue[] {
  return compile(columns, '(owner, row)', `[${writtenCells(columns).join(', ')}]`);
}

/** For each column, the values of all rows of all owners. */
export function bulkWriter(columns: Columns): (groups: readonly OwnedRows[]) => SqlValue[][] {
  const cells = writtenCells(columns);
  const push = cells.map((cell, index) => `values[${index}].push(${cell});`);
  return compile(
    columns,
    '(groups)',
    `{ const values = [${cells.map(() => '[]').join(', ')}];
       for (const { owner, rows } of groups) for (const row of rows) { ${push.join(' ')} }
       return values; }`,
  );
}

export interface Owner {
  readonly workspaceId: string;
  readonly day?: string;
}

export interface OwnedRows {
  readonly owner: Owner;
  readonly rows: readonly object[];
}

/** Copies these columns of a record; other properties are left out. */
export function picker<Of extends Columns>(columns: Of): (record: RecordOf<Of>) => RecordOf<Of> {
  const cells = cellsOf(columns).map(({ property }) => `${property}: record.${property}`);
  return compile(columns, '(record)', `({ ${cells.join(', ')} })`);
}

function writtenCells(columns: Columns): string[] {
  return cellsOf(columns).map(({ property, column }, index) => {
    const value = `${OF_THE_OWNER.has(property) ? 'owner' : 'row'}.${column.from ?? property}`;
    return column.write === same ? value : `column${index}.write(${value})`;
  });
}

const OF_THE_OWNER: ReadonlySet<string> = new Set(['workspaceId', 'day']);

function cellsOf(columns: Columns) {
  return Object.entries(columns).map(([property, column]) => ({
    property,
    column,
    name: nameOf(columns, property),
  }));
}

/**
 * These functions run for every row of a batch, so they are compiled per table instead of looping over its columns. Only names
 * from the catalogue become code.
 */
function compile<Result>(columns: Columns, parameters: string, expression: string): Result {
  const names = Object.keys(columns).map((_, index) => `column${index}`);
  return new Function(...names, `return ${parameters} => ${expression};`)(
    ...Object.values(columns),
  ) as Result;
}
