/**
 * Arrays as PostgreSQL reads them. A batch has more than a hundred, and the driver quotes and escapes each of their elements,
 * although most are ids and numbers. Ids are sent in binary: PostgreSQL spent a tenth of a batch on reading their text.
 */

import type { ColumnType } from '../columns.js';
import type { SqlValue } from '../row.js';

/** Of elements of one type. */
export function arrayOf(type: ColumnType, values: readonly SqlValue[]): SqlValue {
  if (type === 'uuid') return binaryUuids(values as readonly (string | null)[]);
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

// ── Binary arrays ──────────────────────────────────────────────────────────────────────────────────────────────────

/** The type of an element, as PostgreSQL numbers it. */
const UUID_TYPE = 2950;
const UUID_BYTES = 16;
/** The number of dimensions, a flag for nulls, the type; then the length and the lower bound of the only dimension. */
const HEADER_BYTES = 5 * 4;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

function binaryUuids(values: readonly (string | null)[]): Buffer {
  const array = Buffer.allocUnsafe(HEADER_BYTES + values.length * (LENGTH_BYTES + UUID_BYTES));
  let hasNull = 0;
  let end = HEADER_BYTES;
  for (const value of values) {
    if (value === null) {
      hasNull = 1;
      end = array.writeInt32BE(NULL_LENGTH, end);
    } else {
      end = writeUuid(array, value, array.writeInt32BE(UUID_BYTES, end));
    }
  }
  array.writeInt32BE(1, 0);
  array.writeInt32BE(hasNull, 4);
  array.writeInt32BE(UUID_TYPE, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  return array.subarray(0, end);
}

const DASH = '-'.charCodeAt(0);
const NO_DIGIT = 255;
/** By character code. */
const DIGITS = new Uint8Array(128).fill(NO_DIGIT);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Returns the place after it. */
function writeUuid(target: Buffer, uuid: string, start: number): number {
  const end = start + UUID_BYTES;
  let place = start;
  let at = 0;
  while (place < end) {
    if (uuid.charCodeAt(at) === DASH) at += 1;
    const high = DIGITS[uuid.charCodeAt(at)] ?? NO_DIGIT;
    const low = DIGITS[uuid.charCodeAt(at + 1)] ?? NO_DIGIT;
    if (high === NO_DIGIT || low === NO_DIGIT) throw new Error('An id is not a UUID');
    target[place] = high * 16 + low;
    place += 1;
    at += 2;
  }
  if (at !== uuid.length) throw new Error('An id is not a UUID');
  return end;
}
