import { existsSync } from 'node:fs';
import { type Config, isDatabaseUrl, storeOptions } from '../config.js';
import { openStore, sqliteFile } from '../store/open-store.js';
import type { CopyStore, Store } from '../store/store.js';
import { TABLES } from '../store/tables.js';
import { type Command, CommandError } from './command.js';
import { ProgressBar } from './progress-bar.js';

const ROWS_PER_CHUNK = 1_000;
const TABLE_NAMES = TABLES.map(({ name }) => name);

export const copy: Command = {
  name: 'copy',
  summary: 'Copy everything into an empty database',
  parameters: [],
  options: [
    { name: 'from', value: 'url' },
    { name: 'to', value: 'url' },
  ],
  help: `Copies accounts, keys, prices, runs, steps and all counters, for example from SQLite to PostgreSQL:

  guarded-runs copy --from sqlite:./data/guarded-runs.db --to postgres://user:password@host/database

Stop the service first. The target must be empty; it is migrated as needed. After copying, the command compares the number
of rows of every table and verifies the counters of both databases. Exits with 1 if anything differs.`,
  run: async ([from = '', to = ''], config) =>
    withStores({ from, to, config }, async (source, target) => {
      await requireEmpty(target);
      await copyTables(source.copy, target.copy);
      return report({ source, target, problems: await findProblems(source, target) });
    }),
};

async function withStores(
  { from, to, config }: { from: string; to: string; config: Config },
  work: (source: Store, target: Store) => Promise<number>,
): Promise<number> {
  for (const url of [from, to]) {
    if (!isDatabaseUrl(url)) throw new CommandError('--from and --to must be sqlite:… or postgres://… URLs');
  }
  const file = sqliteFile(from);
  if (file !== null && !existsSync(file)) throw new CommandError(`There is no database at ${file}`);
  const source = await openStore({ ...storeOptions(config), databaseUrl: from });
  try {
    const target = await openStore({ ...storeOptions(config), databaseUrl: to });
    try {
      return await work(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function requireEmpty(target: Store): Promise<void> {
  for (const table of TABLE_NAMES) {
    if ((await target.copy.countRows(table)) > 0) {
      throw new CommandError(`The database at ${target.location} is not empty: there are rows in ${table}`);
    }
  }
}

async function copyTables(source: CopyStore, target: CopyStore): Promise<void> {
  const counts = await Promise.all(TABLE_NAMES.map((table) => source.countRows(table)));
  const progress = new ProgressBar({ total: counts.reduce((sum, count) => sum + count, 0), unit: 'rows' });
  for (const table of TABLE_NAMES) {
    progress.begin(table);
    await copyTable({ table, source, target, progress });
  }
  progress.end();
}

/** Reads rows in key order, so that each chunk starts after the last row of the previous one. */
async function copyTable(given: {
  table: string;
  source: CopyStore;
  target: CopyStore;
  progress: ProgressBar;
}): Promise<void> {
  const { table, source, target, progress } = given;
  let rows = await source.readRows(table, { after: null, limit: ROWS_PER_CHUNK });
  while (rows.length > 0) {
    await target.writeRows(table, rows);
    progress.advance(rows.length);
    rows = await source.readRows(table, { after: rows.at(-1) ?? null, limit: ROWS_PER_CHUNK });
  }
}

async function findProblems(source: Store, target: Store): Promise<string[]> {
  const problems: string[] = [];
  for (const table of TABLE_NAMES) {
    const [expected, found] = await Promise.all([source.copy.countRows(table), target.copy.countRows(table)]);
    if (expected !== found) problems.push(`${table}: ${expected} rows in the source, ${found} in the target`);
  }
  for (const store of [source, target]) {
    const { differences } = await store.maintenance.verify();
    for (const { counter, stored, recomputed } of differences) {
      problems.push(`${store.location}: ${counter} is ${stored}, should be ${recomputed}`);
    }
  }
  return problems;
}

async function report(given: { source: Store; target: Store; problems: readonly string[] }): Promise<number> {
  const { source, target, problems } = given;
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (problems.length > 0) {
    process.stdout.write(`The copy at ${target.location} differs. Was the service still running?\n`);
    return 1;
  }
  process.stdout.write(
    `Copied ${source.location} to ${target.location}: the same rows in every table, all counters verified\n`,
  );
  return 0;
}
