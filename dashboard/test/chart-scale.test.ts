import { describe, expect, test } from 'vitest';
import { barOf, labelledDays, toScale } from '../src/components/chart-scale.ts';

describe('the scale of a chart', () => {
  test.each([
    { max: 0, ticks: [0, 0.25, 0.5, 0.75, 1] },
    { max: 0.00034, ticks: [0, 0.0001, 0.0002, 0.0003, 0.0004] },
    { max: 0.3, ticks: [0, 0.1, 0.2, 0.3] },
    { max: 1, ticks: [0, 0.25, 0.5, 0.75, 1] },
    { max: 7.2, ticks: [0, 2, 4, 6, 8] },
    { max: 10, ticks: [0, 2.5, 5, 7.5, 10] },
    { max: 101, ticks: [0, 50, 100, 150] },
    { max: 4_000_000, ticks: [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000] },
  ])('to $max has round ticks up to the next one', ({ max, ticks }) => {
    expect(toScale({ max, budget: null })).toEqual({ top: ticks.at(-1), ticks, showsBudget: false });
  });

  test('includes the budget unless the bars would be too low to compare', () => {
    expect(toScale({ max: 7, budget: 10 })).toMatchObject({ top: 10, showsBudget: true });
    expect(toScale({ max: 7, budget: 5 })).toMatchObject({ top: 8, showsBudget: true });
    expect(toScale({ max: 7, budget: 21 })).toMatchObject({ top: 30, showsBudget: true });
    expect(toScale({ max: 7, budget: 22 })).toMatchObject({ top: 8, showsBudget: false });
    expect(toScale({ max: 0, budget: 10 })).toMatchObject({ top: 1, showsBudget: false });
    expect(toScale({ max: 7, budget: 0 })).toMatchObject({ showsBudget: false });
  });
});

test('today always has a label, and there are at most seven', () => {
  expect(labelledDays(7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(labelledDays(30)).toEqual([4, 9, 14, 19, 24, 29]);
  expect(labelledDays(90)).toEqual([11, 24, 37, 50, 63, 76, 89]);
});

test('the bars are within the columns of their days', () => {
  for (const count of [7, 30, 90]) {
    const first = barOf(0, count);
    const last = barOf(count - 1, count);
    expect(first.x).toBeGreaterThan(0);
    expect(last.x + last.width).toBeLessThan(100);
    expect(first.x + first.width).toBeLessThan(100 / count);
  }
});
