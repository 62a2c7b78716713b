/**
 * Columns as data. A column knows its type in the database and how a stored value becomes a value of the domain, whatever
 * the driver makes of it: a 64-bit integer arrives as a bigint from SQLite and as text from PostgreSQL, a boolean as 0 or 1
 * from SQLite. SELECT, INSERT, bulk writes, row mapping, copies and checks derive from the columns of a table.
 */

import { attoUsdFromText, attoUsdToText } from '../domain/money.js';
import type { Row, SqlValue } from './row.js';

export type ColumnType = 'uuid' | 'text' | 'bigint' | 'boolean';

export interface Column<Value> {
  readonly type: ColumnType;
  /** Where it is not its property in snake case. */
  readonly name?: string;
  read(stored: unknown): Value;
  write(value: Value): SqlValue;
}

/** By property. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** What a row is in the domain. */
export type RecordOf<Of extends Columns> = {
  readonly [Property in keyof Of]: Of[Property] extends Column<infer Value> ? Value : never;
};

export interface Table<Of extends Columns = Columns> {
  readonly name: string;
  /** By property, as the rest. */
  readonly key: readonly string[];
  readonly columns: Of;
  /** Assigned by each store: part of the key, never written. */
  readonly generated?: string;
  /** Client data of any size: the last column of its row. */
  readonly payload?: string;
}

export const uuid: Column<string> = { type: 'uuid', read: String, write: same };
export const text: Column<string> = { type: 'text', read: (stored) => stored as string, write: same };
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
  write: attoUsdToText,
};

export function json<Value>(): Column<Value> {
  return {
    type: 'text',
    read: (stored) => JSON.parse(stored as string) as Value,
    write: (value) => JSON.stringify(value),
  };
}

export function oneOf<Value extends string>(): Column<Value> {
  return text as Column<Value>;
}

export function nullable<Value>(column: Column<Value>): Column<Value | null> {
  return {
    ...column,
    read: (stored) => (stored === null ? null : column.read(stored)),
    write: (value) => (value === null ? null : column.write(value)),
  };
}

export function named<Value>(name: string, column: Column<Value>): Column<Value> {
  return { ...column, name };
}

function same<Value extends SqlValue>(value: Value): SqlValue {
  return value;
}

/** As the database calls them, in the order of the columns. */
export function namesOf(columns: Columns): string[] {
  return Object.keys(columns).map((property) => nameOf(columns, property));
}

export function nameOf(columns: Columns, property: string): string {
  return columns[property]?.name ?? property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
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

/** Reads the columns of a row, which may have others, too. */
export function reader<Of extends Columns>(columns: Of): (row: Row) => RecordOf<Of> {
  const cells = Object.entries(columns).map(([property, column]) => ({
    property,
    name: nameOf(columns, property),
    read: column.read,
  }));
  return (row) => {
    const record: Record<string, unknown> = {};
    for (const { property, name, read } of cells) record[property] = read(row[name]);
    return record as RecordOf<Of>;
  };
}

/** The values of a record in the order of the columns. */
export function writer<Of extends Columns>(columns: Of): (record: RecordOf<Of>) => SqlValue[] {
  const cells = Object.entries(columns);
  return (record) => cells.map(([property, { write }]) => write(record[property as keyof Of]));
}
