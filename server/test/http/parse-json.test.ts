/** The cost of a body does not depend on its shape, and its values are those that were sent. */

import { describe, expect, test } from 'vitest';
import { pathAt } from '../../src/http/json-path.js';
import { findViolation } from '../../src/http/json-violations.js';
import { parseJson } from '../../src/http/parse-json.js';
import { HOSTILE_BODIES } from '../support/hostile-bodies.js';

const BODY_BYTES = 64 * 1_024;
/** A byte can end one token and begin another, and a number is measured after its end is found. */
const READS_PER_BYTE = 6;
/** At most 100 numbers are compared with their parsed value, each of at most a few hundred bytes. */
const READS_FOR_COMPARISONS = 100 * 400;

describe('work on a body', () => {
  test.each(HOSTILE_BODIES.map(({ name, make }) => [name, make] as const))(
    'reads each byte a few times at most: %s',
    (_, make) => {
      const body = make(BODY_BYTES);
      expect(body.length).toBeGreaterThan(BODY_BYTES * 0.95);
      expect(body.length).toBeLessThanOrEqual(BODY_BYTES);
      if (!isJson(body)) return;
      const counted = countReads(body);
      const violation = findViolation(counted.bytes);
      expect(counted.reads()).toBeLessThanOrEqual(READS_PER_BYTE * body.length + READS_FOR_COMPARISONS);
      if (violation === null) return;
      const counting = countReads(body);
      pathAt(counting.bytes, violation.at);
      expect(counting.reads()).toBeLessThanOrEqual(READS_PER_BYTE * body.length);
    },
  );

  test('twice the body is twice the work', () => {
    for (const { make } of HOSTILE_BODIES) {
      const [small, large] = [make(BODY_BYTES / 2), make(BODY_BYTES)].map((body) => {
        const counted = countReads(body);
        if (isJson(body)) findViolation(counted.bytes);
        return counted.reads();
      });
      expect(large).toBeLessThanOrEqual(2.2 * (small ?? 0) + READS_FOR_COMPARISONS);
    }
  });
});

describe('numbers', () => {
  const inData = (number: string) => `{"metadata":{"a":[${number}]}}`;
  const asField = (number: string) => `{"daily_budget_usd":${number}}`;
  const KEPT_EXACTLY = 'must be a number that can be stored exactly; up to 15 significant digits always can';
  const IN_RANGE = 'must be a number in the range of a double';

  test.each([
    '0',
    '-0',
    '0.0',
    '0e999999',
    '0.1',
    '1.0',
    '1e3',
    '1E+3',
    '-3.141592653589793',
    '123456789012345',
    '0.000000000000000000000000000000000000000000123456789012345',
    '100000000000000000000000000000000000000000000000000000000000000000000',
    '9007199254740992',
    '-9007199254740991',
    '9007199254740994',
    '393530540239137100000',
    '1e22',
    '1e23',
    '1.7976931348623157e308',
    '2.2250738585072014e-308',
    '5e-324',
    '5.0e-324',
    '0.30000000000000004',
    '1.2345678901234567e+30',
    `1.${'0'.repeat(500)}`,
    `0.${'0'.repeat(300)}1`,
  ])('%s is kept in data and in a field', (number) => {
    for (const text of [inData(number), asField(number)])
      expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  test.each([
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '18446744073709551616',
    '1000000000000000000000000000001',
    '0.0010000000000000000001',
    '1234567.123456789012',
    '1.00000000000000000001',
    '3.14159265358979323846',
  ])('%s would be rounded: refused in data and in a field', (number) => {
    expect(() => parseJson(Buffer.from(inData(number)))).toThrow(`body/metadata/a/0 ${KEPT_EXACTLY}`);
    expect(() => parseJson(Buffer.from(asField(number)))).toThrow(`body/daily_budget_usd ${KEPT_EXACTLY}`);
  });

  test.each(['1234567.1234567891', '1.0000000000000001', '0.10000000000000001', '9007199254740993.0'])(
    '%s is stored as a double in client data, and refused in a field, which must be exact',
    (number) => {
      expect(parseJson(Buffer.from(inData(number)))).toEqual({ metadata: { a: [Number(number)] } });
      expect(() => parseJson(Buffer.from(asField(number)))).toThrow(`body/daily_budget_usd ${KEPT_EXACTLY}`);
    },
  );

  test.each([
    '1e400',
    '-1E+400',
    '1e-400',
    '1e-324',
    '3e-324',
    '1.8e308',
    '1e99999999999999999999',
    `1${'0'.repeat(309)}`,
  ])('%s is out of the range of a double', (number) => {
    expect(() => parseJson(Buffer.from(inData(number)))).toThrow(`body/metadata/a/0 ${IN_RANGE}`);
    expect(() => parseJson(Buffer.from(asField(number)))).toThrow(`body/daily_budget_usd ${IN_RANGE}`);
  });

  test('digits in texts and names are text', () => {
    const text = '{"metadata":{"9007199254740993":"12345678901234567890, 1e400","b":["1e-400"]}}';
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });
});

describe('the place of a value that cannot be stored', () => {
  test.each([
    ['"\\u0000"', 'body'],
    ['["a","\\u0000"]', 'body/1'],
    ['{"a":1,"b":{"c":[[],[0,"\\u0000"]]}}', 'body/b/c/1/1'],
    ['{"a":{"b":[1,2]},"c":"\\u0000"}', 'body/c'],
    ['{"a":[{"b":1},{"\\u0000":2}]}', 'a name in body/a/1'],
    ['{"\\u0000":2}', 'a name in body'],
    ['{"a\\"b":{"\\\\":"\\u0000"}}', 'body/a"b/\\'],
    ['{"ä\\u00e4🎉":[{},{},"\\u0000"]}', 'body/ää🎉/2'],
    [' { "a" : [ 1 , [ ] , "x" , "\\u0000" ] } ', 'body/a/3'],
    [`{"${'n'.repeat(300)}":"\\u0000"}`, `body/${'n'.repeat(195)}`],
    [`{"${'n'.repeat(2_000)}":"\\u0000"}`, `body/${'n'.repeat(195)}`],
    [`{"${'\\u00e4'.repeat(199)}":"\\u0000"}`, `body/${'ä'.repeat(195)}`],
  ])('%s', (text, place) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(`${place} must not contain a NUL character`);
  });
});

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** The same bytes, counting how many were read: one by one, or as a slice of text. */
function countReads(body: Buffer): { readonly bytes: Buffer; readonly reads: () => number } {
  let reads = 0;
  const bytes = new Proxy(body, {
    get(target, property) {
      if (property === 'length') return target.length;
      // Without a buffer, long runs are not read in pairs, which would not be counted.
      if (property === 'buffer' || property === 'byteOffset') return undefined;
      if (property === 'toString')
        return (encoding: BufferEncoding, start: number, end: number) => {
          reads += end - start;
          return target.toString(encoding, start, end);
        };
      if (property === 'indexOf')
        return (byte: number, start: number) => {
          const at = target.indexOf(byte, start);
          reads += (at === -1 ? target.length : at + 1) - start;
          return at;
        };
      reads += 1;
      return target[Number(property)];
    },
  });
  return { bytes, reads: () => reads };
}
