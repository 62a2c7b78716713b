import { existsSync } from 'node:fs';
import { type Config, storeOptions } from '../config.js';
import { openStore, sqliteFile } from '../store/open-store.js';
import type { Store } from '../store/store.js';
import { CommandError } from './command.js';

/** Opens the configured store, runs `work` and closes the store. Does not create a SQLite database that does not exist. */
export async function withStore<Result>(
  config: Config,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const file = sqliteFile(config.databaseUrl);
  if (file !== null && !existsSync(file))
    throw new CommandError(`There is no database at ${file}. Set DATABASE_URL, or start the service once.`);
  const store = await openStore(storeOptions(config));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
