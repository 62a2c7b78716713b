import { expect, test } from 'vitest';
import { toTicks } from '../src/pages/run-detail/timeline-ticks.ts';

const labelsOf = (spanMs: number) =>
  toTicks(spanMs).ticks.map(({ label }) => label.replaceAll('\u00a0', ' '));

test.each([
  [1, ['0', '1 ms']],
  [7, ['0', '2 ms', '4 ms', '6 ms']],
  [1_750, ['0', '500 ms', '1 s', '1.5 s']],
  [10_000, ['0', '2 s', '4 s', '6 s', '8 s', '10 s']],
  [61_000, ['0', '15 s', '30 s', '45 s', '1 min']],
  [192_000, ['0', '1 min', '2 min', '3 min']],
  [5_400_000, ['0', '30 min', '1 h', '1 h 30 min']],
  [7 * 86_400_000, ['0', '2 d', '4 d', '6 d']],
])('the axis of %d ms has round labels', (spanMs, labels) => {
  expect(labelsOf(spanMs)).toEqual(labels);
});

test.each([1, 3, 999, 59_999, 3_600_001, 86_400_001, 9_999_999_999])(
  'the axis of %d ms has at most six labels',
  (spanMs) => {
    const { stepMs, ticks } = toTicks(spanMs);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.at(-1)?.atMs).toBeLessThanOrEqual(spanMs);
    expect(spanMs / stepMs).toBeGreaterThanOrEqual(1);
  },
);
