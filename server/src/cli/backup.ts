import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, CommandError } from './command.js';
import { withStore } from './with-store.js';

export const backup: Command = {
  name: 'backup',
  summary: 'Write a consistent copy of the database to a new file',
  parameters: ['file'],
  help: `Writes a consistent copy of the SQLite database, even while the service is running. To restore it, stop the service
and replace the database with the file. Back up PostgreSQL with its own tools, for example pg_dump.`,
  run: async ([file = ''], config) => {
    if (existsSync(file)) throw new CommandError(`${file} already exists`);
    return withStore(config, async (store) => {
      await store.maintenance.backup(resolve(file));
      process.stdout.write(`Copied ${store.location} to ${file}\n`);
      return 0;
    });
  },
};
