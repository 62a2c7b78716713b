/** The one place where a database URL becomes a store. */

import { openSqliteStore } from './sqlite/sqlite-store.js';
import type { Store } from './store.js';

export interface StoreOptions {
  readonly databaseUrl: string;
  /** Replaces the store's own clock: for tests, and for data made up for the past. */
  readonly clock?: (() => number) | undefined;
}

export async function openStore({ databaseUrl, clock }: StoreOptions): Promise<Store> {
  return openSqliteStore({ file: sqliteFile(databaseUrl), clock: clock ?? Date.now });
}

/** `sqlite:./data/x.db` or `sqlite:///absolute/x.db`. */
export function sqliteFile(databaseUrl: string): string {
  return databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, '');
}
