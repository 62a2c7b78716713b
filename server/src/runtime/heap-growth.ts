/** Limits how far the heap grows between garbage collections. */

import { setFlagsFromString } from 'node:v8';

/**
 * Relative to the live heap after the last collection. By default V8 lets it grow several times larger, and large bodies and
 * pages, which survive into the old generation, stay in memory as garbage. Each thread has a heap: with those of the embedded
 * store, 512 MB instead of 398 MB under attack. Without them there is memory to spare, and fewer collections are better:
 * they took a third of the CPU at 30 %.
 */
const GROWTH_PERCENT = { withThreads: 30, withoutThreads: 150 };

/** For all threads of the process; V8 reads the setting after each collection. Call it before they start. */
export function limitHeapGrowth({ hasThreads }: { hasThreads: boolean }): void {
  const percent = hasThreads ? GROWTH_PERCENT.withThreads : GROWTH_PERCENT.withoutThreads;
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
