import { expect, test } from 'vitest';
import { tokenPartsOf } from '../src/pages/run-detail/token-parts.ts';

const STEP = {
  prompt_tokens: 1_000,
  completion_tokens: 200,
  cache_read_tokens: 440,
  cache_write_tokens: 60,
  reasoning_tokens: 50,
  cost_usd: 0.33,
  cost_source: 'price' as 'price' | 'reported' | 'estimated' | null,
  cost_parts: { input_usd: 0.1, cache_read_usd: 0.01, cache_write_usd: 0.02, output_usd: 0.2 },
};
const PLAIN = {
  ...STEP,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
  cost_parts: { input_usd: 0.2, cache_read_usd: 0, cache_write_usd: 0, output_usd: 0.1 },
};
const UNPRICED = { ...PLAIN, cost_usd: null, cost_source: null, cost_parts: null };
const TOOL = {
  ...UNPRICED,
  prompt_tokens: null,
  completion_tokens: null,
  cost_usd: 0.05,
  cost_source: 'reported' as const,
};

const shortOf = (steps: Parameters<typeof tokenPartsOf>[0]) =>
  tokenPartsOf(steps).map(({ name, tokens, usd }) => [name, tokens, usd]);

test('a step has its prompt tokens in three parts', () => {
  expect(shortOf([STEP])).toEqual([
    ['input', 500, 0.1],
    ['cache_read', 440, 0.01],
    ['cache_write', 60, 0.02],
    ['output', 200, 0.2],
  ]);
  expect(tokenPartsOf([STEP]).at(-1)?.reasoningTokens).toBe(50);
});

test('the cache has no part where it was not used', () => {
  expect(shortOf([PLAIN])).toEqual([
    ['input', 1_000, 0.2],
    ['output', 200, 0.1],
  ]);
});

test('a run has the exact sums of its steps', () => {
  expect(shortOf([STEP, PLAIN])).toEqual([
    ['input', 1_500, 0.3],
    ['cache_read', 440, 0.01],
    ['cache_write', 60, 0.02],
    ['output', 400, 0.3],
  ]);
});

test('tokens without a cost are counted, and told apart', () => {
  expect(shortOf([UNPRICED])).toEqual([
    ['input', 1_000, null],
    ['output', 200, null],
  ]);
  const [input] = tokenPartsOf([STEP, UNPRICED]);
  expect([input?.tokens, input?.uncostedTokens, input?.usd]).toEqual([1_500, 1_000, 0.1]);
});

test('a cost that is known only as a whole is a part without tokens', () => {
  expect(shortOf([TOOL])).toEqual([['reported', null, 0.05]]);
  const held = { ...TOOL, cost_source: 'estimated' as const, cost_usd: 0.2 };
  const old = { ...UNPRICED, cost_source: 'price' as const, cost_usd: 0.1 };
  expect(shortOf([old, TOOL, held, TOOL])).toEqual([
    ['input', 1_000, null],
    ['output', 200, null],
    ['reported', null, 0.1],
    ['estimated', null, 0.2],
    ['price', null, 0.1],
  ]);
});

test('steps without tokens and cost have no parts', () => {
  expect(shortOf([])).toEqual([]);
  expect(shortOf([{ ...TOOL, cost_usd: null }])).toEqual([]);
});
