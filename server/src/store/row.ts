/**
 * Reads values from rows independently of the driver: a 64-bit integer is a bigint from SQLite and text from PostgreSQL, a
 * boolean is 0 or 1 from SQLite.
 */

export type Row = Readonly<Record<string, unknown>>;

/** A parameter of a statement. */
export type SqlValue = null | boolean | number | bigint | string | Buffer | readonly SqlValue[];

/** The value of the first row; null when there are no rows. */
export function firstOf<Value>([row]: readonly Row[], toValue: (row: Row) => Value): Value | null {
  return row === undefined ? null : toValue(row);
}

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
