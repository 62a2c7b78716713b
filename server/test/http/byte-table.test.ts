/** Long runs of bytes are skipped in pairs and by native searches: with the same result as byte by byte. */

import { expect, test } from 'vitest';
import { nextMatch, toByteTable, toSkippingTable } from '../../src/http/byte-table.js';
import { StringCheck } from '../../src/http/json-strings.js';

const LENGTHS = Array.from({ length: 12 }, (_, index) => 1 + index * 43).concat(
  126,
  127,
  128,
  129,
  130,
  255,
  256,
  257,
);

test.each([0, 1, 2, 3])('the next match of bytes at offset %i is that of a search byte by byte', (offset) => {
  const table = toByteTable({ '"\\': 1 });
  for (const length of LENGTHS)
    for (const tail of [0, 1, 2, 5]) {
      const bytes = Buffer.concat([
        Buffer.alloc(offset, '"'),
        Buffer.alloc(length, 'x'),
        Buffer.from('"'),
        Buffer.alloc(tail, 'y'),
      ]).subarray(offset);
      for (const start of [0, 1]) {
        const expected = bytes.indexOf('"', start);
        expect(nextMatch(bytes, start, table)).toBe(expected);
        const end = Math.max(start, expected - 1);
        expect(nextMatch(bytes, start, table, end)).toBe(end);
        expect(nextMatch(bytes.subarray(0, expected), start, table)).toBe(Math.max(start, expected));
      }
    }
});

test('a table that skips bytes stops at all others', () => {
  const table = toSkippingTable('0');
  const bytes = Buffer.concat([Buffer.alloc(301, '0'), Buffer.from([255])]);
  expect(nextMatch(bytes, 0, table)).toBe(301);
  expect(nextMatch(Buffer.from('1'), 0, table)).toBe(0);
});

test('a string of any length with an escape anywhere ends where it ends', () => {
  for (const length of LENGTHS)
    for (const escaped of ['', '\\"', '\\\\', '\\u00e4', '\\ud83c\\udf89'])
      for (const before of LENGTHS.filter((count) => count <= length)) {
        const string = `"${'x'.repeat(before)}${escaped}${'y'.repeat(length - before)}"`;
        const json = Buffer.from(`[${string},${string},"\\n"]`);
        const check = new StringCheck(json);
        const end = 1 + string.length;
        expect(check.endOf(1)).toBe(end);
        expect(check.endOf(end + 1)).toBe(end + 1 + string.length);
      }
});
