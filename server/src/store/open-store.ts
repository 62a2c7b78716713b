/** The one place where a database URL becomes a store. */

import type { CallThread } from '../runtime/call-thread.js';
import { openPostgresStore } from './postgres/postgres-store.js';
import { openSqliteStore, openThreadedSqliteStore } from './sqlite/sqlite-store.js';
import type { Store } from './store.js';

export interface StoreOptions {
  readonly databaseUrl: string;
  /** Connections to PostgreSQL at most; SQLite has one. */
  readonly poolMax?: number;
  /** The timeout of every call to PostgreSQL. */
  readonly timeoutMs?: number;
  /** Replaces the store's own clock: for tests and demo data. */
  readonly clock?: (() => number) | undefined;
}

/** A store, and the thread that writes it where it has one. */
export interface ServedStore {
  readonly store: Store;
  readonly writer: CallThread | null;
}

const DEFAULT_POOL_MAX = 10;
const DEFAULT_TIMEOUT_MS = 2_000;
const DEFAULT_MAX_VALUE_BYTES = 1024 * 1024;

export async function openStore({
  databaseUrl,
  poolMax = DEFAULT_POOL_MAX,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  clock,
  isServed = false,
}: StoreOptions & { readonly isServed?: boolean }): Promise<Store> {
  const file = sqliteFile(databaseUrl);
  return file === null
    ? openPostgresStore({ databaseUrl, poolMax, timeoutMs, clock, isServed })
    : openSqliteStore({ file, clock: clock ?? Date.now });
}

/** For the service: on SQLite with worker threads that run `module`, so that the main thread never waits for the disk. */
export async function openServedStore(
  options: StoreOptions & {
    readonly module: URL;
    /** Of one payload. */
    readonly maxValueBytes?: number;
  },
): Promise<ServedStore> {
  const file = sqliteFile(options.databaseUrl);
  return file === null
    ? { store: await openStore({ ...options, isServed: true }), writer: null }
    : openThreadedSqliteStore({
        file,
        clock: options.clock ?? Date.now,
        module: options.module,
        maxValueBytes: options.maxValueBytes ?? DEFAULT_MAX_VALUE_BYTES,
      });
}

/** The path in `sqlite:./data/x.db` or `sqlite:///absolute/x.db`; null for any other kind of URL. */
export function sqliteFile(databaseUrl: string): string | null {
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, '') : null;
}
