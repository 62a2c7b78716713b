import { describe, expect, test } from 'vitest';
import { bucketOf, LAST_BUCKET, NO_BUCKET, percentileMs } from '../../src/domain/duration-buckets.js';

const shown = (durationMs: number) => percentileMs(new Map([[bucketOf(durationMs), 1]]), 0.5) ?? Number.NaN;

describe('buckets of durations', () => {
  test('are exact below 8 ms, and then within 12.5 %', () => {
    for (let ms = 0; ms < 8; ms += 1) expect(shown(ms)).toBe(ms);
    for (let ms = 8; ms < 2 ** 29; ms += 1 + Math.floor(ms / 97))
      expect(Math.abs(shown(ms) - ms) / ms).toBeLessThanOrEqual(0.125);
  });

  test('grow with the duration, without a gap', () => {
    const buckets = Array.from({ length: 2 ** 16 }, (_, ms) => bucketOf(ms));
    const different = buckets.filter((bucket, index) => bucket !== buckets[index - 1]);
    expect(different).toEqual(Array.from({ length: bucketOf(2 ** 16 - 1) + 1 }, (_, bucket) => bucket));
  });

  test('have a last one, and none without a duration', () => {
    expect(bucketOf(2 ** 29 - 1)).toBe(LAST_BUCKET - 1);
    expect([2 ** 29, 2 ** 31, Number.MAX_SAFE_INTEGER].map(bucketOf)).toEqual(Array(3).fill(LAST_BUCKET));
    expect(shown(Number.MAX_SAFE_INTEGER)).toBe(2 ** 29);
    expect(bucketOf(null)).toBe(NO_BUCKET);
  });
});

describe('percentiles', () => {
  const counts = (durations: readonly number[]) => {
    const found = new Map<number, number>();
    for (const bucket of durations.map(bucketOf)) found.set(bucket, (found.get(bucket) ?? 0) + 1);
    return found;
  };

  test('are durations that so many calls do not exceed', () => {
    const durations = [7, 1, 2, 3, 4, 5, 6, 7, 7, 7];
    expect(percentileMs(counts(durations), 0.5)).toBe(5);
    expect(percentileMs(counts(durations), 0.95)).toBe(7);
    expect(percentileMs(counts([3]), 0.95)).toBe(3);
    expect(percentileMs(counts([1, 5]), 0.5)).toBe(1);
  });

  test('are null without calls', () => {
    expect(percentileMs(new Map(), 0.5)).toBeNull();
  });
});
