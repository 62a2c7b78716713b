import { expect, test } from 'vitest';
import { parseMetadataFilter, searchableMetadata } from '../../src/domain/run-metadata.js';

test('entries with a text, a number or a boolean are found, in the form in which JSON has them', () => {
  const metadata =
    '{"text":"a","number":1.50,"large":1e21,"yes":true,"none":null,"list":[1],"object":{"in":1}}';
  expect(searchableMetadata(metadata)).toEqual([
    { name: 'text', value: 'a' },
    { name: 'number', value: '1.5' },
    { name: 'large', value: '1e+21' },
    { name: 'yes', value: 'true' },
  ]);
});

test.each([
  ['no metadata', null],
  ['null', 'null'],
  ['an empty object', '{}'],
  ['more than 4,096 characters', JSON.stringify({ a: 'x'.repeat(4_090) })],
  ['a name of more than 64 characters', JSON.stringify({ ['x'.repeat(65)]: 1 })],
  ['a value of more than 256 characters', JSON.stringify({ a: 'x'.repeat(257) })],
])('%s has no entries', (_, metadata) => {
  expect(searchableMetadata(metadata)).toEqual([]);
});

test('names that JavaScript knows are entries like others', () => {
  expect(searchableMetadata('{"__proto__":"a","constructor":"b"}')).toEqual([
    { name: '__proto__', value: 'a' },
    { name: 'constructor', value: 'b' },
  ]);
});

test('no more than 16 entries are found, and entries that cannot be found do not count', () => {
  const entries = Array.from({ length: 20 }, (_, index) => [`n${index}`, index % 2 === 0 ? index : null]);
  const more = Array.from({ length: 20 }, (_, index) => [`m${index}`, index]);
  expect(searchableMetadata(JSON.stringify(Object.fromEntries([...entries, ...more])))).toHaveLength(16);
});

test.each([
  ['a=b', { name: 'a', value: 'b' }],
  ['a=', { name: 'a', value: '' }],
  ['a=b=c', { name: 'a', value: 'b=c' }],
  ['=b', null],
  ['a', null],
  ['', null],
])('the filter %s is read', (text, entry) => {
  expect(parseMetadataFilter(text)).toEqual(entry);
});
