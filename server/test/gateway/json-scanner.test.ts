/** The scanner accepts what JSON.parse accepts, in pieces of any size, and finds the same values. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonScanError, JsonScanner } from '../../src/gateway/json-scanner.js';

function scanned(
  text: string,
  { pieceBytes = Number.POSITIVE_INFINITY, captures = [] as string[] } = {},
): JsonScanner {
  const scanner = new JsonScanner({ captures });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) scanner.push(bytes.subarray(at, at + pieceBytes));
  scanner.end();
  return scanner;
}

const isRefused = (text: string) => {
  try {
    scanned(text);
    return false;
  } catch (error) {
    if (error instanceof JsonScanError) return true;
    throw error;
  }
};

test('any JSON text is accepted, in pieces of any size, and its members are where they are', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' })),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 3 }),
      (value, pieceBytes, indent) => {
        const text = JSON.stringify(value, null, indent);
        const bytes = Buffer.from(text);
        const { members } = scanned(text, { pieceBytes });
        const found = members.map(({ name, valueStart, valueEnd }) => [
          name,
          JSON.parse(bytes.subarray(valueStart, valueEnd).toString()),
        ]);
        const short = (name: string) => (Buffer.byteLength(JSON.stringify(name)) - 2 > 256 ? '' : name);
        // Through JSON, which has no minus zero.
        const expected = Object.entries(JSON.parse(text)).map(([name, item]) => [short(name), item]);
        expect(found).toEqual(expected);
      },
    ),
  );
});

test('a text with one byte changed is accepted only if JSON.parse accepts it, strings and their escapes aside', () => {
  const text = '{"model":"a","list":[1,-2.5e3,true,null,{"deep":{}}],"stream":false}';
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(...'{}[],:"x0-.e \\\n\t'), (at, character) => {
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      if (changed.includes('\\')) return;
      let isJson = true;
      try {
        JSON.parse(changed);
      } catch {
        isJson = false;
      }
      expect(isRefused(changed)).toBe(!isJson);
    }),
    { numRuns: 2_000 },
  );
});

describe('captured values', () => {
  test('are found by their path through objects, and nowhere else', () => {
    const text = JSON.stringify({
      usage: { a: 1 },
      list: [{ usage: { no: 1 } }],
      response: { usage: { b: 2 }, deep: { usage: { no: 2 } } },
      'response.usage': 'a key with a dot is another path',
    });
    for (const pieceBytes of [1, 3, 1_000]) {
      const { texts } = scanned(text, { pieceBytes, captures: ['usage', 'response.usage'] });
      expect([texts.get('usage'), texts.get('response.usage')]).toEqual(['{"a":1}', '{"b":2}']);
    }
    expect(
      scanned('{"response":{"usage":[1]}}', { captures: ['response.usage'] }).texts.get('response.usage'),
    ).toBe('[1]');
  });

  test('are found by keys with escapes', () => {
    expect(scanned('{"\\u0075sage":7}', { captures: ['usage'] }).texts.get('usage')).toBe('7');
  });

  test('that are too long are left out', () => {
    const { texts } = scanned(JSON.stringify({ usage: 'x'.repeat(70_000), model: 'm' }), {
      captures: ['usage', 'model'],
    });
    expect([...texts.keys()]).toEqual(['model']);
  });
});

describe('hostile texts', () => {
  test('nested deeper than 256 are refused', () => {
    expect(isRefused('['.repeat(256) + ']'.repeat(256))).toBe(false);
    expect(isRefused('['.repeat(257) + ']'.repeat(257))).toBe(true);
  });

  test('with more than 1,000 members are refused, so that their positions take no memory', () => {
    const members = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"m${index}":0`).join()}}`;
    expect([isRefused(members(1_000)), isRefused(members(1_001))]).toEqual([false, true]);
  });

  test('with a number of a million digits are refused', () => {
    expect(isRefused(`{"n":${'1'.repeat(1_000_000)}}`)).toBe(true);
  });

  test.each([
    '',
    ' ',
    '{',
    '{"a":1}}',
    '{"a":1} {',
    '[1,]',
    '{,}',
    '{"a"}',
    'nul',
    '01',
    '"\n"',
    '\u00e9',
    "{'a':1}",
    '{"a":NaN}',
  ])('%j is refused', (text) => expect(isRefused(text)).toBe(true));
});
