/**
 * Bodies of a given size whose shape makes a naive parser slower than their size requires. Shared by the tests that count
 * the work, the fuzzer and the benchmark.
 */

export interface HostileBody {
  readonly name: string;
  /** As large as fits into this many bytes. */
  readonly make: (bytes: number) => Buffer;
}

export const HOSTILE_BODIES: readonly HostileBody[] = [
  // Reported: each of these took more than a second.
  shape('a long name, 95 levels, then numbers and an escape', (bytes) => {
    const start = `{"${'n'.repeat(200)}":${'{"a":'.repeat(94)}[`;
    const end = `"\\u0061"]${'}'.repeat(95)}`;
    return start + '1,'.repeat(fit(bytes, start.length + end.length, 2)) + end;
  }),
  shape('empty arrays', (bytes) => `{"x":[${'[],'.repeat(fit(bytes, 9, 3))}[]]}`),
  shape('texts of 199 digits and a letter', (bytes) =>
    listOf(bytes, () => `"${'1'.repeat(199)}a"`, { start: '{"x":[', end: ']}' }),
  ),

  // Values.
  shape('small numbers', (bytes) => listOf(bytes, () => '7')),
  shape('empty objects', (bytes) => listOf(bytes, () => '{}')),
  shape('empty texts', (bytes) => listOf(bytes, () => '""')),
  shape('texts of one letter', (bytes) => listOf(bytes, () => '"a"')),
  shape('words', (bytes) => listOf(bytes, (index) => ['true', 'false', 'null'][index % 3] ?? '')),
  shape('one text', (bytes) => `"${'x'.repeat(bytes - 2)}"`),
  shape('one text in a field', (bytes) => `{"user_id":"${'x'.repeat(bytes - 14)}"}`),
  shape('one text that is not Latin', (bytes) => `"${'漢'.repeat(fit(bytes, 2, 3))}"`),
  shape('one text of two-byte letters', (bytes) => `"${'é'.repeat(fit(bytes, 2, 2))}"`),
  shape('white space', (bytes) => `${' '.repeat(bytes - 2)}{}`),
  shape('white space around small values', (bytes) => listOf(bytes, () => '\n\t  0 \r\n')),

  // Names.
  shape('many names', (bytes) =>
    listOf(bytes, (index) => `"k${index.toString(36)}":0`, { start: '{', end: '}' }),
  ),
  shape('one name repeated', (bytes) => listOf(bytes, () => '"a":0', { start: '{', end: '}' })),
  shape('long names', (bytes) =>
    listOf(bytes, (index) => `"${`${index}`.padEnd(1_000, 'n')}":0`, { start: '{', end: '}' }),
  ),
  shape('objects with one name', (bytes) => listOf(bytes, () => '{"a":1}')),
  shape('a name of the prototype', (bytes) => listOf(bytes, () => '{"__proto__":[]}')),

  // Depth.
  shape('as deep as allowed, repeated', (bytes) =>
    listOf(bytes, () => `${'['.repeat(98)}${']'.repeat(98)}`, { start: '{"x":[', end: ']}' }),
  ),
  shape('as deep as allowed with names', (bytes) =>
    listOf(bytes, () => `${'{"a":'.repeat(98)}0${'}'.repeat(98)}`, { start: '{"x":[', end: ']}' }),
  ),
  shape('deeper than allowed', (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`),
  shape('deeper than allowed with names', (bytes) => {
    const levels = fit(bytes, 1, 6);
    return `${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}`;
  }),
  shape('deeper than allowed at the end', (bytes) =>
    listOf(bytes, () => '[]', { start: '[', end: `,${'['.repeat(200)}${']'.repeat(200)}]` }),
  ),
  shape('brackets by turns', (bytes) => listOf(bytes, () => '[{"a":[]}]')),
  shape('brackets in a text', (bytes) => `"${'[{'.repeat(fit(bytes, 2, 2))}"`),

  // Escapes.
  shape('escaped letters', (bytes) => `"${'\\u0041'.repeat(fit(bytes, 2, 6))}"`),
  shape('escaped letters, each a text', (bytes) => listOf(bytes, () => '"\\u0041"')),
  shape('escaped letters, each a name', (bytes) =>
    listOf(bytes, () => '"\\u0041":0', { start: '{', end: '}' }),
  ),
  shape('backslashes', (bytes) => `"${'\\\\'.repeat(fit(bytes, 2, 2))}"`),
  shape(
    'backslashes before something like an escape',
    (bytes) => `"${'\\\\u0000'.repeat(fit(bytes, 2, 7))}"`,
  ),
  shape('lines of a text', (bytes) => `"${`${'x'.repeat(70)}\\n`.repeat(fit(bytes, 2, 72))}"`),
  shape('surrogate pairs', (bytes) => `"${'\\ud83c\\udf89'.repeat(fit(bytes, 2, 12))}"`),
  shape('half of a pair at the end of a text', (bytes) => `"${'x'.repeat(bytes - 8)}\\ud800"`),
  shape(
    'half of a pair at the end of pairs',
    (bytes) => `"${'\\ud83c\\udf89'.repeat(fit(bytes, 8, 12))}\\udf89"`,
  ),
  shape('a NUL at the end of many values', (bytes) =>
    listOf(bytes, () => '[]', { start: '[', end: ',"\\u0000"]' }),
  ),
  shape('a NUL below long names', (bytes) => {
    const name = `"${'n'.repeat(fit(bytes, 206, 98) - 4)}":`;
    return `${`{${name}`.repeat(98)}"\\u0000"${'}'.repeat(98)}`;
  }),
  shape('a NUL below a huge name', (bytes) => {
    const end = '":"\\u0000"}';
    return `{"${'n'.repeat(bytes - 2 - end.length)}${end}`;
  }),

  // Numbers.
  shape('numbers of 15 digits', (bytes) => listOf(bytes, (index) => `${100_000_000_000_000 + index}`)),
  shape('numbers of 16 digits', (bytes) => listOf(bytes, (index) => `${1_000_000_000_000_000 + index}`)),
  shape('fractions of 17 digits', (bytes) =>
    listOf(bytes, (index) => `0.${12_345_678_901_234_567n + BigInt(index)}`),
  ),
  shape('fractions of 17 digits as fields', (bytes) =>
    listOf(bytes, (index) => `"a":0.${12_345_678_901_234_567n + BigInt(index)}`, { start: '{', end: '}' }),
  ),
  shape('large integers that a double holds', (bytes) =>
    listOf(bytes, (index) => `[${9_007_199_254_740_994 + 2 * index}]`),
  ),
  shape('zeros', (bytes) => listOf(bytes, () => '0.0000000000000000000000000')),
  shape('numbers with exponents', (bytes) => listOf(bytes, (index) => `${index % 10}e5`)),
  shape('numbers with exponents of three digits', (bytes) => listOf(bytes, (index) => `${index % 10}E+300`)),
  shape('numbers at the end of the range', (bytes) => listOf(bytes, () => '[1e308]')),
  shape('numbers close to zero', (bytes) => listOf(bytes, () => '[5e-324]')),
  shape('numbers beyond the range at the end', (bytes) =>
    listOf(bytes, () => '1e300', { start: '[', end: ',1e400]' }),
  ),
  shape('numbers of 199 digits', (bytes) => listOf(bytes, () => '1'.repeat(199))),
  shape('one number', (bytes) => '9'.repeat(bytes)),
  shape('one number after the point', (bytes) => `0.${'1'.repeat(bytes - 2)}`),
  shape('one number of zeros', (bytes) => `[1.${'0'.repeat(bytes - 4)}]`),
  shape('one long exponent', (bytes) => `[0e${'9'.repeat(bytes - 4)}]`),
  shape('16 digits and a letter', (bytes) => listOf(bytes, () => `"${'1'.repeat(16)}a"`)),
  shape('texts of 65 letters', (bytes) => listOf(bytes, () => `"${'x'.repeat(65)}"`)),
  shape('digits in one text', (bytes) => `"${'1'.repeat(bytes - 2)}"`),
  shape('exponents in one text', (bytes) => `"${'1e999,'.repeat(fit(bytes, 2, 6))}"`),

  // Not JSON.
  shape('invalid JSON at the end', (bytes) => listOf(bytes, () => '0', { start: '[', end: ',' })),
  shape('a text that does not end', (bytes) => `"${'x'.repeat(bytes - 1)}`),
  shape('only opening brackets', (bytes) => '['.repeat(bytes)),
  shape('no JSON at all', (bytes) => 'x'.repeat(bytes)),
  {
    name: 'invalid UTF-8 at the end',
    make: (bytes) => Buffer.concat([Buffer.from(`"${'x'.repeat(bytes - 3)}`), Buffer.from([0xc3, 0x22])]),
  },
];

function shape(name: string, text: (bytes: number) => string): HostileBody {
  return { name, make: (bytes) => Buffer.from(text(bytes)) };
}

/** How many parts of a size fit beside the rest of the body. */
function fit(bytes: number, fixed: number, part: number): number {
  return Math.floor((bytes - fixed) / part);
}

function listOf(
  bytes: number,
  item: (index: number) => string,
  { start, end } = { start: '[', end: ']' },
): string {
  const items: string[] = [];
  let length = start.length + end.length;
  for (let index = 0; ; index += 1) {
    const text = item(index);
    length += text.length + 1;
    if (length > bytes) break;
    items.push(text);
  }
  return start + items.join() + end;
}
