import { expect, test } from 'vitest';
import { LoadShare } from '../../src/runtime/load-share.js';

/** The shares after each measurement. */
function sharesOf(utilizations: readonly number[], max: number): number[] {
  let now = 0;
  let utilization = 0;
  const share = new LoadShare({ max, measure: () => utilization, now: () => now });
  return utilizations.map((measured) => {
    utilization = measured;
    now += 50;
    return share.current;
  });
}

test('the share shrinks while the thread is busy, but never to zero', () => {
  expect(sharesOf([0.9, 0.9, 0.9, 0.9, 0.9, 0.9], 16)).toEqual([8, 4, 2, 1, 1, 1]);
});

test('the share grows again when the thread is idle, up to its maximum, and stays in between', () => {
  expect(sharesOf([0.9, 0.9, 0.6, 0.6, 0.3, 0.3, 0.3], 4)).toEqual([2, 1, 1, 1, 2, 3, 4]);
  expect(sharesOf([0.1, 0.1], 4)).toEqual([4, 4]);
});

test('the load is measured only at intervals', () => {
  let measured = 0;
  const measure = () => {
    measured += 1;
    return 1;
  };
  const share = new LoadShare({ max: 4, measure, now: () => 50 });
  for (let count = 0; count < 100; count += 1) expect(share.current).toBe(2);
  expect([share.isBusy, measured]).toEqual([true, 1]);
});
