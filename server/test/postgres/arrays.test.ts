/** Arrays that the service writes itself: PostgreSQL reads the values that were given. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ColumnType } from '../../src/store/columns.js';
import { arrayOf } from '../../src/store/postgres/postgres-arrays.js';
import type { SqlValue } from '../../src/store/row.js';
import { openPostgresConnection, type PostgresConnection } from '../support/postgres-connection.js';

let connection: PostgresConnection;
beforeAll(async () => {
  connection = await openPostgresConnection();
});
afterAll(() => connection.close());

/** What a hostile client may send as an id or a payload. */
const TEXTS = [
  '',
  ' ',
  'NULL',
  'null',
  null,
  '{}',
  '{a,b}',
  ',',
  '"',
  '""',
  '\\',
  '\\"',
  '"},{"',
  "'",
  "'); DROP TABLE runs; --",
  '\n\t\r',
  'ü — 漢字 🙂',
  '{"a":["\\\\n \\"quoted\\""]}',
];

const ARRAYS: readonly (readonly [ColumnType, readonly SqlValue[]])[] = [
  ['text', TEXTS],
  ['text', []],
  ['uuid', [randomUUID(), null, randomUUID()]],
  ['uuid', ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
  ['uuid', []],
  ['uuid', [null]],
  ['bigint', [0, -1, 2 ** 53, 9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, null]],
  ['boolean', [true, false, null]],
];

test.each(ARRAYS)('an array of %s has the elements that were given', async (type, values) => {
  const rows = await connection.database.query(
    `SELECT element::text FROM unnest($1::${type}[]) WITH ORDINALITY AS given (element, place) ORDER BY place`,
    arrayOf(type, values),
  );
  expect(rows.map((row) => row['element'])).toEqual(
    values.map((value) => (value === null ? null : String(value))),
  );
});

test.each([
  '',
  'x',
  randomUUID().slice(1),
  `${randomUUID()}0`,
  randomUUID().replace(/.$/, 'g'),
  randomUUID().replace(/.$/, '🙂'),
  `${randomUUID().slice(0, 34)}--`,
])('%j is not sent as an id', (text) => {
  expect(() => arrayOf('uuid', [text])).toThrow('not a UUID');
});
