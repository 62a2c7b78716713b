/**
 * Arrays as PostgreSQL reads them. A batch has more than a hundred, and the driver quotes and escapes each of their elements,
 * although most are ids and numbers.
 */

import type { ColumnType } from '../columns.js';
import type { SqlValue } from '../row.js';

/** Of elements of one type. */
export function arrayLiteral(type: ColumnType, values: readonly SqlValue[]): string {
  const toElement = type === 'text' ? quoted : plain;
  let elements = '';
  for (const value of values) elements += `${elements === '' ? '' : ','}${toElement(value)}`;
  return `{${elements}}`;
}

/** A value whose text has no character with a meaning in an array. */
function plain(value: SqlValue): unknown {
  return value ?? 'NULL';
}

function quoted(value: SqlValue): string {
  if (value === null || value === undefined) return 'NULL';
  let text = String(value);
  if (text.includes('\\')) text = text.replaceAll('\\', '\\\\');
  if (text.includes('"')) text = text.replaceAll('"', '\\"');
  return `"${text}"`;
}
