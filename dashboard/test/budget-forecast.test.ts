import { describe, expect, test } from 'vitest';
import { type ForecastFacts, forecastBudget } from '../src/api/budget-forecast.ts';

const DAY = '2026-03-14';
const at = (time: string, day = DAY) => Date.parse(`${day}T${time}Z`);

const FACTS: ForecastFacts = {
  day: DAY,
  spentUsd: 5,
  heldUsd: 0,
  runCount: 20,
  budgetUsd: 10,
  now: at('09:20:00'),
};
const forecast = (facts: Partial<ForecastFacts> = {}) => forecastBudget({ ...FACTS, ...facts });

describe('the forecast of the budget of today', () => {
  test('says when the budget is reached at the average pace since 00:00 UTC', () => {
    expect(forecast()).toEqual({ kind: 'reaches', at: at('18:40:00') });
  });

  test('counts open holds as spent, because the budget does', () => {
    expect(forecast({ spentUsd: 4, heldUsd: 1 })).toEqual(forecast());
  });

  test('is a whole minute, and never in the past', () => {
    const now = at('18:39:58.900');
    expect(forecast({ spentUsd: 9.999, now })).toEqual({ kind: 'reaches', at: at('18:40:00') });
    expect(forecast({ spentUsd: 9.9999, now })).toEqual({ kind: 'reaches', at: at('18:39:00') });
  });

  test('is the spend at the end of the day where the budget lasts until then', () => {
    expect(forecast({ spentUsd: 2, now: at('06:00:00') })).toEqual({ kind: 'within', usd: 8 });
    expect(forecast({ spentUsd: 5, now: at('12:00:00') })).toEqual({ kind: 'within', usd: 10 });
  });

  test('needs an hour and a few runs: a single run is no pace', () => {
    expect(forecast({ now: at('00:59:59.999') })).toEqual({ kind: 'too-early' });
    expect(forecast({ now: at('01:00:00') })).toEqual({ kind: 'reaches', at: at('02:00:00') });
    expect(forecast({ runCount: 2 })).toEqual({ kind: 'too-few-runs' });
    expect(forecast({ runCount: 3 })).toMatchObject({ kind: 'reaches' });
  });

  test('says that the budget is reached, however little data there is', () => {
    expect(forecast({ spentUsd: 10 })).toEqual({ kind: 'reached' });
    expect(forecast({ spentUsd: 12.5, now: at('00:00:01'), runCount: 1 })).toEqual({ kind: 'reached' });
    expect(forecast({ spentUsd: 0, budgetUsd: 0 })).toEqual({ kind: 'reached' });
    // As doubles, the sum is a little less than 0.3.
    expect(forecast({ spentUsd: 0.1 + 0.7 - 0.6, heldUsd: 0.1, budgetUsd: 0.3 })).toEqual({
      kind: 'reached',
    });
  });

  test('is missing without a budget and without spend', () => {
    expect(forecast({ budgetUsd: null })).toBeNull();
    expect(forecast({ spentUsd: 0 })).toBeNull();
  });

  test('is missing after midnight until the figures of the new day arrive, and before it for a fast clock', () => {
    expect(forecast({ now: at('23:59:59.999') })).toEqual({ kind: 'within', usd: expect.closeTo(5, 6) });
    expect(forecast({ now: at('00:00:00', '2026-03-15') })).toBeNull();
    expect(forecast({ spentUsd: 10, now: at('00:00:00', '2026-03-15') })).toBeNull();
    expect(forecast({ now: at('23:59:59.999', '2026-03-13') })).toBeNull();
  });

  test('just before midnight, the budget is either reached in time or not', () => {
    expect(forecast({ spentUsd: 9.9999, now: at('23:59:30') })).toEqual({
      kind: 'reaches',
      at: at('23:59:00'),
    });
    expect(forecast({ spentUsd: 9.99, now: at('23:59:30') })).toMatchObject({ kind: 'within' });
  });
});
