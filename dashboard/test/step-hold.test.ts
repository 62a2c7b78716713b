import { expect, test } from 'vitest';
import { costNoteOf, excessOf, holdFateOf, openHoldOf } from '../src/pages/run-detail/step-hold.ts';

const OPEN = {
  status: 'ALLOWED',
  hold_usd: 0.2,
  cost_usd: null,
  cost_source: null,
  cost_parts: null,
  prompt_tokens: null,
  completion_tokens: null,
} as const;
const CHARGED = { ...OPEN, cost_usd: 0.2, cost_source: 'estimated' } as const;
const PRICED = {
  ...OPEN,
  status: 'COMPLETED',
  cost_usd: 0.1,
  cost_source: 'price',
  prompt_tokens: 10,
  completion_tokens: 5,
} as const;

test('a hold is open until the step is reported or its run ends', () => {
  expect(openHoldOf(OPEN)).toBe(0.2);
  expect(costNoteOf(OPEN)?.short).toBe('held');
  expect([openHoldOf(CHARGED), openHoldOf(PRICED), openHoldOf({ ...OPEN, hold_usd: null })]).toEqual([
    null,
    null,
    null,
  ]);
});

test('an estimated cost says why there is no other', () => {
  expect(costNoteOf(CHARGED)).toEqual({
    short: 'estimated',
    long: 'estimated: the run ended without a report',
  });
  expect(costNoteOf({ ...CHARGED, status: 'COMPLETED' })?.long).toBe('estimated: the report had no tokens');
});

test('a cost of tokens that the agent estimated says so', () => {
  const parts = { input_usd: 0.1, cache_read_usd: 0, cache_write_usd: 0, output_usd: 0 };
  expect(costNoteOf({ ...PRICED, cost_source: 'estimated', cost_parts: parts })).toEqual({
    short: 'estimated',
    long: 'estimated: the agent estimated the tokens, because the call was broken off',
  });
});

test('a stated cost says so, unless it exceeds the hold', () => {
  const stated = { ...PRICED, cost_source: 'reported' } as const;
  expect(costNoteOf(stated)).toEqual({ short: 'stated', long: 'stated by the report' });
  expect(costNoteOf({ ...stated, cost_usd: 0.3 })?.short).toBe('$0.10 over hold');
});

test('a cost above the hold shows the excess without digits that no amount has', () => {
  const step = { ...PRICED, cost_usd: 0.3 };
  expect(excessOf(step)).toBe(0.1);
  expect(costNoteOf(step)).toEqual({ short: '$0.10 over hold', long: '$0.10 more than its hold' });
});

test('a cost up to the hold, or without one, has no note', () => {
  expect(costNoteOf(PRICED)).toBeNull();
  expect(costNoteOf({ ...PRICED, cost_usd: 0.2 })).toBeNull();
  expect(costNoteOf({ ...PRICED, hold_usd: null })).toBeNull();
});

test('a failed step without tokens released its hold', () => {
  const failed = { ...OPEN, status: 'FAILED' } as const;
  expect(holdFateOf(failed)).toBe('released: the step failed without tokens');
  expect(costNoteOf(failed)).toBeNull();
  expect([holdFateOf(OPEN), holdFateOf(PRICED), holdFateOf(CHARGED)]).toEqual([null, null, null]);
  expect(holdFateOf({ ...failed, prompt_tokens: 10, completion_tokens: 0 })).toBeNull();
});
