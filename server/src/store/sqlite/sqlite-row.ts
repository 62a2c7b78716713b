/** Reads the columns of a row as what the schema says they are. Integers arrive as bigint. */

import type { Row } from './sqlite-database.js';

export function readText(row: Row, column: string): string {
  return row[column] as string;
}

export function readNullableText(row: Row, column: string): string | null {
  return row[column] as string | null;
}

export function readBigint(row: Row, column: string): bigint {
  return row[column] as bigint;
}

export function readNullableBigint(row: Row, column: string): bigint | null {
  return row[column] as bigint | null;
}

export function readNumber(row: Row, column: string): number {
  return Number(row[column]);
}

export function readNullableNumber(row: Row, column: string): number | null {
  const value = row[column];
  return value === null ? null : Number(value);
}

export function readBoolean(row: Row, column: string): boolean {
  return row[column] === 1n;
}

export function fromBoolean(value: boolean): number {
  return value ? 1 : 0;
}
