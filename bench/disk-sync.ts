/** The time of the disk for one commit: a few pages of an existing log are overwritten and synced, at a given rate. */

import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** SQLite overwrites its log; the commit of one decision writes a few pages of it. */
const LOG_BYTES = 1_000 * 4_120;
const COMMIT_BYTES = 4 * 4_120;

/** In milliseconds, in the order of the syncs. */
export async function syncTimes({ count, rate }: { count: number; rate: number }): Promise<number[]> {
  const file = openSync(join(tmpdir(), 'sync.log'), 'w');
  const pages = Buffer.alloc(COMMIT_BYTES, 7);
  const times: number[] = [];
  try {
    writeSync(file, Buffer.alloc(LOG_BYTES));
    fdatasyncSync(file);
    for (let index = 0; index < count; index += 1) {
      await setTimeout(1_000 / rate);
      const begun = performance.now();
      writeSync(file, pages, 0, COMMIT_BYTES, (index * COMMIT_BYTES) % LOG_BYTES);
      fdatasyncSync(file);
      times.push(performance.now() - begun);
    }
  } finally {
    closeSync(file);
  }
  return times;
}
