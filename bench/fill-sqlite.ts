/** Fills an SQLite file as fast as possible: no commit waits for the disk, since an interrupted fill is discarded. */

import { open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { SqliteDatabase } from '../server/src/store/sqlite/sqlite-database.js';
import { chunkStatements, closingStatements, type FillPlan, type IdExpression } from './fill-statements.js';

const idOf: IdExpression = ({ timeMs, number }) =>
  `printf('%08x-%04x-7000-8000-%012x', ${timeMs} / 65536, ${timeMs} % 65536, ${number})`;

const series = ({ first, last }: { first: number; last: number }) =>
  `WITH RECURSIVE numbers (position) AS (
     SELECT ${first} UNION ALL SELECT position + 1 FROM numbers WHERE position < ${last}
   ) SELECT position FROM numbers`;

export async function fillSqlite(file: string, { chunks, sample, workspaceIds }: FillPlan): Promise<void> {
  const database = await SqliteDatabase.open(file);
  database.script('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -1000000');
  for (const chunk of chunks) {
    const statements = chunkStatements({ chunk, sample, idOf, series });
    database.script(`BEGIN; ${statements.join(';\n')}; COMMIT`);
    // Other work of this process runs between two chunks.
    await setImmediate();
  }
  database.script(closingStatements(workspaceIds).join(';\n'));
  database.script('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  await sync(file);
}

/** Syncs the file, so that the disk is idle before anything is measured. */
async function sync(file: string): Promise<void> {
  const handle = await open(file);
  await handle.sync();
  await handle.close();
}
