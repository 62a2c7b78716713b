import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoadShare } from '../../src/runtime/load-share.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** The shares after each measurement. */
function sharesOf(utilizations: readonly number[], max: number): number[] {
  let utilization = 0;
  const share = new LoadShare({ max, measure: () => utilization });
  return utilizations.map((measured) => {
    utilization = measured;
    vi.advanceTimersByTime(50);
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
  const share = new LoadShare({
    max: 4,
    measure: () => {
      measured += 1;
      return 1;
    },
  });
  vi.advanceTimersByTime(50);
  for (let count = 0; count < 100; count += 1) expect(share.current).toBe(2);
  expect([share.isBusy, measured]).toEqual([true, 1]);
});
