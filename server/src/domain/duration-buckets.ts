/**
 * How long calls take, counted in buckets: percentiles of any number of days come from a few counts. A bucket is a quarter of a
 * doubling, so its middle differs from every duration in it by 12.5 % at most; below 8 ms it is exact.
 */

/** Of a call without a duration. */
export const NO_BUCKET = -1;
/** Durations from here on, six days, are in one bucket. */
const LONGEST_MS = 2 ** 29;
export const LAST_BUCKET = 112;
/** Of the longest durations in a bucket that is not the last. */
export const MAX_SHIFT = 26;

/** Four buckets for each shift: `duration >> shift` is then from 4 to 7. */
export function bucketOf(durationMs: number | null): number {
  if (durationMs === null) return NO_BUCKET;
  if (durationMs >= LONGEST_MS) return LAST_BUCKET;
  // 31 − clz32 is the position of the highest bit.
  const shift = Math.max(0, 29 - Math.clz32(durationMs));
  return 4 * shift + (durationMs >> shift);
}

function shortestIn(bucket: number): number {
  const shift = bucket < 8 ? 0 : Math.floor(bucket / 4) - 1;
  return (bucket - 4 * shift) * 2 ** shift;
}

/** The duration that is shown for a bucket. */
function middleOf(bucket: number): number {
  const shortest = shortestIn(bucket);
  if (bucket >= LAST_BUCKET) return shortest;
  return Math.floor((shortest + shortestIn(bucket + 1) - 1) / 2);
}

/** Calls by bucket, without those that have no duration. */
export type DurationCounts = ReadonlyMap<number, number>;

/** The duration that `share` of the calls do not exceed; null without calls. */
export function percentileMs(counts: DurationCounts, share: number): number | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(total * share));
  let counted = 0;
  for (const bucket of [...counts.keys()].sort((left, right) => left - right)) {
    counted += counts.get(bucket) ?? 0;
    if (counted >= rank) return middleOf(bucket);
  }
  throw new Error('The last bucket has the highest rank');
}
