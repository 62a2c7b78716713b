import { describe, expect, test } from 'vitest';
import { describeNames, parseNames, toNamesText } from '../src/format/tool-names.ts';

describe('typed names', () => {
  test.each([
    ['', []],
    [' , ,', []],
    ['search', ['search']],
    [' search ,fetch url,search', ['search', 'fetch url']],
    ['"a, b", c', ['a, b', 'c']],
    ['"open, c', ['"open', 'c']],
    ['"a" b, c', ['"a" b', 'c']],
    ['say "hi"', ['say "hi"']],
  ])('%j are %j', (text, names) => {
    expect(parseNames(text)).toEqual({ value: names, problem: null });
  });

  test('are at most 100, of at most 255 characters', () => {
    const names = Array.from({ length: 101 }, (_, index) => `tool ${index}`);
    expect(parseNames(toNamesText(names.slice(1))).value).toEqual(names.slice(1));
    expect(parseNames(toNamesText(names)).problem).toBe('Enter at most 100 names');
    expect(parseNames('🔧'.repeat(255)).problem).toBeNull();
    expect(parseNames('a'.repeat(256)).problem).toBe('A name has at most 255 characters');
  });

  test('in quotes are JSON', () => {
    expect(parseNames('"a\\d"').problem).toBe('In quotes, write \\" for a quote and \\\\ for a backslash');
  });
});

test('every list of names is read as it was written', () => {
  const names = [
    'a, b',
    '"',
    '"quoted"',
    'in "the" middle',
    ' spaces ',
    'two\nlines',
    '\\',
    'x\\"',
    'é',
    ',',
  ];
  expect(parseNames(toNamesText(names))).toEqual({ value: names, problem: null });
  for (const name of names) expect(parseNames(toNamesText([name])).value).toEqual([name]);
});

test.each([
  [[], 'no tools'],
  [['search'], '1 tool: search'],
  [['search', 'a, b'], '2 tools: search, "a, b"'],
])('the description of %j is "%s"', (names, words) => {
  expect(describeNames(names)).toBe(words);
});
