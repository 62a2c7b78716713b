import { expect, test } from 'vitest';
import {
  OTHER_MODELS,
  toDenialSeries,
  toDenials,
  toModelUsage,
  toSpendSeries,
  toUnpricedUsage,
} from '../src/api/daily-series.ts';

const day = (
  name: string,
  models: Record<string, { usd: number; unpriced?: number }>,
  unpricedWithoutModel = 0,
) => {
  const by_model = Object.entries(models).map(([model, { usd, unpriced = 0 }]) => ({
    model,
    total_usd: usd,
    prompt_tokens: 100,
    completion_tokens: 10,
    unpriced_tokens: unpriced,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    cache_saved_usd: 0,
  }));
  return {
    day: name,
    total_usd: by_model.reduce((sum, { total_usd }) => sum + total_usd, 0),
    total_tokens: 110 * by_model.length,
    run_count: 1,
    unpriced_tokens: by_model.reduce((sum, entry) => sum + entry.unpriced_tokens, unpricedWithoutModel),
    by_model,
    denials: [],
  };
};

test('the most expensive models each have a series, and the others share one', () => {
  const models = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, index) => [name, { usd: 10 - index }]),
  );
  const { models: names, rows, totalUsd } = toSpendSeries([day('2026-03-13', {}), day('2026-03-14', models)]);
  expect(names).toEqual(['a', 'b', 'c', 'd', 'e', OTHER_MODELS]);
  expect(rows.map(({ usdByModel }) => usdByModel)).toEqual([
    [0, 0, 0, 0, 0, 0],
    [10, 9, 8, 7, 6, 9],
  ]);
  expect(totalUsd).toBe(49);
});

test('a model without cost has no series', () => {
  expect(
    toSpendSeries([day('2026-03-14', { free: { usd: 0, unpriced: 110 }, paid: { usd: 1 } })]).models,
  ).toEqual(['paid']);
});

test('unpriced tokens are added up by model, and those without a model are still counted', () => {
  const usage = toUnpricedUsage([
    day('2026-03-13', { x: { usd: 0, unpriced: 5 }, y: { usd: 0, unpriced: 7 } }),
    day('2026-03-14', { x: { usd: 0, unpriced: 5 } }, 100),
  ]);
  expect(usage).toEqual({
    tokens: 117,
    models: [
      { model: 'x', tokens: 10 },
      { model: 'y', tokens: 7 },
    ],
  });
});

test('denials are counted and the most frequent reason comes first', () => {
  const denials = [
    { reason: 'USER_BLOCKED' as const, count: 1 },
    { reason: 'KILL_SWITCH_ACTIVE' as const, count: 4 },
  ];
  expect(toDenials({ denials })).toEqual({ total: 5, reasons: [denials[1], denials[0]] });
});

test('the usage of a model is the sum of its days, and the most expensive model comes first', () => {
  const usage = toModelUsage([
    day('2026-03-13', { cheap: { usd: 0.1, unpriced: 30 }, dear: { usd: 1 } }),
    day('2026-03-14', { cheap: { usd: 0.2, unpriced: 5 } }),
  ]);
  expect(usage).toMatchObject([
    { model: 'dear', total_usd: 1, prompt_tokens: 100, unpriced_tokens: 0 },
    { model: 'cheap', total_usd: 0.3, prompt_tokens: 200, completion_tokens: 20, unpriced_tokens: 35 },
  ]);
});

test('each reason has a count for each day, and the most frequent reason comes first', () => {
  const series = toDenialSeries([
    { day: '2026-03-12', denials: [{ reason: 'USER_BLOCKED', count: 2 }] },
    { day: '2026-03-13', denials: [] },
    {
      day: '2026-03-14',
      denials: [
        { reason: 'KILL_SWITCH_ACTIVE', count: 4 },
        { reason: 'USER_BLOCKED', count: 1 },
      ],
    },
  ]);
  expect(series).toEqual({
    days: [
      { day: '2026-03-12', total: 2 },
      { day: '2026-03-13', total: 0 },
      { day: '2026-03-14', total: 5 },
    ],
    reasons: [
      { reason: 'KILL_SWITCH_ACTIVE', total: 4, counts: [0, 0, 4] },
      { reason: 'USER_BLOCKED', total: 3, counts: [2, 0, 1] },
    ],
    total: 7,
  });
});
