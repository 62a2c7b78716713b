/** `pg_dump` of a database that sixteen clients write to, and `pg_restore` of it. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, test } from 'vitest';
import { expectBackupsUnderLoad } from '../support/backups-under-load.js';
import { campaignSeed, campaignSize, reportCampaign } from '../support/campaign.js';
import { installedBinary, PostgresServer } from '../support/postgres-server.js';
import { createPostgresDatabase } from '../support/test-database.js';

const DUMPS = campaignSize({ short: 2, full: 20 });
const pgDump = installedBinary('pg_dump');
const pgRestore = installedBinary('pg_restore');
const run = promisify(execFile);

let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  // A separate server: the tools refuse a server that is newer than they are.
  server = await PostgresServer.start();
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-dump-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await server.stop();
});

test(`${DUMPS} dumps under load restore to databases with every acknowledged write, and a service continues from them`, async ({
  skip,
}) => {
  if (pgDump === null || pgRestore === null) return skip('pg_dump and pg_restore are not installed');
  const { url: databaseUrl } = await createPostgresDatabase(server.url);
  const figures = await expectBackupsUnderLoad({
    databaseUrl,
    backups: DUMPS,
    seed: campaignSeed('dumps under load'),
    backUp: async (index) => {
      const file = join(folder, `${index}.dump`);
      await run(pgDump, ['--format=custom', `--file=${file}`, databaseUrl]);
      const restored = await createPostgresDatabase(server.url, { isEmpty: true });
      await run(pgRestore, ['--exit-on-error', `--dbname=${restored.url}`, file]);
      return restored.url;
    },
  });
  reportCampaign('dumps under load', { dumps: DUMPS, ...figures });
}, 1_800_000);
