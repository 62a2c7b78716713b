/** The one place where a database URL becomes a store. */

import { openPostgresStore } from './postgres/postgres-store.js';
import { openSqliteStore } from './sqlite/sqlite-store.js';
import type { Store } from './store.js';

export interface StoreOptions {
  readonly databaseUrl: string;
  /** Connections to PostgreSQL at most; SQLite has one. */
  readonly poolMax?: number;
  /** Whoever waits for PostgreSQL has an answer within this time. */
  readonly timeoutMs?: number;
  /** Replaces the store's own clock: for tests, and for data made up for the past. */
  readonly clock?: (() => number) | undefined;
}

const DEFAULT_POOL_MAX = 10;
const DEFAULT_TIMEOUT_MS = 2_000;

export async function openStore({
  databaseUrl,
  poolMax = DEFAULT_POOL_MAX,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  clock,
}: StoreOptions): Promise<Store> {
  const file = sqliteFile(databaseUrl);
  return file === null
    ? openPostgresStore({ databaseUrl, poolMax, timeoutMs, clock })
    : openSqliteStore({ file, clock: clock ?? Date.now });
}

/** The path in `sqlite:./data/x.db` or `sqlite:///absolute/x.db`; null for any other kind of URL. */
export function sqliteFile(databaseUrl: string): string | null {
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, '') : null;
}
