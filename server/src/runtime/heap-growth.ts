/** Limits how far heaps grow between garbage collections, so that the memory of the process stays bounded under attack. */

import { setFlagsFromString } from 'node:v8';

/**
 * Relative to the live heap after the last collection. By default V8 lets it grow several times larger, and large bodies and
 * pages, which survive into the old generation, stay in memory as garbage: 512 MB instead of 398 MB under attack with the heaps
 * of the threads of the embedded store. Frequent collections cost up to a third of the CPU, so they are left to processes that
 * are large.
 */
const GROWTH_PERCENT = { small: 150, large: 30 };
const LARGE_BYTES = 256 * 1024 * 1024;
const CHECK_INTERVAL_MS = 250;

/** Call it before threads start. Without the threads of the embedded store there is one large heap, and memory to spare. */
export function limitHeapGrowth({ hasThreads }: { hasThreads: boolean }): void {
  setGrowth(GROWTH_PERCENT.small);
  if (!hasThreads) return;
  let wasLarge = false;
  const check = () => {
    const isLarge = process.memoryUsage.rss() > LARGE_BYTES;
    if (isLarge !== wasLarge) setGrowth(isLarge ? GROWTH_PERCENT.large : GROWTH_PERCENT.small);
    wasLarge = isLarge;
  };
  setInterval(check, CHECK_INTERVAL_MS).unref();
}

/** For all threads of the process; V8 reads it at the end of each collection. */
function setGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
