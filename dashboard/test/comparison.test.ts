import { describe, expect, test } from 'vitest';
import { comparisonFormat } from '../src/format/comparison.ts';

const NBSP = '\u00a0';

describe('an amount and its limit', () => {
  test.each([
    [19.996, 20, '$19.996', '$20.00'],
    [20, 20, '$20.00', '$20.00'],
    [12.345, 20, '$12.35', '$20.00'],
    [20.0000000001, 20, '$20.0000000001', '$20.00'],
    [1234.5, 1234.504, '$1,234.50', '$1,234.504'],
    [0.0512, 0.05, '$0.051', '$0.05'],
    [0.05001, 0.05, '$0.05001', '$0.05'],
    [0.0000004, 0.0000002, '$0.0000004', '$0.0000002'],
    [0, 0.0000002, '$0', '<$0.000001'],
    [0, 0, '$0', '$0'],
    [0.000023, 20, '$0.000023', '$20.00'],
  ])('%d of %d read %s of %s', (value, limit, valueText, limitText) => {
    const format = comparisonFormat('usd', { parts: [value], limit });
    expect([format(value), format(limit)]).toEqual([valueText, limitText]);
  });

  test('that seem to fit together have the digits that show that they do not', () => {
    const format = comparisonFormat('usd', { parts: [0.6004, 0.4], limit: 1 });
    expect([0.6004, 0.4, 1].map(format)).toEqual(['$0.6004', '$0.40', '$1.00']);
  });

  test('that seem to reach the limit have the digits that show that they do not', () => {
    const format = comparisonFormat('usd', { parts: [0.336, 0.336], limit: 0.68 });
    expect([0.336, 0.336, 0.68].map(format)).toEqual(['$0.336', '$0.336', '$0.68']);
  });

  test('are short without a limit', () => {
    expect(comparisonFormat('usd', { parts: [19.996], limit: null })(19.996)).toBe('$20.00');
  });

  test('of a random comparison never contradict it', () => {
    let seed = 20_261_117;
    const next = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let round = 0; round < 2_000; round += 1) {
      const limit = Number((next() * 10 ** Math.floor(next() * 8 - 4)).toFixed(12));
      const near = Number((limit * (1 + (next() - 0.5) * 10 ** -Math.floor(next() * 12))).toFixed(12));
      const format = comparisonFormat('usd', { parts: [near], limit });
      const shown = [near, limit].map((usd) => Number(format(usd).replace(/[$,<]/g, '')));
      const [value = 0, most = 0] = shown;
      expect(Math.sign(value - most), `seed 20261117: ${near} of ${limit}`).toBe(Math.sign(near - limit));
    }
  });
});

describe('a duration and its limit', () => {
  test.each([
    [3600, 3630, '1 h', '1 h 30 s'],
    [95, 3600, '1 min 35 s', '1 h'],
    [2.04, 2, '2.04 s', '2 s'],
    [3600.004, 3600, '1 h 0.004 s', '1 h'],
    [86_400, 86_401, '1 d', '1 d 1 s'],
    [3600, 3600, '1 h', '1 h'],
  ])('%d of %d seconds read %s of %s', (value, limit, valueText, limitText) => {
    const format = comparisonFormat('seconds', { parts: [value], limit });
    expect([format(value), format(limit)]).toEqual(
      [valueText, limitText].map((text) => text.replaceAll(' ', NBSP)),
    );
  });
});

test('a count has all its digits', () => {
  expect(comparisonFormat('count', { parts: [12_345], limit: 12_346 })(12_345)).toBe('12,345');
});
