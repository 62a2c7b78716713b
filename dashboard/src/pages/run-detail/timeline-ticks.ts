/** The labels of the axis of a timeline, at round durations. Pure. */

import { DAY, formatDurationTo, HOUR, MINUTE, SECOND } from '../../format/time.ts';

const MAX_STEPS = 5;
const ROUND_STEPS_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  DAY,
];

export interface Ticks {
  readonly stepMs: number;
  readonly ticks: readonly { readonly atMs: number; readonly label: string }[];
}

/** `spanMs` is at least 1. */
export function toTicks(spanMs: number): Ticks {
  const isFew = (stepMs: number) => spanMs / stepMs <= MAX_STEPS;
  const stepMs = ROUND_STEPS_MS.find(isFew) ?? Math.ceil(spanMs / MAX_STEPS / DAY) * DAY;
  const count = Math.floor(spanMs / stepMs) + 1;
  const ticks = Array.from({ length: count }, (_, index) => index * stepMs).map((atMs) => ({
    atMs,
    label: labelOf(atMs),
  }));
  return { stepMs, ticks };
}

function labelOf(atMs: number): string {
  if (atMs === 0) return '0';
  return atMs < SECOND ? `${atMs}\u00a0ms` : formatDurationTo(atMs, 1);
}
