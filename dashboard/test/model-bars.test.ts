import { expect, test } from 'vitest';
import type { Schemas } from '../src/api/api-client.ts';
import { formatPercent, toDurationBars, toErrorBars, toTokenBars } from '../src/pages/model/model-bars.ts';

const DAY: Schemas['ModelDay'] = {
  day: '2026-03-14',
  total_usd: 1,
  prompt_tokens: 100,
  completion_tokens: 30,
  unpriced_tokens: 0,
  cache_read_tokens: 60,
  cache_write_tokens: 10,
  reasoning_tokens: 5,
  cache_saved_usd: 0,
  completed_count: 3,
  failed_count: 1,
  error_rate: 0.25,
  p50_duration_ms: 900,
  p95_duration_ms: 4_000,
};
const UNUSED = {
  ...DAY,
  completed_count: 0,
  failed_count: 0,
  error_rate: null,
  p50_duration_ms: null,
  p95_duration_ms: null,
};

test('the parts of the tokens add up to all of them', () => {
  const [bar] = toTokenBars([DAY]);
  expect(bar?.values).toEqual([30, 60, 10, 25, 5]);
  expect(bar?.total).toBe('130');
});

test('a day without calls has no rate and no durations, which is not the same as zero', () => {
  expect(toErrorBars([DAY, UNUSED]).map(({ values, texts, total }) => [values, texts, total])).toEqual([
    [[25], ['25 % (1)'], '4'],
    [[0], [null], null],
  ]);
  expect(toDurationBars([DAY, UNUSED]).map(({ values, total }) => [values, total])).toEqual([
    [[900, 3_100], '3 calls'],
    [[0, 0], null],
  ]);
});

test.each([
  [0, '0 %'],
  [0.04, '<0.1 %'],
  [0.44, '0.4 %'],
  [12.5, '12.5 %'],
  [100, '100 %'],
])('%d percent is %s', (percent, expected) => expect(formatPercent(percent)).toBe(expected));
