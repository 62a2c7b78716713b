/** The one place where a database URL becomes a store. */

import { openSqliteStore } from './sqlite/sqlite-store.js';
import type { Store } from './store.js';

export interface StoreOptions {
  readonly databaseUrl: string;
  /** The clock of stores that have none of their own. */
  readonly clock: () => number;
}

export async function openStore({ databaseUrl, clock }: StoreOptions): Promise<Store> {
  return openSqliteStore({ file: sqliteFile(databaseUrl), clock });
}

/** `sqlite:./data/x.db` or `sqlite:///absolute/x.db`. */
export function sqliteFile(databaseUrl: string): string {
  return databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, '');
}
