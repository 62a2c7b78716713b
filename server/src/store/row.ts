/**
 * Reads the columns of a row as what the schema says they are, whatever the driver makes of them: a 64-bit integer arrives as
 * a bigint from SQLite and as text from PostgreSQL, a boolean as 0 or 1 from SQLite.
 */

export type Row = Readonly<Record<string, unknown>>;

/** What a statement is given. */
export type SqlValue = null | boolean | number | bigint | string | readonly SqlValue[];

export function readText(row: Row, column: string): string {
  return row[column] as string;
}

export function readBigint(row: Row, column: string): bigint {
  return BigInt(row[column] as bigint | string);
}

export function readNumber(row: Row, column: string): number {
  return Number(row[column]);
}

export function readNullableNumber(row: Row, column: string): number | null {
  return row[column] === null ? null : readNumber(row, column);
}

export function readBoolean(row: Row, column: string): boolean {
  return row[column] === true || row[column] === 1n;
}
