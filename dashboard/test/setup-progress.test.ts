import { describe, expect, test } from 'vitest';
import {
  hasAgentKey,
  hasBudget,
  hasDenial,
  toPricedModels,
  toSetupProgress,
} from '../src/api/setup-progress.ts';

const ALL = { key: true, run: true, prices: true, budget: true, denial: true };
const NONE = { key: false, run: false, prices: false, budget: false, denial: false };

describe('the progress of the set-up', () => {
  test('is not known before the role and each step are', () => {
    expect(toSetupProgress(ALL, null)).toBeNull();
    expect(toSetupProgress({ ...ALL, denial: undefined }, 'owner')).toBeNull();
  });

  test.each([
    { facts: NONE, doneCount: 0, next: 'key' },
    { facts: { ...NONE, key: true, budget: true }, doneCount: 2, next: 'run' },
    { facts: { ...ALL, prices: false }, doneCount: 4, next: 'prices' },
    { facts: ALL, doneCount: 5, next: null },
  ])('has $doneCount of 5 steps done, and $next is the next', ({ facts, doneCount, next }) => {
    const progress = toSetupProgress(facts, 'admin');
    expect(progress).toMatchObject({ doneCount, next });
    expect(progress?.items).toHaveLength(5);
  });

  test('of a viewer has only the steps that a viewer may do, and does not wait for the others', () => {
    const facts = { key: undefined, run: true, prices: undefined, budget: undefined, denial: false };
    expect(toSetupProgress(facts, 'viewer')).toEqual({
      items: [
        { step: 'run', isDone: true },
        { step: 'denial', isDone: false },
      ],
      doneCount: 1,
      next: 'denial',
    });
  });
});

test('a key counts if it is active and can start runs', () => {
  expect(hasAgentKey([])).toBe(false);
  expect(hasAgentKey([{ is_active: false, scope: 'agent' }])).toBe(false);
  expect(hasAgentKey([{ is_active: true, scope: 'read' }])).toBe(false);
  expect(hasAgentKey([{ is_active: true, scope: 'agent' }])).toBe(true);
  expect(hasAgentKey([{ is_active: true, scope: 'admin' }])).toBe(true);
});

test.each([
  { what: 'no model and no price', used: {}, prices: [], missing: [], isDone: false },
  { what: 'a price before any model was used', used: {}, prices: ['a'], missing: [], isDone: true },
  { what: 'a model without a price', used: { a: 5 }, prices: [], missing: ['a'], isDone: false },
  { what: 'one of two models priced', used: { a: 5, b: 9 }, prices: ['a'], missing: ['b'], isDone: false },
  { what: 'most tokens first', used: { a: 5, b: 9 }, prices: [], missing: ['b', 'a'], isDone: false },
  { what: 'a price since the tokens', used: { a: 5 }, prices: ['a'], missing: [], isDone: true },
  { what: 'a model whose cost was reported', used: { a: 0 }, prices: [], missing: [], isDone: true },
])('prices: $what', ({ used, prices, missing, isDone }) => {
  const priced = toPricedModels(
    [day(used)],
    prices.map((model) => ({ model })),
  );
  expect(priced).toMatchObject({ missing, isDone });
});

test('either budget counts, also one of zero', () => {
  expect(hasBudget({ daily_budget_usd: null, user_daily_budget_usd: null })).toBe(false);
  expect(hasBudget({ daily_budget_usd: 0, user_daily_budget_usd: null })).toBe(true);
  expect(hasBudget({ daily_budget_usd: null, user_daily_budget_usd: 2 })).toBe(true);
});

test('a denial of any day counts', () => {
  const denied = { denials: [{ reason: 'RUN_STEP_LIMIT_EXCEEDED', count: 1 }] } as const;
  expect(hasDenial([{ denials: [] }, { denials: [] }])).toBe(false);
  expect(hasDenial([{ denials: [...denied.denials] }, { denials: [] }])).toBe(true);
});

/** A day with models and their tokens without a price. */
function day(used: Partial<Record<string, number>>) {
  const by_model = Object.entries(used).map(([model, unpriced_tokens = 0]) => ({
    model,
    total_usd: 0,
    prompt_tokens: 10,
    completion_tokens: 0,
    unpriced_tokens,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    cache_saved_usd: 0,
  }));
  return {
    day: '2026-03-14',
    total_usd: 0,
    total_tokens: 10 * by_model.length,
    run_count: 1,
    unpriced_tokens: by_model.reduce((sum, { unpriced_tokens }) => sum + unpriced_tokens, 0),
    by_model,
    denials: [],
  };
}
