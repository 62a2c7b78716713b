/** Reads the columns of a row as what the schema says they are. 64-bit integers and sums arrive as text. */

export type Row = Readonly<Record<string, unknown>>;

export function readText(row: Row, column: string): string {
  return row[column] as string;
}

export function readNullableText(row: Row, column: string): string | null {
  return row[column] as string | null;
}

export function readTexts(row: Row, column: string): string[] {
  return row[column] as string[];
}

export function readBigint(row: Row, column: string): bigint {
  return BigInt(row[column] as string);
}

export function readNullableBigint(row: Row, column: string): bigint | null {
  const value = row[column] as string | null;
  return value === null ? null : BigInt(value);
}

export function readNumber(row: Row, column: string): number {
  return Number(row[column]);
}

export function readNullableNumber(row: Row, column: string): number | null {
  const value = row[column];
  return value === null ? null : Number(value);
}

export function readBoolean(row: Row, column: string): boolean {
  return row[column] as boolean;
}
