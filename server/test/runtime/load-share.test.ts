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

test('a busy thread leaves less and less to the busiest, but never nothing', () => {
  expect(sharesOf([0.9, 0.9, 0.9, 0.9, 0.9, 0.9], 16)).toEqual([8, 4, 2, 1, 1, 1]);
});

test('with slack the share grows again, up to its maximum, and in between it stays', () => {
  expect(sharesOf([0.9, 0.9, 0.6, 0.6, 0.3, 0.3, 0.3], 4)).toEqual([2, 1, 1, 1, 2, 3, 4]);
  expect(sharesOf([0.1, 0.1], 4)).toEqual([4, 4]);
});

test('it is measured only now and then', () => {
  let measured = 0;
  const measure = () => {
    measured += 1;
    return 1;
  };
  const share = new LoadShare({ max: 4, measure, now: () => 50 });
  for (let count = 0; count < 100; count += 1) expect(share.current).toBe(2);
  expect([share.isBusy, measured]).toEqual([true, 1]);
});
