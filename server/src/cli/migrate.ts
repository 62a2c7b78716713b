import { storeOptions } from '../config.js';
import { openStore } from '../store/open-store.js';
import type { Command } from './command.js';

export const migrate: Command = {
  name: 'migrate',
  summary: 'Create or update the database, then exit',
  parameters: [],
  help: `Applies pending migrations. The service does the same at startup; use this command to apply them beforehand.`,
  run: async (_args, config) => {
    const store = await openStore(storeOptions(config));
    await store.close();
    process.stdout.write(`The database at ${store.location} is up to date\n`);
    return 0;
  },
};
