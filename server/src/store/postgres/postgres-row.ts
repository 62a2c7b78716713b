import type { Row } from '../row.js';

/** An array of text. */
export function readTexts(row: Row, column: string): string[] {
  return row[column] as string[];
}
